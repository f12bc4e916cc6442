/*
 * sphereflake.cpp - a ray tracer whose source does not mention a profiler
 *
 *     sphereflake [-s PIXELS] [-d DEPTH] [-o FILE]
 *
 *     -s PIXELS  width and height of the image (600)
 *     -d DEPTH   generations of spheres (5)
 *     -o FILE    write the image, as a PPM
 *
 * It prints a checksum of the image. Built with
 *
 *     g++ -O2 $(pkg-config --cflags eprof-auto) sphereflake.cpp $(pkg-config --libs eprof-auto)
 *
 * it prints its call tree on stderr at the end. Operators of two vectors have few instructions and
 * are called twenty times as often as all the rest. The compiler inlines them, so they cost nothing.
 * With hooks, for processors other than x86-64, each would be two calls; there the filter of gcc
 * leaves them out: $(pkg-config --variable=gcc_filter eprof-auto).
 *
 * The flake is "balls" of Eric Haines, "A Proposal for Standard Graphics Environments", IEEE
 * Computer Graphics and Applications 7(11), 1987: nine spheres of a third of its size on each.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <unistd.h>

/* ---- vectors ---- */

struct Vector {
    double x, y, z;

    Vector &operator+=(const Vector &b)
    {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    Vector operator+(const Vector &b) const
    {
        return {x + b.x, y + b.y, z + b.z};
    }
    Vector operator-(const Vector &b) const
    {
        return {x - b.x, y - b.y, z - b.z};
    }
    Vector operator*(double factor) const
    {
        return {x * factor, y * factor, z * factor};
    }
    Vector operator/(double divisor) const
    {
        return *this * (1 / divisor);
    }
    Vector operator-() const
    {
        return {-x, -y, -z};
    }
    /* the dot product and, below, the cross product */
    double operator*(const Vector &b) const
    {
        return x * b.x + y * b.y + z * b.z;
    }
    Vector operator%(const Vector &b) const
    {
        return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
    }
    /* of length 1 */
    Vector operator~() const
    {
        return *this / std::sqrt(*this * *this);
    }
};

struct Ray {
    Vector origin, direction;

    Vector operator()(double distance) const
    {
        return origin + direction * distance;
    }
};

/* ---- the flake ---- */

struct Sphere {
    Vector centre;
    double radius;
    double bound; /* of the sphere around it and all that it carries */
};

struct Hit {
    double distance;
    const Sphere *sphere; /* NULL: none */
};

enum : std::size_t { CHILDREN = 9 };

/* Nine of the twelve neighbours in a closest packing of spheres; the other three are where the
 * sphere itself is attached. 0.866 is sin 60 deg, 0.816 sqrt(2/3). */
const Vector neighbours[CHILDREN] = {
    {1, 0, 0},
    {0.5, 0.8660254037844386, 0},
    {-0.5, 0.8660254037844386, 0},
    {-1, 0, 0},
    {-0.5, -0.8660254037844386, 0},
    {0.5, -0.8660254037844386, 0},
    {0.5, 0.2886751345948129, 0.8164965809277260},
    {-0.5, 0.2886751345948129, 0.8164965809277260},
    {0, -0.5773502691896258, 0.8164965809277260},
};

/* A ray that leaves a surface must not meet that same surface. */
const double nearest = 1e-6;

class Flake
{
  public:
    explicit Flake(int depth)
    {
        std::size_t count = 1, generation = 1;
        for (int i = 0; i < depth; ++i)
            count += generation *= CHILDREN;
        parents = count - generation;
        spheres.resize(count);
        grow(0, depth, {0, 0, 0}, {0, 0, 1}, 0.5);
    }

    /* The nearest sphere on a ray, before the distance in `hit`. */
    void find_nearest(const Ray &ray, Hit &hit) const
    {
        search(ray, 0, 1, hit, false);
    }

    /* Whether anything is on a ray before that distance. */
    bool is_covered(const Ray &ray, double distance) const
    {
        Hit hit = {distance, nullptr};
        return search(ray, 0, 1, hit, true);
    }

  private:
    /* Sphere i carries those from CHILDREN * i + 1 on. */
    std::vector<Sphere> spheres;
    std::size_t parents; /* those before it carry others */

