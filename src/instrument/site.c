#include "instrument/site.h"

#include <string.h>

#include "base/platform.h"
#include "base/utf8.h"
#include "record/process_lock.h"

/* The fields that distinguish a site from others. */
struct contents {
    const char *file, *label;
    uint32_t file_bytes, label_bytes, line, hash;
    ep_ref module;     /* of a function, which otherwise has only a hash; 0: no function */
    uint64_t function; /* of any other site its kind, and from bit 8 on budget_ns */
};

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_bytes(uint32_t hash, const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return hash;
}

uint32_t ep_site_kept_bytes(const char *text)
{
    size_t bytes = strnlen(text, EP_LABEL_BYTES + 4); /* enough to see a character cut in two */
    return (uint32_t)ep_utf8_cut(text, bytes, EP_LABEL_BYTES);
}

static struct contents contents_of(const char *file, uint32_t line, const char *label)
{
    struct contents contents = {
        .file = file ? file : "", .label = label ? label : "", .line = line};
    contents.file_bytes = ep_site_kept_bytes(contents.file);
    contents.label_bytes = ep_site_kept_bytes(contents.label);
    uint32_t hash = hash_bytes(UINT32_C(2166136261), contents.label, contents.label_bytes);
    hash = hash_bytes(hash, contents.file, contents.file_bytes);
    contents.hash = (hash ^ line) * UINT32_C(0x9E3779B1); /* spreads the line over the upper bits */
    return contents;
}

/* A function is compared without its label: it may have got a name meanwhile. */
static bool is_site(const struct ep_site_cell *site, const struct contents *contents)
{
    if (site->module || contents->module)
        return site->module == contents->module && site->function == contents->function;
    const struct ep_image *image = &ep_process.image;
    return site->hash == contents->hash && site->line == contents->line &&
           site->label_bytes == contents->label_bytes && site->file_bytes == contents->file_bytes &&
           memcmp(ep_image_string(image, site->label), contents->label, site->label_bytes) == 0 &&
           memcmp(ep_image_string(image, site->file), contents->file, site->file_bytes) == 0;
}

/* Where the reference to the site is, or 0 if there is none. Each level uses two bits of the hash;
 * when all are used, the first child. The acquire pairs with the release in find_or_make(). */
static ep_ref *find(const struct contents *contents)
{
    ep_ref *link = &ep_image_tree(&ep_process.image)->site_index;
    uint32_t hash = contents->hash;
    ep_ref ref;
    while ((ref = ep_load_acquire(link)) != 0) {
        struct ep_site_cell *site = &ep_process.image.cells[ref].site;
        if (is_site(site, contents))
            break;
        link = &site->child[hash >> 30];
        hash <<= 2;
    }
    return link;
}

static bool set_text(ep_ref *text, const char *bytes, uint32_t count)
{
    uint32_t cells;
    *text = count ? ep_image_text(&ep_process.image, bytes, count, &cells) : 0;
    return *text || !count;
}

/* If there is no room for all texts of a site, a few cells are lost. Lock. */
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
    if (contents->module) {
        site->function = contents->function;
    } else {
        site->kind = contents->function & UINT8_MAX;
        site->budget_ns = contents->function >> 8;
    }
    site->number = tree->site_count + 1;
    /* counted by the limit: a program may make up labels without end */
    uint64_t bytes = EP_CELL_BYTES + contents->label_bytes + contents->file_bytes;
    ep_store(&tree->taken_bytes, tree->taken_bytes + bytes);
    ep_store(&tree->site_count, site->number);
    ep_ref last = tree->last_site;
    /* pairs with the snapshot's acquire */
    ep_store_release(last ? &ep_process.image.cells[last].site.next : &tree->sites, ref);
    tree->last_site = ref;
    return ref;
}

static uint32_t number_at(const ep_ref *link)
{
    ep_ref ref = ep_load_acquire(link);
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
    ep_ref *link = find(contents); /* another thread may have made it meanwhile */
    if (!*link)
        ep_store_release(link, make(contents)); /* pairs with find() and number_at() */
    number = number_at(link);
    ep_process_mutex_unlock();
    return number;
}

uint32_t ep_site_number(const char *file, uint32_t line, const char *label)
{
    struct contents contents = contents_of(file, line, label);
    return find_or_make(&contents);
}

/* No other comparison is needed: sites of the same text have different hashes. */
static struct contents contents_of_kind(const struct eprof_site *site, const char *label,
                                        enum ep_site_kind kind)
{
    struct contents contents = contents_of(site->file, site->line, label);
    contents.function = kind;
    contents.hash += (uint32_t)kind * UINT32_C(0x85EBCA6B);
    return contents;
}

uint32_t ep_site_of_kind(const struct eprof_site *site, enum ep_site_kind kind)
{
    struct contents contents = contents_of_kind(site, site->label, kind);
    return find_or_make(&contents);
}

uint32_t ep_site_of_excess(const struct eprof_site *frame, uint64_t budget_ns)
{
    struct contents contents = contents_of_kind(frame, "over budget", EP_SITE_OVER);
    contents.function |= budget_ns << 8;
    uint32_t number = find_or_make(&contents);
    ep_ref ref = ep_load_acquire(find(&contents));
    if (ref) {
        uint64_t *first_ns = &ep_process.image.cells[ref].site.budget_ns;
        if (ep_load(first_ns) != budget_ns && ep_load(first_ns) != EP_BUDGET_VARIES)
            ep_store(first_ns, EP_BUDGET_VARIES);
    }
    return number;
}

uint32_t ep_site_of_function(ep_ref module, uint64_t function)
{
    uint64_t hash = (function + module) * UINT64_C(0x9E3779B97F4A7C15); /* Fibonacci (Knuth, 6.4) */
    struct contents contents = {.file = "",
                                .label = "",
                                .hash = (uint32_t)(hash >> 32),
                                .module = module,
                                .function = function};
    return find_or_make(&contents);
}

/* ---- sites for programs that make names at run time ---- */

/* A trie by the scrambled number, as that of the sites in the image. */
struct named_site {
    struct eprof_site site;
    struct named_site *child[4];
};

static struct named_site *named_root, *unused;
static uint32_t unused_count;

/* They stay until the library is unloaded (ep_process_release()). */
static struct named_site *take_named(void)
{
    enum { SITES = 64 }; /* one page */
    if (!unused_count) {
        unused = ep_platform_allocate_kept(SITES * sizeof *unused);
        unused_count = unused ? SITES : 0;
    }
    if (!unused_count)
        return NULL;
    unused_count--;
    return unused++;
}

struct eprof_site *ep_site_named(uint32_t number)
{
    struct named_site **link = &named_root;
    uint32_t hash = number * UINT32_C(0x9E3779B1); /* Fibonacci (Knuth, 6.4) */
    for (; *link; hash <<= 2) {
        if ((*link)->site.number == number)
            return &(*link)->site;
        link = &(*link)->child[hash >> 30];
    }
    struct named_site *named = take_named();
    if (!named)
        return NULL;
    named->site = (struct eprof_site){.offset = EPROF_NO_OFFSET};
    ep_site_set_number(&named->site, number);
    *link = named;
    return &named->site;
}
