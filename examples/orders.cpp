/*
 * orders.cpp - a shop that profiles itself with the objects of eprof.hpp
 *
 *     orders [-n ORDERS] [-t THREADS] [-f FORMAT]
 *
 *     -n ORDERS   the number of orders (10000)
 *     -t THREADS  the number of threads that take orders from one queue (4)
 *     -f FORMAT   of the report on stdout ("tree")
 *
 * Scopes by a name that is made at run time, scopes that an exception leaves, the functions of a
 * template in one row, and a span from the moment when an order enters the queue until a thread has
 * taken it out.
 */
#include <eprof.hpp>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace
{

struct order {
    unsigned number;
    eprof::span waiting;
};

/* In every seventh order the article has no number. */
class invalid_order : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

class queue
{
  public:
    void push(order added)
    {
        std::lock_guard<std::mutex> lock(mutex);
        orders.push_back(std::move(added));
    }
    /* nullptr: there are no more */
    std::unique_ptr<order> pop()
    {
        EPROF_FUNC_PLAIN;
        std::lock_guard<std::mutex> lock(mutex);
        if (orders.empty())
            return nullptr;
        std::unique_ptr<order> taken(new order(std::move(orders.front())));
        orders.pop_front();
        taken->waiting.end(); /* on another thread than it began */
        return taken;
    }

  private:
    std::mutex mutex;
    std::deque<order> orders;
};

/* A row for all types: EPROF_FUNC would give each instance of the template its own. */
template <typename number> number parse(const std::string &text)
{
    EPROF_FUNC_PLAIN;
    if (text.empty())
        throw invalid_order("no article");
    number value = 0;
    for (char digit : text)
        value = value * 10 + static_cast<number>(digit - '0');
    return value;
}

/* Each kind of article is a scope of its own, and its name is looked up once. */
class shelf
{
  public:
    explicit shelf(const std::string &kind) : site("take " + kind)
    {
    }
    void take(unsigned article) const
    {
        eprof::scope scope(site);
        volatile unsigned place = article;
        for (unsigned i = 0; i < 100; i++)
            place = place * 69069 + 1;
    }

  private:
    eprof::site site;
};

void handle(const order &order, const std::vector<shelf> &shelves)
{
    eprof::scope scope("handle"); /* left by the exceptions of parse(), too */
    std::string article = order.number % 7 ? std::to_string(order.number) : "";
    double price = parse<double>(article);
    unsigned number = parse<unsigned>(article);
    shelves[number % shelves.size()].take(number + static_cast<unsigned>(price));
}

void work(queue &queue, const std::vector<shelf> &shelves)
{
    eprof_thread_name("worker");
    while (std::unique_ptr<order> order = queue.pop()) {
        try {
            handle(*order, shelves);
        } catch (const invalid_order &) {
            eprof::scope scope("refuse");
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    unsigned orders = 10000, threads = 4;
    const char *format = "tree";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "-n") == 0)
            orders = static_cast<unsigned>(std::atoi(argv[i + 1]));
        else if (std::strcmp(argv[i], "-t") == 0)
            threads = static_cast<unsigned>(std::atoi(argv[i + 1]));
        else
            format = argv[i + 1];
    }
    const eprof::timer waiting("waiting in the queue");
    const std::vector<shelf> shelves = {shelf("book"), shelf("record"), shelf("picture")};
    queue queue;
    for (unsigned i = 0; i < orders; i++)
        queue.push(order{i, eprof::span(waiting)});
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < threads; i++)
        workers.emplace_back([&queue, &shelves] { work(queue, shelves); });
    for (std::thread &worker : workers)
        worker.join();
    return eprof_report(stdout, format) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
