#include "subject.h"

#include <stddef.h>

enum {
    TREE = SUBJECT_SAYS_TREE,
    COMPLAINS = SUBJECT_COMPLAINS,
    PRINTS = SUBJECT_PRINTS,
    VARIES = SUBJECT_VARIES,
    LACKS = SUBJECT_LACKS,
    PROFILE = SUBJECT_HAS_PROFILE
};

#define HOST(name, promises)                                                                       \
    {                                                                                              \
#name, "host " #name, NULL, promises                                                       \
    }
#define HOST_WITH(name, chapter, items)                                                            \
    {                                                                                              \
        name, "host " chapter, items, TREE                                                         \
    }

const struct subject subjects_host[] = {
    HOST(instances, 0),
    HOST(spans, 0),
    HOST(scopes, TREE),
    HOST(functions, TREE),
    HOST(holds, 0),
    HOST(control, 0),
    HOST(sources, TREE),
    HOST(threads, 0),
    HOST(snapshots, 0),
    HOST(table, 0),
    HOST(tree, 0),
    HOST(csv, 0),
    HOST(json, 0),
    HOST(html, 0),
    HOST(folded, 0),
    HOST(speedscope, 0),
    HOST(callgrind, 0),
    HOST(openmetrics, 0),
    HOST(openmetrics_again, 0),
    HOST(print, PRINTS),
    HOST(save, PROFILE),
    HOST(setup, TREE),
    HOST(forks, TREE),
    HOST_WITH("exit_reports", "at_exit", "csv=out,html=new,tree,json:threads=more"),
    HOST_WITH("exit_functions", "functions", "csv=out,table"),
    {"exit_image", "host at_exit", "image=out,csv=new", TREE | PROFILE},
    /* without memory for its items the program runs as if it had none */
    {"exit_off", "host at_exit_off", "off,image=out", TREE | PROFILE},
    {"image_grows", "host grow", "image=out", COMPLAINS | PROFILE},
    {"image_is_limited", "host scopes", "image=out,limit=64K", TREE | PROFILE},
    {"image_of_forks", "host forks", "image=out-%p", TREE},
    {"image_of_threads", "host threads", "image=out", COMPLAINS | PROFILE},
    {"image_of_functions", "host functions", "image=out,auto=*", TREE | PROFILE},
    HOST_WITH("forks_report", "forks", "csv=out,tree"),
    HOST_WITH("items", "at_exit", "no such item,source=none,auto=nothing,limit=64K,csv=out"),
    {NULL, NULL, NULL, 0},
};

#define COMMAND(name, words)                                                                       \
    {                                                                                              \
        name, "eprof " words, NULL, COMPLAINS                                                      \
    }
#define REPORT(format) COMMAND(#format, "report --format=" #format " ../one -o out")

const struct subject subjects_command[] = {
    REPORT(table),
    REPORT(tree),
    REPORT(csv),
    REPORT(json),
    REPORT(html),
    REPORT(folded),
    REPORT(speedscope),
    REPORT(callgrind),
    REPORT(openmetrics),
#ifdef EPROF_PPROF
    REPORT(pprof),
#endif
    COMMAND("stdout", "report ../one"),
    COMMAND("new", "report --format=csv ../one -o new"),
    {"onto_profile", "eprof report ../one -o out", NULL, COMPLAINS | PROFILE},
    COMMAND("sum", "report ../one ../two"),
    COMMAND("view",
            "report --sort=calls --filter=ste --top=3 --thread=worker --color=always ../one"),
    COMMAND("focus", "report --focus=step --raw ../one"),
    {"functions", "eprof report ../hooked", NULL, COMPLAINS | LACKS},
    {"merge", "eprof merge -o out ../one ../two", NULL, COMPLAINS | PROFILE},
    {"merge_functions", "eprof merge -o out ../hooked ../hooked", NULL,
     COMPLAINS | LACKS | PROFILE},
    COMMAND("diff", "diff ../one ../two"),
    COMMAND("diff_csv", "diff --format=csv ../one ../two -o out"),
    COMMAND("diff_json", "diff --format=json ../one ../two -o out"),
    COMMAND("diff_html", "diff --format=html ../one ../two -o out"),
    COMMAND("diff_sides", "diff --before ../one ../two --after ../two ../one"),
    {"run", "eprof run -o out -- ../recorder status word", NULL,
     COMPLAINS | TREE | VARIES | PROFILE},
    {"run_quiet", "eprof run -q -o new -- ../recorder", NULL, COMPLAINS | VARIES},
    {"run_twice", "eprof run --repeat=2 -o out -- ../recorder", NULL,
     COMPLAINS | TREE | VARIES | PROFILE},
    {"run_forks", "eprof run -o out -- ../recorder fork", NULL,
     COMPLAINS | TREE | VARIES | PROFILE},
    {"run_nothing", "eprof run -- ../no_such_program", NULL, COMPLAINS},
    {"top", "eprof top --count=2 --interval=0.1 ../one", NULL, COMPLAINS | VARIES},
#ifdef EPROF_SYMBOLS
    {"symbolize", "eprof symbolize", NULL,
     COMPLAINS | VARIES}, /* it reports what it could not read */
#endif
    COMMAND("help", "--help"),
    {NULL, NULL, NULL, 0},
};
