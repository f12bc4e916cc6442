#include "entries.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unwind_table.h"

/* The search marks each entry in a bit map of the code, which sorts them and drops duplicates. */
struct search {
    const struct dl_phdr_info *info;
    uintptr_t callee;
    const ElfW(Phdr) * segment; /* of the last entry that was looked at */
    uintptr_t begin, end;       /* of all code */
    uint64_t *marks;            /* a bit for each byte of it; NULL: no entry is found yet */
    size_t count;
    bool is_short; /* of memory */
};

/* ---- memory: not from malloc(), which the program may define, with entries ---- */

static void *allocate(size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

static size_t bytes_of_marks(const struct search *search)
{
    return (search->end - search->begin) / 64 * sizeof(uint64_t) + sizeof(uint64_t);
}

void ep_entries_free(struct ep_entries *entries)
{
    if (entries->at)
        munmap(entries->at, entries->room * sizeof *entries->at);
    *entries = (struct ep_entries){.count = 0};
}

/* ---- one entry ---- */

static bool contains(const struct dl_phdr_info *info, const ElfW(Phdr) * segment, uintptr_t address)
{
    return address - (info->dlpi_addr + segment->p_vaddr) < segment->p_filesz;
}

const ElfW(Phdr) *
    ep_entries_segment(const struct dl_phdr_info *info, uintptr_t address, uint32_t flags)
{
    flags |= PF_R;
    for (const ElfW(Phdr) *at = info->dlpi_phdr; at < info->dlpi_phdr + info->dlpi_phnum; at++)
        if (at->p_type == PT_LOAD && (at->p_flags & flags) == flags && contains(info, at, address))
            return at;
    return NULL;
}

/* gcc writes five single nops, clang one nop of five bytes. The one by which assemblers align a
 * loop at the beginning of a function ends with 0, not with 8. */
static bool is_nops(const unsigned char *code)
{
    return memcmp(code, "\x90\x90\x90\x90\x90", 5) == 0 ||
           memcmp(code, "\x0f\x1f\x44\x00\x08", 5) == 0;
}

static bool is_call(const unsigned char *code, uintptr_t callee)
{
    int32_t distance;
    memcpy(&distance, code + 1, sizeof distance);
    return *code == 0xe8 && (uintptr_t)code + EP_ENTRIES_BYTES + (uintptr_t)distance == callee;
}

/* A landing mark for indirect calls (-fcf-protection) comes before the nops. */
static uintptr_t after_mark(uintptr_t address, size_t bytes)
{
    return bytes >= 4 && memcmp((const void *)address, "\xf3\x0f\x1e\xfa", 4) == 0 ? address + 4
                                                                                   : address;
}

static void mark(struct search *search, uintptr_t entry)
{
    if (!search->marks)
        search->marks = allocate(bytes_of_marks(search));
    if (!search->marks) {
        search->is_short = true;
        return;
    }
    uint64_t *word = &search->marks[(entry - search->begin) / 64];
    uint64_t bit = UINT64_C(1) << (entry - search->begin) % 64;
    search->count += !(*word & bit);
    *word |= bit;
}

/* Looks for an entry where a function may begin. is_listed: by the compiler's list. */
static void look_at(struct search *search, uintptr_t address, bool is_listed)
{
    if (!search->segment || !contains(search->info, search->segment, address))
        search->segment = ep_entries_segment(search->info, address, PF_X);
    const ElfW(Phdr) *segment = search->segment;
    if (!segment)
        return;
    uintptr_t end = search->info->dlpi_addr + segment->p_vaddr + segment->p_filesz;
    uintptr_t entry = after_mark(address, end - address);
    const unsigned char *code = (const unsigned char *)entry;
    bool is_aligning = !is_listed && end - entry > EP_ENTRIES_BYTES && *code == 0x90 &&
                       code[EP_ENTRIES_BYTES] == 0x90;
    if (end - entry >= EP_ENTRIES_BYTES && !is_aligning &&
        (search->callee ? is_call(code, search->callee) : is_nops(code)))
        mark(search, entry);
}

/* ---- the unwind table ---- */

/* false: there is no such table. */
static bool look_at_unwind_table(struct search *search)
{
    const struct dl_phdr_info *info = search->info;
    const ElfW(Phdr) *at = info->dlpi_phdr, *end = at + info->dlpi_phnum;
    while (at < end && at->p_type != PT_GNU_EH_FRAME)
        at++;
    if (at == end || at->p_memsz < sizeof(struct ep_unwind_table))
        return false;
    const struct ep_unwind_table *table = (const void *)(info->dlpi_addr + at->p_vaddr);
    if (!ep_unwind_table_is_known(table) ||
        table->count > (at->p_memsz - sizeof *table) / sizeof *table->rows)
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        look_at(search, (uintptr_t)table + (uintptr_t)table->rows[i].function, false);
    return true;
}

/* ---- the file: where the list is, and .eh_frame, where the program has no table of it ---- */

static bool read_at(int file, uint64_t offset, void *to, size_t bytes)
{
    return pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Whether the file has the segments of the module, which may have been replaced since. */
static bool is_file_of(const struct dl_phdr_info *info, int file, const ElfW(Ehdr) * header)
{
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phnum != info->dlpi_phnum ||
        header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_shentsize != sizeof(ElfW(Shdr)))
        return false;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        ElfW(Phdr) segment;
        if (!read_at(file, header->e_phoff + i * sizeof segment, &segment, sizeof segment) ||
            memcmp(&segment, &info->dlpi_phdr[i], sizeof segment) != 0)
            return false;
    }
    return true;
}

