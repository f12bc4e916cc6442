/*
 * eprof.hpp - libeprof for C++11 and later: objects that end with their block
 *
 *     void handle(const request &request)
 *     {
 *         static const eprof::site site("handle"); // once
 *         eprof::scope scope(site);                // until the block is left, also by an exception
 *         eprof::scope detail(request.kind());     // a name that is made at run time
 *         ...
 *         detail.end();                            // earlier
 *     }
 *
 * The objects call the functions of eprof.h, whose comments say what is recorded. They need neither
 * macros nor the cleanup attribute. The macros of eprof.h work in C++, too, and are cheaper:
 * EPROF_SCOPE("label") and EPROF_FUNC count a call inline.
 *
 * A name is a `const char *`, or an object with c_str(), such as std::string; it is copied. All
 * functions are noexcept. Without memory nothing is recorded.
 *
 * With -DEPROF_DISABLE the objects are empty of effect, and no symbol of libeprof is needed.
 * Arguments of constructors are evaluated, since these are functions.
 */
#ifndef EPROF_HPP
#define EPROF_HPP

#include "eprof.h"

/* Automatic instrumentation skips these functions: an object belongs to the function around it. */
#define EPROF_HPP_PROBE inline __attribute__((always_inline, no_instrument_function))
/* An object without a name would end at once. */
#if __cplusplus >= 201703L
#define EPROF_HPP_OBJECT [[nodiscard]] EPROF_HPP_PROBE explicit
#else
#define EPROF_HPP_OBJECT EPROF_HPP_PROBE explicit
#endif

namespace eprof
{

namespace detail
{
EPROF_HPP_PROBE const char *label_of(const char *label) noexcept
{
    return label;
}
template <typename text>
EPROF_HPP_PROBE auto label_of(const text &label) noexcept -> decltype(label.c_str())
{
    return label.c_str();
}
} // namespace detail

/* A name that is looked up once, for scopes. Equal names are the same site. It may be copied, and
 * be constructed before main(). */
class site
{
  public:
    template <typename text>
    EPROF_HPP_PROBE explicit site(const text &label) noexcept
        : found(eprof_site_for(detail::label_of(label)))
    {
    }
    EPROF_HPP_PROBE eprof_site *get() const noexcept
    {
        return found;
    }

  private:
    eprof_site *found;
};

/*
 * A scope from here to the end of the block, or to end(). By a site it costs a call more than
 * EPROF_SCOPE; by a name, which is looked up each time, some 300 instructions more.
 *
 * Scopes of a thread end in the reverse order in which they began, and on that thread. So a scope
 * must not be open where a coroutine is suspended: use a span. Functions whose only purpose is to
 * construct a scope must be left out of automatic instrumentation.
 */
class scope
{
  public:
    EPROF_HPP_OBJECT scope(const site &site) noexcept : is_open(true)
    {
        eprof_enter_site(site.get());
    }
    EPROF_HPP_OBJECT scope(eprof_site *site) noexcept : is_open(true)
    {
        eprof_enter_site(site);
    }
    template <typename text> EPROF_HPP_OBJECT scope(const text &label) noexcept : is_open(true)
    {
        eprof_enter(detail::label_of(label));
    }
    EPROF_HPP_PROBE ~scope()
    {
        end();
    }
    EPROF_HPP_PROBE void end() noexcept
    {
        if (is_open)
            eprof_leave();
        is_open = false;
    }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

