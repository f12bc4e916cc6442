// template.hpp - a function of which two files of a program have a copy

template <typename number> __attribute__((noinline)) number twice(number value)
{
    return value + value;
}

int other(int value);
