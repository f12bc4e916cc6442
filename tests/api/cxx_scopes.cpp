#include "cxx_scopes.h"

#include <eprof.h>

#include <stdexcept>

namespace
{

struct failure {
};

/* The compiler must not see that it always throws. */
volatile bool is_failing = true;

void fail()
{
    if (is_failing)
        throw failure();
}

/* ------------------------------------------------------------- exceptions -- */

void third()
{
    EPROF_SCOPE("third");
    pass(1);
    fail();
    pass(1000000);
}

void second()
{
    EPROF_SCOPE("second");
    pass(10);
    third();
    pass(1000000);
}

void first()
{
    EPROF_SCOPE("first");
    pass(100);
    EPROF_BLOCK("block") second();
    pass(1000000);
}

void catch_and_rethrow()
{
    EPROF_SCOPE("rethrows");
    try {
        second();
    } catch (const failure &) {
        EPROF_SCOPE("catch");
        pass(1000);
        throw;
    }
}

class unfinished
{
  public:
    unfinished()
    {
        EPROF_SCOPE("constructor");
        pass(1);
        fail();
    }
};

void recurse(int depth)
{
    EPROF_SCOPE("recurse");
    pass(1);
    if (depth > 0)
        recurse(depth - 1);
    fail();
    pass(1000000);
}

void throw_within_manual()
{
    EPROF_SCOPE("macro");
    eprof_enter("manual");
    pass(1);
    fail();
    eprof_leave();
}

} // namespace

void cxx_throw_across_three_scopes()
{
    EPROF_SCOPE("test");
    for (int i = 0; i < 3; i++) {
        try {
            first();
        } catch (const failure &) {
            pass(1000);
        }
        EPROF_BLOCK("after") pass(10000);
    }
}

void cxx_catch_inside_a_scope()
{
    EPROF_SCOPE("test");
    try {
        EPROF_SCOPE("try");
        pass(1);
        fail();
    } catch (const failure &) {
        EPROF_SCOPE("catch");
        pass(10);
    }
    EPROF_SCOPE("after");
    pass(100);
}

void cxx_rethrow()
{
    EPROF_SCOPE("test");
    try {
        catch_and_rethrow();
    } catch (const failure &) {
        EPROF_SCOPE("caught");
        pass(10000);
    }
}

void cxx_throw_out_of_a_constructor()
{
    EPROF_SCOPE("test");
    try {
        unfinished object;
        (void)object;
    } catch (const failure &) {
    }
    EPROF_SCOPE("after");
}

void cxx_throw_across_recursion()
{
    EPROF_SCOPE("test");
    try {
        recurse(9);
    } catch (const failure &) {
    }
    EPROF_SCOPE("after");
}

void cxx_throw_across_manual_scopes()
{
    EPROF_SCOPE("test");
    try {
        throw_within_manual();
    } catch (const failure &) {
    }
    EPROF_SCOPE("after");
}

/* ------------------------------------------------------------------- names -- */

namespace
{

template <typename value_type> class counter
{
  public:
    virtual ~counter() = default;
    virtual void count()
    {
        EPROF_FUNC;
        pass(sizeof(value_type));
    }
};

template <typename value_type, int times> void repeat()
{
    EPROF_FUNC;
    pass(static_cast<uint64_t>(times) * sizeof(value_type));
}

class base
{
  public:
    virtual ~base() = default;
    virtual void act()
    {
        EPROF_FUNC;
        pass(1);
    }
};

class derived : public base
{
  public:
    void act() override
    {
        EPROF_FUNC;
        pass(10);
        base::act();
    }
};

void overloaded(int)
{
    EPROF_FUNC;
    pass(1);
}

void overloaded(double)
{
    EPROF_FUNC;
    pass(10);
}

struct number {
    int operator+(const number &) const
    {
        EPROF_FUNC;
        pass(100);
        return 0;
    }
};

struct ending {
    ~ending()
    {
        EPROF_SCOPE("destructor");
        pass(10);
    }
};

} // namespace

void cxx_templates()
{
    counter<char> chars;
    counter<double> doubles;
    counter<char> *char_counter = &chars;
    counter<double> *double_counter = &doubles;
    for (int i = 0; i < 2; i++) {
        char_counter->count();
        double_counter->count();
        repeat<char, 3>();
        repeat<char, 5>();
    }
}

void cxx_virtuals()
{
    base one;
    derived other;
    base *const objects[] = {&one, &other, &one};
    for (base *object : objects)
        object->act();
}

void cxx_lambdas()
{
    auto one = [] {
        EPROF_FUNC;
        pass(1);
    };
    auto other = [] {
        EPROF_FUNC;
        pass(10);
    };
    one();
    other();
    one();
}

void cxx_overloads_and_operators()
{
    overloaded(1);
    overloaded(1.0);
    pass(static_cast<uint64_t>(number() + number()));
}

/* ------------------------------------------------------------------ blocks -- */

void cxx_leave_loops()
{
    EPROF_SCOPE("test");
    for (int i = 0; i < 6; i++) {
        EPROF_SCOPE("round");
        pass(1);
        if (i % 2)
            continue;
        EPROF_BLOCK("block")
        {
            pass(10);
            if (i == 2)
                break;
            pass(100);
        }
        if (i == 4)
            break;
    }
}

/* The object that is created after the scope is destroyed before the scope ends. */
void cxx_destructor_is_inside()
{
    EPROF_SCOPE("test");
    ending before;
    {
        EPROF_SCOPE("block");
        ending inside;
        pass(1);
    }
}
