#include "image_layout.h"

#define BYTES(type, member) sizeof(((type *)0)->member)
#define ELEMENT_BYTES(type, member) sizeof(*((type *)0)->member)
#define ONE(type, member, meaning)                                                                 \
    {                                                                                              \
        offsetof(type, member), BYTES(type, member), 1, meaning                                    \
    }
#define ARRAY(type, member, meaning)                                                               \
    {                                                                                              \
        offsetof(type, member), ELEMENT_BYTES(type, member),                                       \
            BYTES(type, member) / ELEMENT_BYTES(type, member), meaning                             \
    }
#define NUMBER(type, member) ONE(type, member, LAYOUT_NUMBER)
#define NUMBERS(type, member) ARRAY(type, member, LAYOUT_NUMBER)
#define SEES(type, member) ONE(type, member, LAYOUT_SEES)
#define OWNS(type, member) ONE(type, member, LAYOUT_OWNS)

static const struct layout_field identity_fields[] = {
    NUMBERS(struct ep_identity_cell, magic),
    NUMBER(struct ep_identity_cell, version),
    NUMBER(struct ep_identity_cell, byte_order),
    NUMBER(struct ep_identity_cell, cell_bytes),
    NUMBER(struct ep_identity_cell, header_cells),
    NUMBER(struct ep_identity_cell, process_id),
    NUMBER(struct ep_identity_cell, realtime_ns),
    OWNS(struct ep_identity_cell, command),
    NUMBER(struct ep_identity_cell, command_bytes),
    NUMBER(struct ep_identity_cell, not_closed),
    NUMBER(struct ep_identity_cell, cut_short),
    NUMBER(struct ep_identity_cell, state),
    NUMBER(struct ep_identity_cell, items_not_understood),
};

static const struct layout_field control_fields[] = {
    NUMBER(struct ep_control_cell, generation),
    NUMBER(struct ep_control_cell, horizon_ticks),
    NUMBER(struct ep_control_cell, reset_ticks),
    NUMBER(struct ep_control_cell, reset_generation),
    NUMBER(struct ep_control_cell, init_generation),
    NUMBER(struct ep_control_cell, switch_generation),
    NUMBER(struct ep_control_cell, on_ticks),
};

static const struct layout_field source_fields[] = {
    NUMBERS(struct ep_source_cell, name),         NUMBER(struct ep_source_cell, ticks_per_second),
    NUMBER(struct ep_source_cell, first_ticks),   NUMBER(struct ep_source_cell, first_monotonic_ns),
    NUMBER(struct ep_source_cell, is_per_thread),
};

static const struct layout_field probe_fields[] = {
    NUMBER(struct ep_probe_cell, inside_milliticks),
    NUMBER(struct ep_probe_cell, pair_milliticks),
    NUMBER(struct ep_probe_cell, resolution_ticks),
    NUMBER(struct ep_probe_cell, is_known),
    NUMBER(struct ep_probe_cell, scope_inside_milliticks),
    NUMBER(struct ep_probe_cell, scope_pair_milliticks),
    NUMBER(struct ep_probe_cell, nested_pair_milliticks),
};

static const struct layout_field root_fields[] = {
    NUMBER(struct ep_root_cell, cells_used),   SEES(struct ep_root_cell, threads),
    OWNS(struct ep_root_cell, directory),      NUMBER(struct ep_root_cell, slots_used),
    NUMBER(struct ep_root_cell, thread_count), NUMBER(struct ep_root_cell, slots_alive),
    NUMBER(struct ep_root_cell, free_first),   NUMBER(struct ep_root_cell, free_last),
    NUMBER(struct ep_root_cell, index_root),   ARRAY(struct ep_root_cell, free_texts, LAYOUT_SEES),
};

static const struct layout_field diagnostic_fields[] = {
    NUMBER(struct ep_diagnostics_cell, generation),
    NUMBERS(struct ep_diagnostics_cell, count),
};

static const struct layout_field tree_fields[] = {
    NUMBER(struct ep_tree_cell, limit_bytes), NUMBER(struct ep_tree_cell, taken_bytes),
    SEES(struct ep_tree_cell, sites),         SEES(struct ep_tree_cell, site_index),
    NUMBER(struct ep_tree_cell, site_count),  SEES(struct ep_tree_cell, last_site),
    SEES(struct ep_tree_cell, modules),       SEES(struct ep_tree_cell, last_module),
};

