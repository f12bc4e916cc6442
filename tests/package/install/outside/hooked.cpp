// hooked.cpp - a C++ program outside the project, which does not use the library in its source:
// because of the compiler's flag its two functions are profiled, and an operator, which the
// compiler's own filter leaves out

struct number {
    int value;
};

static inline number operator+(number a, number b)
{
    return number{a.value + b.value};
}

static volatile int count; // volatile, so that the compiler keeps the changes

__attribute__((noinline)) static void step()
{
    count = (number{count} + number{1}).value;
}

int main()
{
    step();
    return count - 1;
}
