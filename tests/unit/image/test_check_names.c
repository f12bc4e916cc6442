/* The names of instances, sites, threads and the program: each text ends at its length, and has its
 * own cells. */
#include "support/fake_profile.h"

/* ------------------------------------------------------------------- texts -- */

/* `text` and `bytes` are the fields that refer to the text. */
static void check_text(ep_ref *text, uint32_t *bytes, const char *name)
{
    const ep_ref right = *text;
    const uint32_t right_bytes = *bytes;
    const ep_ref wrong[] = {end_cell(), UINT32_MAX, 1, made.main->diagnostics,
                            fake_ref(made.inner) + 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        *text = wrong[i];
        check_fault(name);
        *text = right;
    }
    const uint32_t wrong_bytes[] = {right_bytes + 1000000, EP_LABEL_BYTES + 1, UINT32_MAX,
                                    right_bytes - 1};
    for (size_t i = 0; i < sizeof wrong_bytes / sizeof wrong_bytes[0]; i++) {
        *bytes = wrong_bytes[i];
        check_fault(name);
        *text = right;
        *bytes = right_bytes;
    }
    fake.cells[right].text[right_bytes] = 'x';
    check_fault(name);
    fake.cells[right].text[right_bytes] = '\0';
    *text = right;
    *bytes = right_bytes;
}

TEST(thread_name_is_checked)
{
    check_text(&made.worker->name, &made.worker->name_bytes, "a thread whose name");
}

TEST(command_is_checked)
{
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    check_text(&identity->command, &identity->command_bytes, "a command line");
    identity->command = 0;
    identity->command_bytes = 5;
    check_fault("a command line");
}

/* The check takes a faulty site out of the list, so the test puts it back. */
TEST(site_names_are_checked)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    struct ep_site_cell *site = made.site;
    const struct ep_site_cell right = *site;
    const ep_ref first = tree->sites;
    const uint32_t wrong_bytes[] = {0, EP_LABEL_BYTES + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong_bytes / sizeof wrong_bytes[0]; i++) {
        site->label_bytes = wrong_bytes[i];
        check_fault("a site whose name");
        *site = right;
        tree->sites = first;
    }
    const ep_ref wrong[] = {0, end_cell(), UINT32_MAX, 1, made.main->diagnostics};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        site->file = wrong[i];
        check_fault("a site whose name");
        *site = right;
        tree->sites = first;
    }
    check_sound();
}

TEST(sites_may_share_a_text)
{
    struct ep_site_cell *next = &fake.cells[made.site->next].site;
    next->file = made.site->file;
    next->file_bytes = made.site->file_bytes;
    next->label = made.site->label;
    next->label_bytes = made.site->label_bytes;
    check_sound();
}

TEST(text_of_a_site_and_of_an_instance_is_found)
{
    made.site->label = made.instance->label;
    made.site->label_bytes = made.instance->label_bytes;
    check_fault("an instance whose label");
}

TEST(label_is_checked)
{
    const struct ep_instance_cell right = *made.instance;
    const ep_ref wrong[] = {
        0, end_cell(), UINT32_MAX, 1, made.main->diagnostics, made.second->label};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.instance->label = wrong[i];
        check_fault("an instance whose label");
        *made.instance = right;
        made.second->born = 1;
    }
    const uint32_t wrong_bytes[] = {right.label_bytes + 1, EP_LABEL_BYTES + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong_bytes / sizeof wrong_bytes[0]; i++)
        if (wrong_bytes[i] != right.label_bytes + 1) {
            made.instance->label_bytes = wrong_bytes[i];
            check_fault("an instance whose label");
            *made.instance = right;
        }
    check_sound();
}

TEST(instance_that_is_not_alive_is_not_looked_at)
{
    made.instance->born = 0;
    made.instance->label = UINT32_MAX;
    made.instance->label_bytes = UINT32_MAX;
    check_sound();
}

TEST(longest_label_is_sound)
{
    char label[EP_LABEL_BYTES + 1];
    memset(label, 'x', EP_LABEL_BYTES);
    label[EP_LABEL_BYTES] = '\0';
    fake_instance(2, label, 1);
    fake_instance(3, "", 1);
    check_sound();
}

TEST(label_that_is_longer_than_labels_are_is_found)
{
    made.instance->label = ep_image_take(&fake, 2 * EP_BLOCK_CELLS);
    memset(&fake.cells[made.instance->label], 'x', EP_LABEL_BYTES + 1);
    made.instance->label_bytes = EP_LABEL_BYTES + 1;
    check_fault("an instance whose label");
}

TEST_EACH(fault_begin, fake_end)
