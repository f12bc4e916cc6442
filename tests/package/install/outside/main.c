/* main.c - a C program outside the project, which profiles one region */
#include <eprof.h>

int main(void)
{
    int id = eprof_alloc("outside");

    eprof_start(id);
    eprof_stop(id);
    eprof_print();
    return 0;
}
