#include "bench_machine.h"

#include <eprof.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench_counter.h"

#define RATE_NS UINT64_C(50000000)

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The name of the processor, as Linux reports it; on aarch64 Linux reports no name. */
static void print_processor(FILE *out)
{
    char line[256], *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !name && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", strlen("model name")) == 0)
            name = strchr(line, ':');
    if (file)
        fclose(file);
    if (name)
        name[strcspn(name, "\n")] = '\0';
    fprintf(out, "%s, %ld processors\n", name ? name + 2 : "not named",
            sysconf(_SC_NPROCESSORS_ONLN));
}

static double ticks_per_us(void)
{
    uint64_t begin_ns = bench_monotonic_ns(), end_ns;
    uint64_t begin_ticks = bench_counter_read();
    do
        end_ns = bench_monotonic_ns();
    while (end_ns - begin_ns < RATE_NS);
    return (double)(bench_counter_read() - begin_ticks) / (double)(end_ns - begin_ns) * 1000;
}

static void print_system(FILE *out)
{
    struct utsname system;
    if (uname(&system) == 0)
        fprintf(out, "%s %s %s\n", system.sysname, system.release, system.machine);
    else
        fprintf(out, "not told\n");
}

static void print_date(FILE *out)
{
    char text[64];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &utc));
    fprintf(out, "%s\n", text);
}

void bench_machine_print(FILE *out, const char *prefix)
{
    fprintf(out, "%sprocessor  ", prefix);
    print_processor(out);
    fprintf(out, "%scounter    %s, %.3f MHz; source of the library: %s\n", prefix, BENCH_SOURCE,
            ticks_per_us(), eprof_source_name());
    fprintf(out, "%ssystem     ", prefix);
    print_system(out);
    fprintf(out, "%sdate       ", prefix);
    print_date(out);
    fprintf(out, "%scompiler   %s, %s\n", prefix, COMPILER, BENCH_BUILD);
    fprintf(out, "%slibrary    %s, %s\n", prefix, EPROF_VERSION_STRING, BENCH_LINKAGE);
    const char *settings = getenv("EPROF");
    if (settings)
        fprintf(out, "%ssettings   EPROF=%s\n", prefix, settings);
}