static const struct layout_field scale_fields[] = {
    NUMBER(struct ep_scale_cell, scale[0].ns), NUMBER(struct ep_scale_cell, scale[0].ticks),
    NUMBER(struct ep_scale_cell, scale[1].ns), NUMBER(struct ep_scale_cell, scale[1].ticks),
    NUMBER(struct ep_scale_cell, current),     NUMBER(struct ep_scale_cell, has_now),
    NUMBER(struct ep_scale_cell, now_ticks),   NUMBER(struct ep_scale_cell, now_self),
};

static const struct layout_field lock_fields[] = {
    NUMBER(struct ep_lock_cell, changes),
};

static const struct layout_field sum_fields[] = {
    NUMBER(struct ep_sum_cell, is_net),
};

static const struct layout_field function_probe_fields[] = {
    NUMBER(struct ep_function_probe_cell, inside_milliticks),
    NUMBER(struct ep_function_probe_cell, pair_milliticks),
    NUMBER(struct ep_function_probe_cell, nested_pair_milliticks),
    NUMBER(struct ep_function_probe_cell, untimed_pair_milliticks),
    NUMBER(struct ep_function_probe_cell, is_known),
};

static const struct layout_field note_fields[] = {
    NUMBER(struct ep_note_cell, generation),
    NUMBER(struct ep_note_cell, holds_kept),
    NUMBER(struct ep_note_cell, holds_ended),
    NUMBER(struct ep_note_cell, forked),
    NUMBER(struct ep_note_cell, forked_with_image),
    NUMBER(struct ep_note_cell, added_children),
    ARRAY(struct ep_note_cell, unended, LAYOUT_NUMBER),
    NUMBER(struct ep_note_cell, flags),
};

static const struct layout_field sampled_probe_fields[] = {
    NUMBERS(struct ep_sampled_probe_cell, inside_milliticks),
    NUMBERS(struct ep_sampled_probe_cell, pair_milliticks),
    NUMBERS(struct ep_sampled_probe_cell, untimed_milliticks),
    NUMBER(struct ep_sampled_probe_cell, budget_millionths),
    NUMBER(struct ep_sampled_probe_cell, period),
};

static const struct layout_field processes_fields[] = {
    NUMBER(struct ep_processes_cell, rank),          NUMBER(struct ep_processes_cell, count),
    NUMBER(struct ep_processes_cell, ranked),        OWNS(struct ep_processes_cell, balances),
    NUMBER(struct ep_processes_cell, balance_count), OWNS(struct ep_processes_cell, groups),
    NUMBER(struct ep_processes_cell, group_count),   NUMBER(struct ep_processes_cell, group_shift),
};

static const struct layout_field balance_fields[] = {
    NUMBER(struct ep_balance_cell, site),       NUMBER(struct ep_balance_cell, parent),
    NUMBER(struct ep_balance_cell, processes),  NUMBER(struct ep_balance_cell, slowest),
    NUMBER(struct ep_balance_cell, min_ns),     NUMBER(struct ep_balance_cell, max_ns),
    NUMBER(struct ep_balance_cell, total_low),  NUMBER(struct ep_balance_cell, total_high),
    NUMBER(struct ep_balance_cell, square_low), NUMBER(struct ep_balance_cell, square_high),
};

static const struct layout_field groups_fields[] = {
    NUMBERS(struct ep_group_cells, at),
};

static const struct layout_field thread_fields[] = {
    SEES(struct ep_thread_cell, next),         NUMBER(struct ep_thread_cell, number),
    NUMBER(struct ep_thread_cell, state),      OWNS(struct ep_thread_cell, name),
    NUMBER(struct ep_thread_cell, name_bytes), OWNS(struct ep_thread_cell, more),
    OWNS(struct ep_thread_cell, diagnostics),  OWNS(struct ep_thread_cell, pairs),
    NUMBER(struct ep_thread_cell, self),       NUMBER(struct ep_thread_cell, is_off),
    OWNS(struct ep_thread_cell, nodes),        OWNS(struct ep_thread_cell, frames),
    NUMBER(struct ep_thread_cell, keeps),      OWNS(struct ep_thread_cell, scratch_cells),
    NUMBER(struct ep_thread_cell, holds),
};

static const struct layout_field more_fields[] = {
    OWNS(struct ep_more_cell, note),
};

/* The figures of a pair and of a node. */
#define STATISTICS(type)                                                                           \
    NUMBER(type, stats.calls), NUMBER(type, stats.total_ticks), NUMBER(type, stats.min_ticks),     \
        NUMBER(type, stats.max_ticks), NUMBER(type, stats.pending),                                \
        NUMBER(type, stats.square_low), NUMBER(type, stats.square_high),                           \
        NUMBER(type, stats.nested), NUMBER(type, stats.errors), NUMBER(type, stats.until_timed),   \
        NUMBER(type, stats.abandoned), ARRAY(type, stats.octave, LAYOUT_OWNS),                     \
        ARRAY(type, stats.far, LAYOUT_OWNS)

