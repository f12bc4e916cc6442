// hooked.cpp - a C++ program outside the project, which knows nothing of it: the compiler's flag
// has its two functions profiled, and an operator, which the compiler's own filter leaves out

struct number {
    int value;
};

static inline number operator+(number a, number b)
{
    return number{a.value + b.value};
}

static volatile int count; // what is done with it cannot be left out

__attribute__((noinline)) static void step()
{
    count = (number{count} + number{1}).value;
}

int main()
{
    step();
    return count - 1;
}
