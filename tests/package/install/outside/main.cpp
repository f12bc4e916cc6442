// main.cpp - a C++ program outside the project, which profiles one region
#include <eprof.hpp>

int main()
{
    const eprof::timer outside("outside");
    {
        eprof::pair pair(outside);
    }
    eprof_print();
}
