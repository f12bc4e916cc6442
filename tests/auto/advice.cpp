/* The program of check_advice.sh: small functions, with names as C++ has them. */
#include <cstddef>
#include <cstdio>
#include <utility>

namespace
{
struct Point {
    int x, y;
};

template <class First, class Second> struct Table {
    std::pair<First, Second> rows[64];
    std::pair<First, Second> &operator[](std::size_t i)
    {
        return rows[i % 64];
    }
};

bool less(const Point &a, const Point &b)
{
    return a.x < b.x;
}

template <class Container> int find(Container &all, const Point &wanted)
{
    int found = 0;
    for (std::size_t i = 0; i < 64; i++)
        found += less(all[i].first, wanted);
    return found;
}
} // namespace

int main()
{
    static Table<Point, unsigned long> table;
    int sum = 0;
    for (int i = 0; i < 3000; i++)
        sum += find(table, Point{i, i});
    std::printf("%d\n", sum);
    return 0;
}
