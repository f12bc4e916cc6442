#include "cxx_objects.h"

#include <eprof.hpp>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __cpp_impl_coroutine
#include <coroutine>
#endif

namespace
{

static_assert(!std::is_copy_constructible<eprof::scope>::value &&
                  !std::is_move_constructible<eprof::scope>::value &&
                  !std::is_copy_constructible<eprof::timer>::value &&
                  std::is_nothrow_move_constructible<eprof::timer>::value &&
                  std::is_nothrow_move_assignable<eprof::timer>::value &&
                  std::is_nothrow_move_constructible<eprof::span>::value &&
                  !std::is_copy_constructible<eprof::hold>::value,
              "what may be copied and moved");

struct failure {
};

const eprof::site before_main("before main");

class guard
{
  public:
    explicit guard(const std::string &label) : scope(label)
    {
    }

  private:
    eprof::scope scope;
};

void throw_in_scopes(int depth)
{
    static const eprof::site site("thrown");
    eprof::scope scope(site);
    eprof::scope named("depth " + std::to_string(depth));
    pass(1);
    if (depth == 0)
        throw failure();
    throw_in_scopes(depth - 1);
}

template <typename type> struct box {
    template <typename other> void put(const std::vector<other> &) const
    {
        EPROF_FUNC_PLAIN;
        pass(1);
    }
    void operator()() const
    {
        EPROF_FUNC_PLAIN;
        pass(10);
    }
};

template <typename action> void on_a_thread(action act)
{
    std::thread thread(act);
    thread.join();
}

} // namespace

void cxx_nest_scopes()
{
    for (int i = 0; i < 3; i++) {
        eprof::scope outer(before_main);
        pass(1);
        {
            eprof::scope literal("literal");
            pass(10);
            EPROF_SCOPE("macro");
            eprof::scope made(std::string("made ") + "at run time");
            pass(100);
        }
        eprof::scope by_c(eprof_site_for("literal"));
        pass(1000);
    }
}

void cxx_end_early()
{
    eprof::scope outer("outer");
    eprof::scope inner("inner");
    pass(1);
    inner.end();
    pass(10);
    outer.end();
    pass(100);
    outer.end(); /* once is enough */
}

void cxx_scopes_as_members()
{
    guard first("first");
    std::unique_ptr<guard> second(new guard("second"));
    pass(1);
    second.reset();
    pass(10);
}

void cxx_throw_across_scopes()
{
    for (int i = 0; i < 3; i++) {
        eprof::scope scope("test");
        try {
            throw_in_scopes(2);
        } catch (const failure &) {
            eprof::scope caught("caught");
            pass(10);
        }
    }
}

void cxx_scopes_on_threads()
{
    for (int i = 0; i < 3; i++)
        on_a_thread([] {
            eprof::scope scope(before_main);
            pass(1);
        });
}

void cxx_time_by_timers()
{
    static const eprof::timer kept("static");
    for (int i = 0; i < 3; i++) {
        kept.start();
        pass(10);
        kept.stop();
        const eprof::timer local(std::string("local"));
        local.start();
        pass(1);
        local.stop();
    }
}

void cxx_move_timers()
{
    static std::vector<eprof::timer> timers;
    for (int i = 0; i < 3; i++) {
        eprof::timer timer("timer " + std::to_string(i));
        timer.start();
        timers.push_back(std::move(timer));
        timer.start(); /* NOLINT(bugprone-use-after-move): nothing */
        timer.stop();
    }
    pass(1);
    for (const eprof::timer &timer : timers)
        timer.stop();
    timers[0] = std::move(timers[1]); /* timer 0 keeps its figures */
    eprof::timer &same = timers[2];
    timers[2] = std::move(same);
    timers[0].record(eprof_now(), eprof_now());
}

void cxx_time_pairs()
{
    static const eprof::timer timer("timer");
    for (int i = 0; i < 3; i++) {
        eprof::pair pair(timer);
        pass(1);
    }
    try {
        eprof::pair pair(timer);
        pass(10);
        throw failure();
    } catch (const failure &) {
        pass(100);
    }
    eprof::pair pair(timer);
    pass(1000);
    pair.end();
    pass(10000);
}

void cxx_end_spans_on_another_thread()
{
    static const eprof::timer timer("span");
    for (int i = 0; i < 3; i++) {
        std::shared_ptr<eprof::span> span = std::make_shared<eprof::span>(timer);
        pass(1);
        on_a_thread([span] {
            pass(10);
            span->end();
        });
        pass(100);
    }
}

void cxx_move_and_cancel_spans()
{
    static const eprof::timer timer("span");
    eprof::span first(timer);
    pass(1);
    eprof::span moved(std::move(first));
    pass(10);
    moved = eprof::span(timer); /* ends the first one */
    pass(100);
    eprof::span cancelled(timer);
    cancelled.cancel();
    pass(1000);
}

#ifdef __cpp_impl_coroutine
namespace
{

struct task {
    struct promise_type {
        task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_never initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_never final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
        }
    };
    std::coroutine_handle<promise_type> handle;
};

task suspend_in_a_span(const eprof::timer &timer)
{
    eprof::span span(timer);
    {
        eprof::scope scope("before");
        pass(1);
    }
    co_await std::suspend_always();
    eprof::scope scope("after");
    pass(10);
}

} // namespace
#endif

/* Without coroutines: what the compiler makes of them. */
void cxx_suspend_in_a_span()
{
    static const eprof::timer timer("coroutine");
#ifdef __cpp_impl_coroutine
    task task = suspend_in_a_span(timer);
    pass(100);
    on_a_thread([task] { task.handle.resume(); });
#else
    std::unique_ptr<eprof::span> span(new eprof::span(timer));
    {
        eprof::scope scope("before");
        pass(1);
    }
    pass(100);
    on_a_thread([&span] {
        eprof::scope scope("after");
        pass(10);
        scope.end();
        span.reset();
    });
#endif
}

void cxx_keep_and_drop()
{
    for (int i = 0; i < 4; i++) {
        eprof::scope around("around");
        try {
            eprof::hold hold;
            eprof::scope scope("held");
            pass(1);
            if (i == 3)
                throw failure();
            if (i > 0)
                hold.keep();
            if (i == 2)
                hold.drop();
        } catch (const failure &) {
            pass(10);
        }
        eprof::hold hold;
        hold.keep();
        hold.end();
        eprof::scope scope("not held");
    }
}

void cxx_plain_names()
{
    const box<int> ints = box<int>();
    const box<std::string> texts = box<std::string>();
    ints.put(std::vector<char>());
    ints.put(std::vector<int>());
    texts.put(std::vector<char>());
    ints();
    texts();
    [] {
        EPROF_FUNC_PLAIN;
        pass(100);
    }();
}

void cxx_name_of(const char *pretty, char *name, unsigned bytes)
{
    std::string plain = eprof::function_name(pretty).c_str();
    plain.copy(name, bytes - 1);
    name[plain.size() < bytes ? plain.size() : bytes - 1] = '\0';
}
