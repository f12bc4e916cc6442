/*
 * selection.c - prints the first bytes of functions, which show whether their entries are patched
 *
 * It is compiled twice: as a program, and with LIBRARY as a library that the program opens. The
 * argument is the path of the library. The program prints for each function a line `NAME BYTES`.
 */
#include <dlfcn.h>
#include <stdio.h>

#define KEPT __attribute__((noinline))

void library_show(void);

/* The mark of -fcf-protection, the entry, and what follows. */
static void show(const char *name, int (*function)(int))
{
    enum { BYTES = 4 + 5 + 3 };
    const unsigned char *code = (const unsigned char *)(void *)function;
    printf("%s ", name);
    for (int i = 0; i < BYTES; i++)
        printf("%02x", code[i]);
    printf("\n");
}

#ifdef LIBRARY
#define OWN(name) library_##name
#else
#define OWN(name) program_##name
#endif

KEPT int OWN(one)(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n * 3;
}

KEPT int OWN(other)(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n * 5;
}

static KEPT int OWN(local)(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n * 7;
}

static void show_all(const char *one, const char *other, const char *local)
{
    show(one, OWN(one));
    show(other, OWN(other));
    show(local, OWN(local));
}

#ifdef LIBRARY
void library_show(void)
{
    show_all("library_one", "library_other", "library_local");
}
#else
int main(int count, char **arguments)
{
    show_all("program_one", "program_other", "program_local");
    void *library = dlopen(count > 1 ? arguments[1] : "", RTLD_NOW);
    void (*library_shows)(void) = library ? (void (*)(void))dlsym(library, "library_show") : NULL;
    if (!library_shows)
        return 1;
    library_shows();
    /* what was recorded is no matter */
    return OWN(one)(0) + OWN(other)(0) + OWN(local)(0);
}
#endif
