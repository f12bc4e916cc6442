/*
 * shadow.c - a call tree from a second source: only the events of the hooks
 *
 * This library is preloaded into a program that libeprof-auto records too. It keeps a stack of
 * function addresses for each thread, without reading the stack of the program: an enter pushes, an
 * exit pops. So the tree is right if each function that is entered is also left, in any frame. At
 * exit the library writes the file that the environment variable SHADOW names:
 *
 *     NODE PARENT ADDRESS CALLS      a line for each node; addresses in the file of the program
 *     unwound COUNT                  functions that were left without their exit
 *
 * The hook of libeprof-auto, which is called after it, reads frames, so this library must not add
 * one: it preserves the registers, and ends with a jump. This works only on x86-64.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HIDDEN __attribute__((visibility("hidden")))

enum { DEPTH_MOST = 1 << 20, NODES_MOST = 1 << 22, PLACES = 1 << 16 };

struct node {
    uintptr_t function;
    uint64_t calls;
    uint32_t parent, child, sibling; /* 0: none; node 0 is the root */
};

/* The state of a function on a thread. */
struct place {
    uintptr_t function; /* 0: free */
    uint32_t open, node;
};

struct thread {
    struct thread *next;
    uint64_t unwound;
    uint32_t depth, nodes;
    struct place place[PLACES];
    uint32_t stack[DEPTH_MOST]; /* nodes */
    struct node node[NODES_MOST];
};

static __thread struct thread *self;
static struct thread *threads;

/* The hooks that the program would have called. */
HIDDEN void (*shadow_next_enter)(void *, void *), (*shadow_next_exit)(void *, void *);

static void fail(const char *what)
{
    fprintf(stderr, "shadow: %s\n", what);
    abort();
}

/* It does not use malloc(), since the program may define it. Pages that are never used take no
 * memory. */
static struct thread *begin(void)
{
    struct thread *thread = mmap(NULL, sizeof *thread, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (thread == MAP_FAILED)
        fail("no memory");
    thread->nodes = 1;
    thread->next = __atomic_load_n(&threads, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&threads, &thread->next, thread, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
        ;
    return self = thread;
}

static struct place *place_of(struct thread *thread, uintptr_t function)
{
    uint32_t at = (uint32_t)(function * UINT64_C(0x9E3779B97F4A7C15) >> 48);
    while (thread->place[at % PLACES].function && thread->place[at % PLACES].function != function)
        at++;
    thread->place[at % PLACES].function = function;
    return &thread->place[at % PLACES];
}

/* The child that is found moves to the front of the list. */
static uint32_t child_of(struct thread *thread, uint32_t parent, uintptr_t function)
{
    struct node *nodes = thread->node;
    for (uint32_t *link = &nodes[parent].child; *link; link = &nodes[*link].sibling) {
        uint32_t found = *link;
        if (nodes[found].function != function)
            continue;
        *link = nodes[found].sibling;
        nodes[found].sibling = nodes[parent].child;
        return nodes[parent].child = found;
    }
    if (thread->nodes == NODES_MOST)
        fail("too many nodes");
    uint32_t made = thread->nodes++;
    nodes[made] =
        (struct node){.function = function, .parent = parent, .sibling = nodes[parent].child};
    return nodes[parent].child = made;
}

/* A recursive call folds into the open node, as in libeprof. */
HIDDEN void shadow_note_enter(void *function)
{
    struct thread *thread = self ? self : begin();
    struct place *place = place_of(thread, (uintptr_t)function);
    uint32_t around = thread->depth ? thread->stack[thread->depth - 1] : 0;
    if (!place->open)
        place->node = child_of(thread, around, (uintptr_t)function);
    place->open++;
    thread->node[place->node].calls++;
    if (thread->depth == DEPTH_MOST)
        fail("too deep");
    thread->stack[thread->depth++] = place->node;
}

HIDDEN void shadow_note_exit(void *function)
{
    struct thread *thread = self ? self : begin();
    if (!place_of(thread, (uintptr_t)function)->open)
        return;
    for (;; thread->unwound++) {
        uintptr_t top = thread->node[thread->stack[--thread->depth]].function;
        place_of(thread, top)->open--;
        if (top == (uintptr_t)function)
            return;
    }
}

/* ---- between the program and libeprof-auto ---- */

#define HOOK(name, note, next)                                                                     \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                    \
            "push %rdi\npush %rsi\nsub $8, %rsp\n"                                                 \
            "call " #note "\n"                                                                     \
            "add $8, %rsp\npop %rsi\npop %rdi\n"                                                   \
            "jmp *" #next "(%rip)\n.size " #name ", . - " #name "\n")

HOOK(__cyg_profile_func_enter, shadow_note_enter, shadow_next_enter);
HOOK(__cyg_profile_func_exit, shadow_note_exit, shadow_next_exit);

__attribute__((constructor)) static void find_next(void)
{
    *(void **)&shadow_next_enter = dlsym(RTLD_NEXT, "__cyg_profile_func_enter");
    *(void **)&shadow_next_exit = dlsym(RTLD_NEXT, "__cyg_profile_func_exit");
}

/* ---- at exit ---- */

/* Writes the nodes of one thread after those of another; the root of each is 0. */
static void write_nodes(FILE *out, const struct thread *thread, uint32_t before)
{
    for (uint32_t i = 1; i < thread->nodes; i++) {
        const struct node *node = &thread->node[i];
        Dl_info module;
        uintptr_t base = dladdr((void *)node->function, &module) ? (uintptr_t)module.dli_fbase : 0;
        fprintf(out, "%" PRIu32 " %" PRIu32 " %016" PRIxPTR " %" PRIu64 "\n", before + i,
                node->parent ? before + node->parent : 0, node->function - base, node->calls);
    }
}

__attribute__((destructor)) static void write_all(void)
{
    const char *path = getenv("SHADOW");
    FILE *out = path ? fopen(path, "w") : NULL;
    uint64_t unwound = 0;
    uint32_t before = 0;
    if (!out)
        return;
    for (const struct thread *thread = threads; thread; thread = thread->next) {
        write_nodes(out, thread, before);
        before += thread->nodes;
        unwound += thread->unwound;
    }
    fprintf(out, "unwound %" PRIu64 "\n", unwound);
    if (fclose(out) != 0)
        fail("the tree could not be written");
}
