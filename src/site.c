#include "site.h"

#include <string.h>

#include "utf8.h"

/* What a site is told from others by. */
struct contents {
    const char *file, *label;
    uint32_t file_bytes, label_bytes, line, hash;
    ep_ref module; /* of a function, which has nothing of these but a hash; 0: it is none */
    uint64_t function;
};

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_bytes(uint32_t hash, const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return hash;
}

static uint32_t kept_bytes(const char *text)
{
    size_t bytes = strnlen(text, EP_LABEL_BYTES + 4); /* enough to see a character cut in two */
    return (uint32_t)ep_utf8_cut(text, bytes, EP_LABEL_BYTES);
}

static struct contents contents_of(const char *file, uint32_t line, const char *label)
{
    struct contents contents = {
        .file = file ? file : "", .label = label ? label : "", .line = line};
    contents.file_bytes = kept_bytes(contents.file);
    contents.label_bytes = kept_bytes(contents.label);
    uint32_t hash = hash_bytes(UINT32_C(2166136261), contents.label, contents.label_bytes);
    hash = hash_bytes(hash, contents.file, contents.file_bytes);
    contents.hash = (hash ^ line) * UINT32_C(0x9E3779B1); /* the line into the upper bits */
    return contents;
}

static struct contents contents_of_function(ep_ref module, uint64_t function)
{
    uint64_t hash = (function + module) * UINT64_C(0x9E3779B97F4A7C15); /* Fibonacci (Knuth, 6.4) */
    return (struct contents){.file = "",
                             .label = "",
                             .hash = (uint32_t)(hash >> 32),
                             .module = module,
                             .function = function};
}

static bool is_text(ep_ref text, uint32_t text_bytes, const char *bytes, uint32_t count)
{
    return text_bytes == count &&
           memcmp(ep_image_string(&ep_process.image, text), bytes, count) == 0;
}

/* A function may have got its name meanwhile. */
static bool is_site(const struct ep_site_cell *site, const struct contents *contents)
{
    if (site->module || contents->module)
        return site->module == contents->module && site->function == contents->function;
    return site->hash == contents->hash && site->line == contents->line &&
           is_text(site->label, site->label_bytes, contents->label, contents->label_bytes) &&
           is_text(site->file, site->file_bytes, contents->file, contents->file_bytes);
}

/* Where the reference to the site is; 0 stands there if there is none. Two bits of the hash
 * a level, and when they are used up, always the first child. */
static ep_ref *find(const struct contents *contents)
{
    ep_ref *place = &ep_image_tree(&ep_process.image)->site_index;
    uint32_t hash = contents->hash;
    ep_ref ref;
    while ((ref = ep_load_acquire(place)) != 0) {
        struct ep_site_cell *site = &ep_process.image.cells[ref].site;
        if (is_site(site, contents))
            break;
        place = &site->child[hash >> 30];
        hash <<= 2;
    }
    return place;
}

static bool set_text(ep_ref *text, const char *bytes, uint32_t count)
{
    uint32_t cells;
    *text = count ? ep_image_text(&ep_process.image, bytes, count, &cells) : 0;
    return *text || !count;
}

/* What is lost when the texts of a site do not all find room is a few cells. Lock. */
static ep_ref make(const struct contents *contents)
{
    struct ep_tree_cell *tree = ep_image_tree(&ep_process.image);
    ep_ref ref = ep_image_take(&ep_process.image, 1);
    if (!ref)
        return 0;
    struct ep_site_cell *site = &ep_process.image.cells[ref].site;
    if (!set_text(&site->label, contents->label, contents->label_bytes) ||
        !set_text(&site->file, contents->file, contents->file_bytes))
        return 0;
    site->line = contents->line;
    site->label_bytes = contents->label_bytes;
    site->file_bytes = contents->file_bytes;
    site->hash = contents->hash;
    site->module = contents->module;
    site->function = contents->function;
    site->number = tree->site_count + 1;
    /* the limit counts them too: a program may make up labels without end */
    uint64_t bytes = EP_CELL_BYTES + contents->label_bytes + contents->file_bytes;
    ep_store(&tree->taken_bytes, tree->taken_bytes + bytes);
    ep_store(&tree->site_count, site->number);
    ep_ref last = tree->last_site;
    /* pairs with the snapshot's acquire */
    ep_store_release(last ? &ep_process.image.cells[last].site.next : &tree->sites, ref);
    tree->last_site = ref;
    return ref;
}

static uint32_t number_at(const ep_ref *place)
{
    ep_ref ref = ep_load_acquire(place);
    return ref ? ep_process.image.cells[ref].site.number : 0;
}

uint32_t ep_site_known(const char *file, uint32_t line, const char *label)
{
    struct contents contents = contents_of(file, line, label);
    return number_at(find(&contents));
}

static uint32_t find_or_make(const struct contents *contents)
{
    uint32_t number = number_at(find(contents));
    if (number)
        return number;
    ep_process_mutex_lock();
    ep_ref *place = find(contents); /* it may have come meanwhile */
    ep_ref ref = *place;
    if (!ref && (ref = make(contents)) != 0)
        ep_store_release(place, ref); /* pairs with the acquires in find() */
    number = number_at(place);
    ep_process_mutex_unlock();
    return number;
}

uint32_t ep_site_number(const char *file, uint32_t line, const char *label)
{
    struct contents contents = contents_of(file, line, label);
    return find_or_make(&contents);
}

uint32_t ep_site_of_function(ep_ref module, uint64_t function)
{
    struct contents contents = contents_of_function(module, function);
    return find_or_make(&contents);
}
