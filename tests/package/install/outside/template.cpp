// template.cpp - a C++ program of two files that share a template; its second file is
// template_other.cpp

#include "template.hpp"

int main()
{
    return twice(1) + other(2) - 10;
}