  private:
    bool is_open;
};

/*
 * An instance: start() and stop() may lie anywhere on a thread, and overlap others. Timers of equal
 * names share the instance, which outlives them, so that the report has its figures. A constructor
 * looks the name up: outside of a loop, or static, is best. Each name takes one of the 1,048,576
 * instances for ever. eprof_release(timer.id()) gives it up, also for the other timers of the name,
 * which then record nothing, as after eprof_init(). A pair that start() began is ended only by
 * stop(): use eprof::pair where exceptions may leave the block. A timer that was moved from records
 * nothing.
 */
class timer
{
  public:
    template <typename text>
    EPROF_HPP_PROBE explicit timer(const text &label) noexcept
        : handle(eprof_instance_for(detail::label_of(label)))
    {
    }
    EPROF_HPP_PROBE timer(timer &&other) noexcept : handle(other.handle)
    {
        other.handle = -1;
    }
    EPROF_HPP_PROBE timer &operator=(timer &&other) noexcept
    {
        int given = other.handle;
        other.handle = -1; /* first: it may be this object */
        handle = given;
        return *this;
    }
    EPROF_HPP_PROBE void start() const noexcept
    {
        if (handle >= 0)
            eprof_start(handle);
    }
    EPROF_HPP_PROBE void stop() const noexcept
    {
        if (handle >= 0)
            eprof_stop(handle);
    }
    /* start, stop: results of eprof_now(), on any two threads */
    EPROF_HPP_PROBE void record(uint64_t start_ticks, uint64_t stop_ticks) const noexcept
    {
        if (handle >= 0)
            eprof_record(handle, start_ticks, stop_ticks);
    }
    /* For the calls of eprof.h; -1: there was no memory, or the timer was moved from. */
    EPROF_HPP_PROBE int id() const noexcept
    {
        return handle;
    }
    timer(const timer &) = delete;
    timer &operator=(const timer &) = delete;

  private:
    int handle;
};

/* A start and its stop, from here to the end of the block or to end(), on one thread. The timer
 * outlives it. */
class pair
{
  public:
    EPROF_HPP_OBJECT pair(const timer &timer) noexcept : open(&timer)
    {
        timer.start();
    }
    EPROF_HPP_PROBE ~pair()
    {
        end();
    }
    EPROF_HPP_PROBE void end() noexcept
    {
        if (open)
            open->stop();
        open = nullptr;
    }
    pair(const pair &) = delete;
    pair &operator=(const pair &) = delete;

  private:
    const timer *open;
};

/*
 * A pair whose end may be on another thread: a request that passes through queues, a coroutine that
 * is resumed elsewhere. It may be moved, and ends with the object or by end(); cancel() records
 * nothing. It is not in the call tree. The timer outlives it.
 */
class span
{
  public:
    EPROF_HPP_OBJECT span(const timer &timer) noexcept
        : handle(timer.id()), start_ticks(eprof_now())
    {
    }
    EPROF_HPP_PROBE span(span &&other) noexcept
        : handle(other.handle), start_ticks(other.start_ticks)
    {
        other.cancel();
    }
    EPROF_HPP_PROBE span &operator=(span &&other) noexcept
    {
        if (this == &other)
            return *this;
        end();
        handle = other.handle;
        start_ticks = other.start_ticks;
        other.cancel();
        return *this;
    }
    EPROF_HPP_PROBE ~span()
    {
        end();
    }
    EPROF_HPP_PROBE void end() noexcept
    {
        if (handle >= 0)
            eprof_record(handle, start_ticks, eprof_now());
        cancel();
    }
    EPROF_HPP_PROBE void cancel() noexcept
    {
        handle = -1;
    }
    span(const span &) = delete;
    span &operator=(const span &) = delete;

  private:
    int handle;
    uint64_t start_ticks;
};

/* What this thread records from here to the end of the block counts only if keep() was called
 * before, or if the last of several calls of keep() and drop() was keep(). An exception that leaves
 * the block before that drops it. */
class hold
{
  public:
    EPROF_HPP_OBJECT hold() noexcept : is_open(true), is_kept(false)
    {
        eprof_hold();
    }
    EPROF_HPP_PROBE ~hold()
    {
        end();
    }
    EPROF_HPP_PROBE void keep() noexcept
    {
        is_kept = true;
    }
    EPROF_HPP_PROBE void drop() noexcept
    {
        is_kept = false;
    }
    EPROF_HPP_PROBE void end() noexcept
    {
        if (is_open)
            eprof_keep(is_kept);
        is_open = false;
    }
    hold(const hold &) = delete;
    hold &operator=(const hold &) = delete;

