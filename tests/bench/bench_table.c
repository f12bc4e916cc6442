#include "bench_table.h"

#include <stdio.h>

static const char *verdict(double value, double target)
{
    if (target <= 0)
        return "";
    return value <= target ? "ok" : "over";
}

void bench_table_heading(bool is_csv)
{
    if (is_csv)
        printf("case,linkage,value,unit,raw_ns,ratio,lower_quartile,upper_quartile,target,verdict,"
               "core_use\n");
    else
        printf("%-25s %8s %8s %7s  %-15s %5s %6s\n", "case", "ns/pair", "raw", "ratio", "quartiles",
               "core", "target");
    fflush(stdout);
}

void bench_table_case(const struct bench_case *one, const struct bench_result *result, bool is_csv)
{
    const char *word = verdict(result->ratio, one->target);
    char target[16] = "";
    if (one->target > 0)
        snprintf(target, sizeof target, "%.2f", one->target);
    char core_use[16] = "";
    if (result->core_use > 0)
        snprintf(core_use, sizeof core_use, "%.3f", result->core_use);
    if (is_csv)
        printf("%s,%s,%.3f,ns,%.3f,%.4f,%.4f,%.4f,%s,%s,%s\n", one->name, BENCH_LINKAGE, result->ns,
               result->raw_ns, result->ratio, result->lower_quartile, result->upper_quartile,
               target, word, core_use);
    else
        printf("%-25s %8.2f %8.2f %7.3f  %6.3f - %6.3f %5s %6s %s\n", one->name, result->ns,
               result->raw_ns, result->ratio, result->lower_quartile, result->upper_quartile,
               core_use, target, word);
    fflush(stdout);
}

void bench_table_figure(const struct bench_figure *figure, double value, bool is_csv)
{
    const char *word = verdict(value < 0 ? -value : value, figure->target);
    char target[16] = "";
    if (figure->target > 0)
        snprintf(target, sizeof target, "%.2f", figure->target);
    if (is_csv)
        printf("%s,%s,%.3f,%s,,,,,%s,%s,\n", figure->name, BENCH_LINKAGE, value, figure->unit,
               target, word);
    else
        printf("%-25s %8.3f %-35s %6s %s\n", figure->name, value, figure->unit, target, word);
    fflush(stdout);
}

static void list_figures(const struct bench_figure *figure)
{
    for (; figure->name; figure++)
        printf("%-25s %s, in %s\n", figure->name, figure->what, figure->unit);
}

void bench_table_list(void)
{
    list_figures(bench_figures);
    for (const struct bench_case *one = bench_cases; one->name; one++)
        printf("%-25s %s\n", one->name, one->what);
    list_figures(bench_reports);
}
