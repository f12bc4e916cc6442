/* main.c - the program `eprof-serve`, by which `eprof serve` is executed (cli/child.h) */
#include <string.h>

#include "cli/commands.h"
#include "cli/usage.h"

int main(int argc, char **argv)
{
    char name[] = "eprof serve";
    ep_usage_begin();
#ifdef EPROF_SYMBOLS
    /* it starts itself to look up names (cli/load.c); a folder may have that name, too */
    if (argc > 1 && strcmp(argv[0], EP_COMMAND_ITSELF) == 0 && strcmp(argv[1], "symbolize") == 0)
        return ep_symbolize_command(argc - 1, argv + 1);
#endif
    if (argc > 0)
        argv[0] = name;
    return ep_serve_command(argc, argv);
}
