/*
 * functions.cpp - functions of C++ whose names are looked up; see functions.c
 */
#define NOINLINE __attribute__((noinline))

volatile int sink;

namespace geometry
{
class Vector
{
  public:
    explicit Vector(double x);
    ~Vector();
    NOINLINE Vector operator+(const Vector &other) const /* operator+ */
    {
        return Vector(x_ + other.x_);
    }
    NOINLINE operator int() const /* operator int */
    {
        return static_cast<int>(x_) + sink;
    }
    static int count(const char *name, unsigned long many = 1);

  private:
    double x_;
};

Vector::Vector(double x) : x_(x) /* Vector */
{
}

Vector::~Vector() /* ~Vector */
{
    sink = static_cast<int>(x_);
}

int Vector::count(const char *name, unsigned long many) /* count */
{
    return *name + static_cast<int>(many) + sink;
}

namespace
{
NOINLINE int secret(int x) /* secret */
{
    return x + sink;
}
} // namespace

template <class Number> NOINLINE Number twice(Number x) /* twice */
{
    return x + x + sink;
}
template int twice<int>(int);

int use_secret(int x) /* use_secret */
{
    return secret(x);
}
} // namespace geometry

extern "C" int count(const char *name, unsigned long many)
    __attribute__((alias("_ZN8geometry6Vector5countEPKcm")));

static NOINLINE int of_this_file(int x) /* of_this_file */
{
    return x * sink;
}

extern "C" int like_c(int x) /* like_c */
{
    return of_this_file(x);
}

int main(int argc, char **)
{
    const auto add = [argc](int x) NOINLINE { return x + argc + sink; }; /* lambda */
    const geometry::Vector one(1), sum = one + geometry::Vector(argc);
    return add(1) + like_c(argc) + sum + geometry::use_secret(argc) +
           geometry::Vector::count("a", 2) + geometry::twice(argc);
}