  private:
    bool is_open, is_kept;
};

/*
 * The name of a function without its types and template arguments: "shop::cart::add" of
 * "void shop::cart<item>::add(const item &) [with item = int]". So all instances of a template are
 * one row. pretty: __PRETTY_FUNCTION__, as gcc and clang write it. A longer name is cut.
 *
 *     static const eprof::site site(eprof::function_name(__PRETTY_FUNCTION__));
 */
class function_name
{
  public:
    explicit function_name(const char *pretty) noexcept : count(0)
    {
        for (const char *at = pretty; *at && !is_end(at); at = next(at)) {
        }
        text[count] = '\0';
    }
    const char *c_str() const noexcept
    {
        return text;
    }

  private:
    static bool is_word(char c) noexcept
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '$' || (c & 0x80);
    }
    static bool begins(const char *at, const char *with) noexcept
    {
        for (; *with; at++, with++)
            if (*at != *with)
                return false;
        return true;
    }
    /* After the bracket that closes the one at `at`. */
    static const char *after(const char *at) noexcept
    {
        for (int depth = 0; *at; at++) {
            if (*at == '(' || *at == '<' || *at == '[' || *at == '{')
                depth++;
            else if ((*at == '>' && at[-1] != '-') || *at == ')' || *at == ']' || *at == '}')
                depth--;
            if (depth == 0)
                return at + 1;
        }
        return at;
    }
    bool is_after_scope() const noexcept
    {
        return count == 0 || text[count - 1] == ':';
    }
    bool ends_with(const char *word, unsigned length) const noexcept
    {
        return count >= length && begins(text + count - length, word) &&
               (count == length || !is_word(text[count - length - 1]));
    }
    /* The parameters of the function: not those of one around it, as in "main()::<lambda()>". */
    bool is_end(const char *at) const noexcept
    {
        if (ends_with("operator", 8) && begins(at, "()"))
            return false;
        return begins(at, " [") || (*at == '(' && !is_after_scope() && !begins(after(at), "::") &&
                                    !ends_with("decltype", 8));
    }
    const char *next(const char *at) noexcept
    {
        if (ends_with("operator", 8) && !is_word(*at))
            return copy_operator(at);
        if (*at == ' ') { /* what was before is a type */
            count = 0;
            return at + 1;
        }
        if (is_word(*at) || *at == ':' || *at == '~')
            return copy(at, 1);
        if (*at == '(' && (at[1] == '*' || at[1] == '&')) /* it returns a pointer to a function */
            return at + 1;
        if ((*at == '<' || *at == '(' || *at == '{') && is_after_scope())
            return copy_unnamed(at);
        return *at == '<' || *at == '(' || *at == '[' ? after(at) : at + 1;
    }
    /* "<lambda(int)>", "(anonymous class)": the first word. An anonymous namespace has no name. */
    const char *copy_unnamed(const char *at) noexcept
    {
        const char *end = after(at++);
        if (begins(at, "anonymous}::") || begins(at, "anonymous namespace)::"))
            return end + 2;
        while (is_word(*at))
            at = copy(at, 1);
        return end;
    }
    /* Up to the parameters; "operator()" has an empty pair before them. */
    const char *copy_operator(const char *at) noexcept
    {
        if (begins(at, "()"))
            return copy(at, 2);
        while (*at && *at != '(')
            at = copy(at, 1);
        return at;
    }
    const char *copy(const char *at, unsigned length) noexcept
    {
        for (; length; length--, at++)
            if (count < sizeof text - 1)
                text[count++] = *at;
        return at;
    }

    char text[256];
    unsigned count;
};

} // namespace eprof

/* This function, from here, in one row for all instances of its template. */
#ifdef EPROF_DISABLE
#define EPROF_FUNC_PLAIN ((void)0)
#else
#define EPROF_FUNC_PLAIN_NUMBERED(n)                                                               \
    static const ::eprof::site EPROF_PASTE(eprof_site_,                                            \
                                           n)(::eprof::function_name(__PRETTY_FUNCTION__));        \
    ::eprof::scope EPROF_PASTE(eprof_scope_, n)(EPROF_PASTE(eprof_site_, n))
#define EPROF_FUNC_PLAIN EPROF_FUNC_PLAIN_NUMBERED(__COUNTER__)
#endif

#undef EPROF_HPP_OBJECT
#undef EPROF_HPP_PROBE

#endif /* EPROF_HPP */
