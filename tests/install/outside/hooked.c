/* hooked.c - a C program outside the project, which knows nothing of it: the compiler's flag has
 * its two functions profiled */

__attribute__((noinline)) static int next(int number)
{
    return number + 1;
}

int main(void)
{
    return next(0) - 1;
}