static const struct layout_field pair_fields[] = {
    NUMBER(struct ep_instance_cells, generation),
    NUMBER(struct ep_instance_cells, handle),
    NUMBER(struct ep_instance_cells, depth),
    NUMBER(struct ep_instance_cells, start_ticks),
    STATISTICS(struct ep_instance_cells),
    NUMBER(struct ep_instance_cells, pardon_below_calls),
    SEES(struct ep_instance_cells, next),
    NUMBER(struct ep_instance_cells, ignored),
    NUMBER(struct ep_instance_cells, former_handle),
    NUMBER(struct ep_instance_cells, former_open),
};

/* `sampling` is `next_touched` in a hold. */
static const struct layout_field node_fields[] = {
    NUMBER(struct ep_node_cell, generation), NUMBER(struct ep_node_cell, site),
    SEES(struct ep_node_cell, parent),       NUMBER(struct ep_node_cell, self_ticks),
    STATISTICS(struct ep_node_cell),         SEES(struct ep_node_cell, next),
    NUMBER(struct ep_node_cell, level),      NUMBER(struct ep_node_cell, depth),
    SEES(struct ep_node_cell, base),         OWNS(struct ep_node_cell, sampling),
    NUMBER(struct ep_node_cell, owed_ticks),
};

static const struct layout_field sampling_fields[] = {
    NUMBER(struct ep_sampling_cells, changes),
    NUMBER(struct ep_sampling_cells, rest),
    NUMBER(struct ep_sampling_cells, shift),
    NUMBER(struct ep_sampling_cells, nested_shift),
    NUMBER(struct ep_sampling_cells, since),
    NUMBER(struct ep_sampling_cells, nested_until_timed),
    NUMBER(struct ep_sampling_cells, nested_rest),
    NUMBER(struct ep_sampling_cells, nested_calls),
    NUMBER(struct ep_sampling_cells, own_calls),
    NUMBER(struct ep_sampling_cells, own_until_timed),
    NUMBER(struct ep_sampling_cells, timed),
    NUMBER(struct ep_sampling_cells, weight),
    NUMBER(struct ep_sampling_cells, timed_nested),
    NUMBER(struct ep_sampling_cells, sampled),
    NUMBER(struct ep_sampling_cells, sampled_weight),
    NUMBER(struct ep_sampling_cells, squares),
    NUMBER(struct ep_sampling_cells, square_ticks.low),
    NUMBER(struct ep_sampling_cells, square_ticks.high),
    NUMBER(struct ep_sampling_cells, square_square_ticks.low),
    NUMBER(struct ep_sampling_cells, square_square_ticks.high),
    NUMBER(struct ep_sampling_cells, largest_ticks),
    NUMBER(struct ep_sampling_cells, largest_weight),
    NUMBER(struct ep_sampling_cells, merged),
    NUMBER(struct ep_sampling_cells, variance.low),
    NUMBER(struct ep_sampling_cells, variance.high),
};

static const struct layout_field frame_fields[] = {
    NUMBER(struct ep_open_scope_cell, start_ticks), NUMBER(struct ep_open_scope_cell, child_ticks),
    NUMBER(struct ep_open_scope_cell, generation),  NUMBER(struct ep_open_scope_cell, frame),
    SEES(struct ep_open_scope_cell, node),          SEES(struct ep_open_scope_cell, next),
    SEES(struct ep_open_scope_cell, below),         SEES(struct ep_open_scope_cell, open_before),
    NUMBER(struct ep_open_scope_cell, state),       NUMBER(struct ep_open_scope_cell, token),
    NUMBER(struct ep_open_scope_cell, caller),
};

static const struct layout_field module_fields[] = {
    SEES(struct ep_module_cell, next),          OWNS(struct ep_module_cell, path),
    NUMBER(struct ep_module_cell, path_bytes),  NUMBER(struct ep_module_cell, build_id_bytes),
    NUMBERS(struct ep_module_cell, build_id),   NUMBER(struct ep_module_cell, pages),
    NUMBER(struct ep_module_cell, begin),       NUMBER(struct ep_module_cell, bias),
    NUMBER(struct ep_module_cell, modified_ns),
};

