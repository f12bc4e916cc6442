/* hooked.c - a C program outside the project, which knows nothing of it: the compiler's flag has
 * its two functions profiled */

static volatile int count; /* what is done with it cannot be left out */

__attribute__((noinline)) static void step(void)
{
    count = count + 1;
}

int main(void)
{
    step();
    return count - 1;
}