static bool is_readable(const struct search *search, uintptr_t at, size_t bytes)
{
    const ElfW(Phdr) *segment = ep_entries_segment(search->info, at, 0);
    return segment && at + bytes > at && contains(search->info, segment, at + bytes - 1);
}

static void look_at_list(struct search *search, const ElfW(Shdr) * section)
{
    uintptr_t at = search->info->dlpi_addr + section->sh_addr;
    uintptr_t end = at + section->sh_size / sizeof(uintptr_t) * sizeof(uintptr_t);
    if (!is_readable(search, at, section->sh_size))
        return;
    for (; at < end; at += sizeof(uintptr_t))
        look_at(search, *(const uintptr_t *)at, true);
}

/* .eh_frame (Linux Standard Base Core 5.0, 10.6.1): records with their length, each that of a
 * function or what several have in common. All compilers write the beginning of a function as
 * distance of 4 bytes from there; with another form, what is found has no nops. */
static void look_at_frames(struct search *search, const ElfW(Shdr) * section)
{
    struct {
        uint32_t length, common; /* common: how far before it that begins; 0: this is it */
        int32_t function;
    } record;
    uintptr_t at = search->info->dlpi_addr + section->sh_addr;
    if (!is_readable(search, at, section->sh_size))
        return;
    for (size_t left = section->sh_size; left >= sizeof record;) {
        memcpy(&record, (const void *)at, sizeof record);
        size_t length = sizeof record.length + record.length; /* 0: a mark of an end */
        if (length > left)
            return;
        if (record.length && record.common)
            look_at(search, at + 8 + (uintptr_t)record.function, false);
        at += length;
        left -= length;
    }
}

static void look_at_sections(struct search *search, int file, const ElfW(Ehdr) * header,
                             bool with_frames)
{
    char name[sizeof "__patchable_function_entries"] = "";
    ElfW(Shdr) names, section;
    if (!read_at(file, header->e_shoff + header->e_shstrndx * sizeof names, &names, sizeof names))
        return;
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (!read_at(file, header->e_shoff + i * sizeof section, &section, sizeof section))
            return;
        if (!(section.sh_flags & SHF_ALLOC) ||
            pread(file, name, sizeof name, (off_t)(names.sh_offset + section.sh_name)) <= 0)
            continue;
        if (strncmp(name, "__patchable_function_entries", sizeof name) == 0)
            look_at_list(search, &section);
        else if (with_frames && strncmp(name, ".eh_frame", sizeof name) == 0)
            look_at_frames(search, &section);
    }
}

static void look_at_file(struct search *search, const char *path, bool with_frames)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ElfW(Ehdr) header;
    if (read_at(file, 0, &header, sizeof header) && is_file_of(search->info, file, &header))
        look_at_sections(search, file, &header, with_frames);
    close(file);
}

/* ---- all ---- */

static void find_code(struct search *search)
{
    const struct dl_phdr_info *info = search->info;
    search->begin = UINTPTR_MAX;
    for (const ElfW(Phdr) *at = info->dlpi_phdr; at < info->dlpi_phdr + info->dlpi_phnum; at++) {
        uintptr_t begin = info->dlpi_addr + at->p_vaddr, end = begin + at->p_filesz;
        if (at->p_type != PT_LOAD || !(at->p_flags & PF_X))
            continue;
        if (begin < search->begin)
            search->begin = begin;
        if (end > search->end)
            search->end = end;
    }
}

static int list_marks(const struct search *search, struct ep_entries *entries)
{
    if (!search->count)
        return 0;
    entries->room = search->count;
    entries->at = allocate(entries->room * sizeof *entries->at);
    if (!entries->at)
        return -1;
    for (size_t i = 0; i < bytes_of_marks(search) / sizeof *search->marks; i++)
        for (uint64_t word = search->marks[i]; word; word &= word - 1)
            entries->at[entries->count++] =
                search->begin + i * 64 + (unsigned)__builtin_ctzll(word);
    return 0;
}

int ep_entries_find(const struct dl_phdr_info *info, const char *path, uintptr_t callee,
                    struct ep_entries *entries)
{
    struct search search = {.info = info, .callee = callee};
    *entries = (struct ep_entries){.count = 0};
    find_code(&search);
    bool has_unwind_table = look_at_unwind_table(&search);
    look_at_file(&search, path, !has_unwind_table);
    int result = search.is_short ? -1 : list_marks(&search, entries);
    if (search.marks)
        munmap(search.marks, bytes_of_marks(&search));
    return result;
}

#endif