    void grow(std::size_t index, int depth, Vector centre, Vector pole, double radius);
    bool search(const Ray &ray, std::size_t begin, std::size_t end, Hit &hit, bool is_any) const;
};

void Flake::grow(std::size_t index, int depth, Vector centre, Vector pole, double radius)
{
    double reach = 1, part = 1;
    for (int i = 0; i < depth; ++i)
        reach += 2 * (part /= 3);
    spheres[index] = {centre, radius, radius * reach};
    if (depth == 0)
        return;
    Vector away = std::fabs(pole.z) < 0.9 ? Vector{0, 0, 1} : Vector{1, 0, 0};
    Vector east = ~(away % pole), north = pole % east;
    for (std::size_t i = 0; i < CHILDREN; ++i) {
        Vector way = east * neighbours[i].x + north * neighbours[i].y + pole * neighbours[i].z;
        grow(CHILDREN * index + 1 + i, depth - 1, centre + way * (radius * 4 / 3), way, radius / 3);
    }
}

/* Searches the spheres that one sphere carries; in those that the ray meets, also theirs. */
bool Flake::search(const Ray &ray, std::size_t begin, std::size_t end, Hit &hit, bool is_any) const
{
    const Sphere *const first = spheres.data();
    for (std::size_t i = begin; i < end; ++i) {
        const Sphere &sphere = first[i];
        Vector way = sphere.centre - ray.origin;
        double along = way * ray.direction, beside = way * way - along * along;
        double reach = sphere.bound * sphere.bound - beside;
        if (reach < 0 || along < -sphere.bound || along - std::sqrt(reach) >= hit.distance)
            continue;
        double depth = sphere.radius * sphere.radius - beside;
        double distance = depth < 0 ? -1 : along - std::sqrt(depth);
        if (distance > nearest && distance < hit.distance) {
            hit = {distance, &sphere};
            if (is_any)
                return true;
        }
        std::size_t child = CHILDREN * i + 1;
        if (i < parents && search(ray, child, child + CHILDREN, hit, is_any))
            return true;
    }
    return false;
}

/* ---- light ---- */

const Vector eye = {2.1, 1.3, 1.7};
const Vector lights[] = {{4, 3, 2}, {1, -4, 4}, {-3, 1, 5}};
const Vector sky = {0.078, 0.361, 0.753};
const Vector ground = {1, 0.75, 0.33};
const Vector ball = {1, 0.9, 0.7};
const double ground_z = -0.5;
const double shine = 0.5; /* the part of the light that a ball reflects */
enum { BOUNCES = 4 };

static double light_of(const Flake &flake, const Vector &point, const Vector &normal)
{
    double sum = 0;
    for (const Vector &light : lights) {
        Vector way = light - point;
        double distance = std::sqrt(way * way), cosine = normal * way / distance;
        if (cosine > 0 && !flake.is_covered({point, way / distance}, distance))
            sum += cosine;
    }
    return sum / std::sqrt(3.0);
}

static Vector trace(const Flake &flake, const Ray &ray, int bounces);

static Vector shade_ball(const Flake &flake, const Ray &ray, const Hit &hit, int bounces)
{
    Vector point = ray(hit.distance), normal = (point - hit.sphere->centre) / hit.sphere->radius;
    Vector colour = ball * ((1 - shine) * light_of(flake, point, normal));
    if (bounces > 0) {
        Ray mirrored = {point, ~(ray.direction - normal * (2 * (ray.direction * normal)))};
        colour += trace(flake, mirrored, bounces - 1) * shine;
    }
    return colour;
}

static Vector trace(const Flake &flake, const Ray &ray, int bounces)
{
    Hit hit = {std::numeric_limits<double>::infinity(), nullptr};
    flake.find_nearest(ray, hit);
    double distance = (ground_z - ray.origin.z) / ray.direction.z;
    if (distance > nearest && distance < hit.distance)
        return ground * light_of(flake, ray(distance), {0, 0, 1});
    return hit.sphere ? shade_ball(flake, ray, hit, bounces) : sky;
}

/* ---- the image ---- */

static std::string render(const Flake &flake, int size)
{
    Vector forward = ~-eye, right = ~(forward % Vector{0, 0, 1}), up = right % forward;
    double pixel = 2 * std::tan(std::acos(-1) / 8) / size; /* the camera's angle is 45 deg */
    std::string image;
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            Vector across = right * ((x + 0.5 - size / 2.0) * pixel);
            Vector above = up * ((size / 2.0 - y - 0.5) * pixel);
            Vector colour = trace(flake, {eye, ~(forward + across + above)}, BOUNCES);
            for (double light : {colour.x, colour.y, colour.z})
                image += static_cast<char>(static_cast<int>(std::fmin(light * 256, 255)));
        }
    }
    return image;
}

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static std::uint64_t checksum(const std::string &bytes)
{
    std::uint64_t hash = UINT64_C(14695981039346656037);
    for (char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * UINT64_C(1099511628211);
    return hash;
}

int main(int argc, char **argv)
{
    int size = 600, depth = 5, option;
    const char *path = nullptr;
    while ((option = getopt(argc, argv, "s:d:o:")) != -1) {
        if (option == 's')
            size = std::atoi(optarg);
        else if (option == 'd')
            depth = std::atoi(optarg);
        else if (option == 'o')
            path = optarg;
        else
            return 2;
    }
    if (size < 1 || size > 16384 || depth < 0 || depth > 6) {
        std::cerr << "usage: sphereflake [-s PIXELS] [-d DEPTH] [-o FILE]\n";
        return 2;
    }
    std::string image = render(Flake(depth), size);
    std::cout << "checksum " << std::hex << checksum(image) << '\n';
    if (!path)
        return 0;
    std::ofstream file(path, std::ios::binary);
    file << "P6\n" << size << ' ' << size << "\n255\n" << image;
    file.close();
    return file ? 0 : 1;
}