static const struct layout_field site_fields[] = {
    NUMBER(struct ep_site_cell, number),
    NUMBER(struct ep_site_cell, line),
    SEES(struct ep_site_cell, label),
    NUMBER(struct ep_site_cell, label_bytes),
    SEES(struct ep_site_cell, file),
    NUMBER(struct ep_site_cell, file_bytes),
    NUMBER(struct ep_site_cell, hash),
    SEES(struct ep_site_cell, next),
    ARRAY(struct ep_site_cell, child, LAYOUT_SEES),
    NUMBER(struct ep_site_cell, function),
    SEES(struct ep_site_cell, module),
    NUMBER(struct ep_site_cell, naming),
    NUMBER(struct ep_site_cell, is_sampled),
};

static const struct layout_field instance_fields[] = {
    NUMBER(struct ep_instance_cell, born),        NUMBER(struct ep_instance_cell, handle),
    OWNS(struct ep_instance_cell, label),         NUMBER(struct ep_instance_cell, label_bytes),
    NUMBER(struct ep_instance_cell, label_cells), NUMBER(struct ep_instance_cell, label_hash),
    NUMBER(struct ep_instance_cell, smaller),     NUMBER(struct ep_instance_cell, larger),
    NUMBER(struct ep_instance_cell, next_free),   NUMBER(struct ep_instance_cell, birth),
};

static const struct layout_field reference_fields[] = {
    ARRAY(union ep_cell, refs, LAYOUT_OWNS),
};

static const struct layout_field octave_fields[] = {
    NUMBERS(struct ep_octave_cell, count),
};

static const struct layout_field text_fields[] = {
    NUMBERS(union ep_cell, text),
};

#define LAYOUT(cells, next_offset, fields)                                                         \
    {                                                                                              \
        cells, next_offset, fields, sizeof(fields) / sizeof(fields)[0]                             \
    }

/* The first cell of a directory: the first 16,384 slots. */
const struct layout layouts[LAYOUT_KINDS] = {
    [LAYOUT_IDENTITY] = LAYOUT(1, -1, identity_fields),
    [LAYOUT_CONTROL] = LAYOUT(1, -1, control_fields),
    [LAYOUT_SOURCE] = LAYOUT(1, -1, source_fields),
    [LAYOUT_PROBE] = LAYOUT(1, -1, probe_fields),
    [LAYOUT_ROOT] = LAYOUT(1, -1, root_fields),
    [LAYOUT_DIAGNOSTICS] = LAYOUT(1, -1, diagnostic_fields),
    [LAYOUT_TREE] = LAYOUT(1, -1, tree_fields),
    [LAYOUT_SCALE] = LAYOUT(1, -1, scale_fields),
    [LAYOUT_LOCK] = LAYOUT(1, -1, lock_fields),
    [LAYOUT_SUM] = LAYOUT(1, -1, sum_fields),
    [LAYOUT_FUNCTION_PROBE] = LAYOUT(1, -1, function_probe_fields),
    [LAYOUT_NOTE] = LAYOUT(1, -1, note_fields),
    [LAYOUT_SAMPLED_PROBE] = LAYOUT(1, -1, sampled_probe_fields),
    [LAYOUT_PROCESSES] = LAYOUT(1, -1, processes_fields),
    [LAYOUT_BALANCE] = LAYOUT(1, -1, balance_fields),
    [LAYOUT_GROUPS] = LAYOUT(1, -1, groups_fields),
    [LAYOUT_THREAD] = LAYOUT(1, offsetof(struct ep_thread_cell, next), thread_fields),
    [LAYOUT_MORE] = LAYOUT(1, -1, more_fields),
    [LAYOUT_PAIR] = LAYOUT(4, offsetof(struct ep_instance_cells, next), pair_fields),
    [LAYOUT_NODE] = LAYOUT(4, offsetof(struct ep_node_cell, next), node_fields),
    [LAYOUT_SAMPLING] = LAYOUT(2, -1, sampling_fields),
    [LAYOUT_FRAME] = LAYOUT(1, offsetof(struct ep_open_scope_cell, next), frame_fields),
    [LAYOUT_MODULE] = LAYOUT(1, offsetof(struct ep_module_cell, next), module_fields),
    [LAYOUT_SITE] = LAYOUT(1, offsetof(struct ep_site_cell, next), site_fields),
    [LAYOUT_INSTANCE] = LAYOUT(1, -1, instance_fields),
    [LAYOUT_DIRECTORY] = LAYOUT(1, -1, reference_fields),
    [LAYOUT_FAR] = LAYOUT(1, -1, reference_fields),
    [LAYOUT_OCTAVE] = LAYOUT(1, -1, octave_fields),
    [LAYOUT_TEXT] = LAYOUT(1, -1, text_fields),
};
