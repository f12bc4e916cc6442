// Every object of eprof.hpp. Built with EPROF_DISABLE, it links and runs without the library.
#include <eprof.hpp>
#include <eprof.hpp> // once more: nothing

#include <string>
#include <utility>

namespace
{

const eprof::site before_main("before main");

template <typename type> struct queue {
    void push(const type &) const
    {
        EPROF_FUNC_PLAIN;
        EPROF_SCOPE("macro");
    }
};

int use_every_object()
{
    const std::string name = "made at run time";
    const eprof::site copied = before_main;
    eprof::scope by_site(copied);
    eprof::scope by_pointer(before_main.get());
    eprof::scope by_literal("literal");
    eprof::scope by_name(name);
    by_name.end();

    eprof::timer timer("timer"), named(name);
    eprof::timer moved(std::move(named));
    timer = std::move(moved);
    timer.start();
    timer.stop();
    timer.record(eprof_now(), eprof_now());
    eprof::pair pair(timer);
    pair.end();

    eprof::span span(timer);
    eprof::span other(std::move(span));
    span = std::move(other);
    span.end();
    span.cancel();

    eprof::hold hold;
    hold.keep();
    hold.drop();
    hold.end();
    queue<int>().push(1);
    return timer.id() < 0;
}

} // namespace

int main()
{
    std::string plain = eprof::function_name(__PRETTY_FUNCTION__).c_str();
    return use_every_object() || plain != "main";
}
