// hooked.cpp - a C++ program outside the project, which knows nothing of it: the compiler's flag
// has its two functions profiled, and an operator, which the compiler's own filter leaves out

struct number {
    int value;
};

static inline number operator+(number a, number b)
{
    return number{a.value + b.value};
}

__attribute__((noinline)) static number next(number n)
{
    return n + number{1};
}

int main()
{
    return next(number{0}).value - 1;
}
