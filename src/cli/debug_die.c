#include "debug_die.h"

#include <dwarf.h>

static const char *text(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

const char *ep_debug_die_name(Dwarf_Die *die)
{
    return text(die, DW_AT_name);
}

const char *ep_debug_die_linkage_name(Dwarf_Die *die)
{
    const char *name = text(die, DW_AT_linkage_name);
    return name ? name : text(die, DW_AT_MIPS_linkage_name); /* as it was before DWARF 4 */
}

/* dwarf_decl_file() takes file 0 for none; since DWARF 5 (6.2.4) it is the first one. */
static const char *file_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Die unit;
    Dwarf_Files *files;
    if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0 ||
        dwarf_cu_info(attribute.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
        (number == 0 && version < 5) || dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

const char *ep_debug_die_place(Dwarf_Die *die, int *line)
{
    return dwarf_decl_line(die, line) == 0 ? file_of(die) : NULL;
}
