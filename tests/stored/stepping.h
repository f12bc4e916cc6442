/*
 * stepping.h - a program that is stopped after each of its instructions, as if it were killed there
 *
 * A copy of its image file is the file that a kill would leave: no process has it locked, and none
 * has closed it.
 */
#ifndef STEPPING_H
#define STEPPING_H

#include "program.h"
#include "stored.h"

#include <sched.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

struct stepping {
    const char *items;                       /* EPROF of the program; NULL: none */
    void (*prepare)(void);                   /* the program calls it first; NULL: nothing */
    void (*act)(void);                       /* the function in which it is stopped */
    void (*look)(struct stepping *stepping); /* examines "copy" after each change */
    char before[8192], last[8192];           /* the rows of the first and of the last look */
    unsigned long steps, looks, changes;     /* changes: changes of the rows */
};

/* It is in memory shared with the program. */
static inline struct stepping *stepping_make(void (*prepare)(void), void (*act)(void),
                                             void (*look)(struct stepping *))
{
    struct stepping *stepping = program_share(sizeof *stepping);
    stepping->items = "image=profile";
    stepping->prepare = prepare;
    stepping->act = act;
    stepping->look = look;
    return stepping;
}

/* The program is stepped through from the first SIGSTOP to the second. */
static inline void stepping_program(void *shared)
{
    struct stepping *stepping = shared;
    if (stepping->prepare)
        stepping->prepare();
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(2);
    raise(SIGSTOP);
    stepping->act();
    raise(SIGSTOP);
}

/* Reads the part of the image that a reader would read. Returns its size in bytes; 0 if there is no
 * image. */
static inline size_t stepping_read(const char *path, char *bytes, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    union ep_cell header[EP_HEADER_CELLS];
    ssize_t got = read(file, header, sizeof header);
    assert_int_equal(got, sizeof header);
    size_t count = (size_t)header[EP_CELL_ROOT].root.cells_used * EP_CELL_BYTES;
    assert_in_range(count, sizeof header, room);
    got = pread(file, bytes, count, 0);
    close(file);
    return got > 0 ? (size_t)got : 0;
}

static inline void stepping_write_copy(const char *bytes, size_t count)
{
    int file = open("copy", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_return_code(file, errno);
    assert_int_equal(write(file, bytes, count), count);
    close(file);
}

/* Looks at the file if it has changed since the last look. */
static inline void stepping_look(struct stepping *stepping, const char *path)
{
    enum { ROOM = 8 << 20 };
    static char bytes[ROOM], last[ROOM];
    static size_t last_count;
    size_t count = stepping_read(path, bytes, ROOM);
    last_count = stepping->looks ? last_count : 0;
    if (!count || (count == last_count && memcmp(bytes, last, count) == 0))
        return;
    memcpy(last, bytes, count);
    last_count = count;
    stepping_write_copy(bytes, count);
    stepping->looks++;
    stepping->look(stepping);
}

/* Returns the signal that stopped the program; 0 if it has ended. */
static inline int stepping_wait(struct program *program)
{
    int status = 0;
    assert_int_equal(waitpid(program->process_id, &status, 0), program->process_id);
    return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

/* The two processes take turns. On one processor, neither has to wake another processor, which
 * would take ten times as long. */
static inline void stepping_stay_on_one_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static inline void stepping_run(struct stepping *stepping)
{
    struct program program;
    int signal = 0;
    stepping_stay_on_one_processor();
    program_begin(&program, stepping->items, stepping_program, stepping);
    assert_int_equal(stepping_wait(&program), SIGSTOP);
    do {
        assert_return_code(ptrace(PTRACE_SINGLESTEP, program.process_id, NULL, NULL), errno);
        signal = stepping_wait(&program);
        stepping->steps++;
        stepping_look(stepping, program_path(&program));
    } while (signal == SIGTRAP);
    assert_int_equal(signal, SIGSTOP);
    assert_return_code(ptrace(PTRACE_DETACH, program.process_id, NULL, NULL), errno);
    program_end(&program);
    assert_int_equal(program.status, 0);
    print_message("%lu instructions, %lu images\n", stepping->steps, stepping->looks);
}

/* ---- all or nothing ---- */

/* The figures of all rows: as in stored_text(), with self, min, median and max after the total. */
static inline void stepping_text(char *text, size_t room)
{
    struct stored stored;
    stored_open_with(&stored, "copy", (struct ep_snapshot_options){.raw = true, .ticks = true});
    assert_int_equal(stored_identity(&stored)->not_closed, 1);
    FILE *out = fmemopen(text, room, "w");
    assert_non_null(out);
    for (size_t i = 0; i < stored.snapshot->diagnostic_first; i++) {
        struct eprof_row row = stored_row_at(&stored, i);
        fprintf(out, "%s %s %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64, row.kind, row.path,
                row.calls, row.timed, row.total_ns, row.self_ns);
        fprintf(out, " [%" PRIu64 " %" PRIu64 " %" PRIu64 "]", row.min_ns, row.p50_ns, row.max_ns);
        if (row.open || row.errors)
            fprintf(out, " open %" PRIu64 " errors %" PRIu64, row.open, row.errors);
        fputc('\n', out);
    }
    for (size_t i = stored.snapshot->diagnostic_first; i < stored.snapshot->row_count; i++)
        if (strcmp(stored.snapshot->rows[i].name, "not_closed") != 0)
            fprintf(out, "diagnostic %s\n", stored.snapshot->rows[i].name);
    fputc('\0', out);
    assert_int_equal(fclose(out), 0);
    stored_close(&stored);
}

/* The rows change once, from those before the act to those after it. */
static inline void stepping_look_for_one_change(struct stepping *stepping)
{
    char now[sizeof stepping->last];
    stepping_text(now, sizeof now);
    if (stepping->looks == 1)
        strcpy(stepping->before, now);
    else if (strcmp(now, stepping->last) != 0 && ++stepping->changes > 1) {
        /* this may be longer than the message of a failure may be */
        print_error("neither\n%snor\n%sbut\n%s", stepping->before, stepping->last, now);
        fail();
    }
    strcpy(stepping->last, now);
}

/* Runs the program; at the end it has these rows, which it did not have before. */
static inline void stepping_assert_all_or_nothing(void (*prepare)(void), void (*act)(void),
                                                  const char *rows_after)
{
    struct stepping *stepping = stepping_make(prepare, act, stepping_look_for_one_change);
    stepping_run(stepping);
    assert_string_equal(stepping->last, rows_after);
    assert_string_not_equal(stepping->before, rows_after);
    assert_int_equal(stepping->changes, 1);
}

#endif /* STEPPING_H */
