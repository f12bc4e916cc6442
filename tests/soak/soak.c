#include "soak.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void soak_fail(struct soak_worker *worker, const char *format, ...)
{
    struct soak *soak = worker->soak;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (worker->is_child) {
        dprintf(STDERR_FILENO, "a child of worker %d: %s\n", worker->number, text);
        _exit(1);
    }
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!soak->has_failed)
        snprintf(soak->failure, sizeof soak->failure, "worker %d: %s", worker->number, text);
    soak->has_failed = true;
    pthread_mutex_unlock(&lock);
}
