/* scopes.c - a program outside the project with one scope in another */
#include <eprof.h>

int main(void)
{
    EPROF_SCOPE("outside");
    for (int i = 0; i < 100; i++)
        EPROF_BLOCK("inside")
        {
        }
    return 0;
}
