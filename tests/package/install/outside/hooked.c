/* hooked.c - a C program outside the project, which does not use the library in its source: because
 * of the compiler's flag its two functions are profiled */

static volatile int count; /* volatile, so that the compiler keeps the changes */

__attribute__((noinline)) static void step(void)
{
    count = count + 1;
}

int main(void)
{
    step();
    return count - 1;
}
