#include "fake_profile.h"

struct fake_profile made;

static void fake_header(void)
{
    strcpy(fake.cells[EP_CELL_SOURCE].source.name, "rdtsc");
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    probe->inside_milliticks = probe->scope_inside_milliticks = 1500;
    probe->pair_milliticks = probe->scope_pair_milliticks = 3000;
    probe->resolution_ticks = 2;
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    scale->scale[1] = (struct ep_scale){1000000000, 2300000000u};
    scale->current = 1;
    scale->has_now = 1;
    scale->now_ticks = 100000;
    fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[EP_DIAGNOSTIC_LOST] = 2;
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->command = fake_text("./program --fast", &identity->command_bytes);
    identity->state = EP_STATE_CLOSED;
}

static void fake_main_tree(void)
{
    uint32_t f = fake_site("a.c", 12, "f"), g = fake_site(NULL, 0, "a label; of \\ eprof_enter");
    made.site = &fake.cells[ep_image_tree(&fake)->sites].site;
    made.root = fake_root(made.main);
    made.outer = fake_node(made.main, made.root, f);
    made.inner = fake_node(made.main, made.outer, g);
    made.hold = fake_node(made.main, made.outer, EP_SITE_HOLD);
    made.hold->level = 1;
    made.hold->base = fake_ref(made.outer);
    fake_visit(made.outer, 5000, 3000);
    fake_visit_nested(made.outer, 100);
    fake_visit(made.inner, 2000, 2000);
    fake_visit(made.inner, UINT64_C(1) << 41, 2000); /* in a far octave */
    made.lowest = fake_frame(made.main, made.root, EP_SCOPE_VOID, 0);
    made.open = fake_frame(made.main, made.outer, EP_SCOPE_TIMED, 90000);
}

/* A program and a library. */
static void fake_functions(void)
{
    ep_ref module = fake_module("/usr/bin/program"), second = fake_module("/usr/lib/library.so.1");
    made.module = fake_module_cell(module);
    made.second_module = fake_module_cell(second);
    made.module->build_id_bytes = EP_BUILD_ID_BYTES;
    memset(made.module->build_id, 0xAB, EP_BUILD_ID_BYTES);
    made.named = fake_function(module, 0x1139);
    fake_name(made.named, "run(int)", EP_NAMING_WHOLE);
    made.named->file = fake_text("run.cc", &made.named->file_bytes);
    made.named->line = 7;
    made.nameless = fake_function(second, UINT64_C(0x123456789AB));
}

void fake_profile(void)
{
    fake_header();
    made.instance = fake_instance(0, "parse", 1);
    made.second =
        fake_instance(1, "write, and a name that is longer than the sixty-four bytes of a cell", 1);
    made.main = fake_thread(0, NULL);
    made.worker = fake_thread(1, "worker");
    made.pair = fake_pair(made.main, 0, 1);
    fake_call(made.pair, 700);
    fake_call(made.pair, UINT64_C(1) << 52);
    fake_leave_pending(made.pair, 900);
    fake_call(fake_pair(made.worker, 0, 1), 800);
    fake_call(fake_pair(made.worker, 1, 1), 80);
    fake_main_tree();
    made.scratch_pair =
        (struct ep_instance_cells *)&fake.cells[ep_image_take(&fake, EP_BLOCK_CELLS)];
    made.scratch_pair->stats.min_ticks = UINT64_MAX;
    made.main->scratch_cells = fake_ref(made.scratch_pair);
    fake_functions();
    made.worker_root = fake_root(made.worker);
    fake_visit(fake_node(made.worker, made.worker_root, made.named->number), 300, 300);
    fake_visit(fake_node(made.worker, made.worker_root, made.nameless->number), 20, 20);
    made.worker_node = fake_node(made.worker, made.worker_root, made.outer->site);
    fake_visit(made.worker_node, 4000, 4000);
}

int fault_begin(void **state)
{
    int result = fake_begin(state);
    fake_profile();
    return result;
}

const char *fault_find(void)
{
    int error;
    const char *found = ep_image_check(&fake, &error);
    assert_int_equal(error, 0);
    return found;
}

void check_sound(void)
{
    const char *found = fault_find();
    if (found)
        fail_msg("refused: %s", found);
}

void check_fault(const char *part)
{
    const char *found = fault_find();
    if (!found)
        fail_msg("not found: %s", part);
    else if (!strstr(found, part))
        fail_msg("found: %s, and not: %s", found, part);
}

ep_ref end_cell(void)
{
    return ep_image_root(&fake)->cells_used;
}

char image_path[] = P_tmpdir "/eprof-image-XXXXXX";

size_t image_bytes(void)
{
    return (size_t)ep_image_root(&fake)->cells_used * EP_CELL_BYTES;
}

int image_make_file(void)
{
    strcpy(image_path + sizeof image_path - sizeof "XXXXXX", "XXXXXX");
    int file = mkstemp(image_path);
    assert_return_code(file, errno);
    return file;
}

void image_write(size_t bytes)
{
    int file = image_make_file();
    const char *from = (const char *)fake.cells;
    for (size_t done = 0; done < bytes;) {
        ssize_t written = write(file, from + done, bytes - done);
        assert_return_code(written, errno);
        done += (size_t)written;
    }
    close(file);
}

char *image_report(const struct ep_image *image, struct ep_snapshot_options options)
{
    static void (*const writers[])(struct ep_output *, const struct eprof_snapshot *) = {
        ep_report_table, ep_report_tree, ep_report_csv, ep_report_json};
    const struct eprof_snapshot *snapshot = snapshot_keep(ep_snapshot_take_stored(image, options));
    struct test_text text;
    test_text_begin(&text);
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        const struct ep_report report = {.write = writers[i]};
        assert_return_code(ep_report_write(&report, snapshot, text.stream), errno);
    }
    return test_text_end(&text);
}
