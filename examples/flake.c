/*
 * flake.c - a ray tracer, each of whose functions is a scope
 *
 *     flake [-s PIXELS] [-d DEPTH] [-o FILE] [-c]
 *
 *     -s PIXELS  width and height of the image (750)
 *     -d DEPTH   generations of spheres (4)
 *     -o FILE    write the image, as a PPM
 *     -c         print the cost of the run, for a program that compares runs
 *
 * A sphere carries nine others of a third of its size, each of which carries nine: the sphere flake
 * "balls" of Eric Haines, "A Proposal for Standard Graphics Environments", IEEE Computer Graphics
 * and Applications 7(11), 1987, with its camera and its three lights. At the end the call tree is
 * printed to stderr; the program makes no call for that.
 *
 * The same source also measures what scopes cost a program. An image of 750 pixels takes ten
 * million calls, of some 40 ns each:
 *
 *     (nothing)       each function is a scope
 *     EPROF_DISABLE   there are no scopes
 *     FLAKE_RAW       two reads of the counter in place of each scope
 *     FLAKE_COUNT     each scope is one addition, which counts the scopes
 *     FLAKE_HOLD=NS   each function is a scope, and each ray from the camera counts, with all
 * scopes in it, only if it takes so many ns
 */
#define _POSIX_C_SOURCE 200809L /* getopt, clock_gettime */
#if defined(FLAKE_RAW) || defined(FLAKE_COUNT)
#define EPROF_DISABLE
#endif
#include <eprof.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what stands at the top of a function ---- */

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
static inline uint64_t read_counter(void)
{
    return __rdtsc();
}
#elif defined(__aarch64__)
static inline uint64_t read_counter(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
static inline uint64_t read_counter(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
#endif

/* Needs a value in a register, so that the compiler cannot leave out its computation. */
static inline void want(uint64_t value)
{
    __asm__ volatile("" : : "r"((uintptr_t)value));
}

#if defined(FLAKE_RAW)
static inline __attribute__((always_inline)) void read_again(const uint64_t *start_ticks)
{
    want(read_counter() - *start_ticks);
}
#define FLAKE_SCOPE                                                                                \
    __attribute__((unused, cleanup(read_again))) const uint64_t start_ticks = read_counter()
#elif defined(FLAKE_COUNT)
static uint64_t scope_count;
#define FLAKE_SCOPE ++scope_count
#else
#define FLAKE_SCOPE EPROF_FUNC
#endif

/* ---- vectors: too small to be scopes ---- */

struct vector {
    double x, y, z;
};

static inline struct vector add(struct vector a, struct vector b)
{
    return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vector subtract(struct vector a, struct vector b)
{
    return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vector scale(struct vector a, double factor)
{
    return (struct vector){a.x * factor, a.y * factor, a.z * factor};
}

static inline double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline struct vector unit(struct vector a)
{
    return scale(a, 1 / sqrt(dot(a, a)));
}

/* ---- the scene ---- */

enum { CHILDREN = 9, LIGHTS = 3, BOUNCES = 4, DEPTH_MAX = 6, PIXELS_MAX = 16384 };

/* The children of sphere i are the spheres CHILDREN * i + 1 and those that follow it. */
struct sphere {
    struct vector centre;
    double radius;
    double bound; /* of the sphere around it and all that it carries */
};

struct ray {
    struct vector origin, direction;
};

struct hit {
    double distance;
    const struct sphere *sphere; /* NULL: none */
};

/* Nine of the twelve neighbours in a closest packing of spheres; the other three are
 * where the sphere itself is attached. 0.866025 is sin 60 deg, 0.816497 sqrt(2/3). */
static const struct vector directions[CHILDREN] = {
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

static const struct vector eye = {2.1, 1.3, 1.7};
static const struct vector lights[LIGHTS] = {{4, 3, 2}, {1, -4, 4}, {-3, 1, 5}};
static const struct vector sky = {0.078, 0.361, 0.753};
static const struct vector floor_colour = {1, 0.75, 0.33};
static const struct vector ball_colour = {1, 0.9, 0.7};
static const double floor_z = -0.5;
static const double shine = 0.5; /* the part of the light that a ball reflects */

static struct sphere *spheres;
static size_t sphere_count;
static size_t parent_count; /* those before it carry others */

/* How far a sphere of radius 1 and all that it carries reach: 1 + 2/3 + 2/9 ... */
static double reach(int generations)
{
    double sum = 1, radius = 1;
    for (int i = 0; i < generations; ++i) {
        radius /= 3;
        sum += 2 * radius;
    }
    return sum;
}

static void grow(size_t index, int generations, struct vector centre, struct vector pole,
                 double radius)
{
    FLAKE_SCOPE;
    spheres[index] = (struct sphere){centre, radius, radius * reach(generations)};
    if (generations == 0)
        return;
    struct vector away = fabs(pole.z) < 0.9 ? (struct vector){0, 0, 1} : (struct vector){1, 0, 0};
    struct vector east = unit(cross(away, pole));
    struct vector north = cross(pole, east);
    for (size_t i = 0; i < CHILDREN; ++i) {
        struct vector direction =
            add(add(scale(east, directions[i].x), scale(north, directions[i].y)),
                scale(pole, directions[i].z));
        grow(CHILDREN * index + 1 + i, generations - 1,
             add(centre, scale(direction, radius * 4 / 3)), direction, radius / 3);
    }
}

static void build(int depth)
{
    FLAKE_SCOPE;
    size_t generation = 1;
    sphere_count = 1;
    for (int i = 0; i < depth; ++i) {
        generation *= CHILDREN;
        parent_count = sphere_count;
        sphere_count += generation;
    }
    spheres = calloc(sphere_count, sizeof *spheres);
    if (spheres == NULL) {
        perror("flake");
        exit(EXIT_FAILURE);
    }
    grow(0, depth, (struct vector){0, 0, 0}, (struct vector){0, 0, 1}, 0.5);
}

/* ---- rays ---- */

/* Whether the ray meets the sphere at a distance below `limit`; where, in *distance: 0 if it
 * begins inside. */
static inline bool meets(const struct ray *ray, struct vector centre, double radius, double limit,
                         double *distance)
{
    struct vector to_centre = subtract(centre, ray->origin);
    double along = dot(to_centre, ray->direction);
    double outside = dot(to_centre, to_centre) - radius * radius;
    double inside = along * along - outside;
    if (inside < 0 || (along < 0 && outside > 0))
        return false;
    *distance = outside < 0 ? 0 : along - sqrt(inside);
    return *distance < limit;
}

/* A ray that leaves a surface must not meet that same surface. */
static const double nearest = 1e-6;

static inline void try_sphere(const struct ray *ray, const struct sphere *sphere, struct hit *hit)
{
    double distance;
    if (meets(ray, sphere->centre, sphere->radius, hit->distance, &distance) && distance > nearest)
        *hit = (struct hit){distance, sphere};
}

/* The nearest of all spheres that this sphere carries. */
static void find_nearest(const struct ray *ray, size_t index, struct hit *hit)
{
    FLAKE_SCOPE;
    for (size_t child = CHILDREN * index + 1; child <= CHILDREN * (index + 1); ++child) {
        double distance;
        if (meets(ray, spheres[child].centre, spheres[child].bound, hit->distance, &distance)) {
            try_sphere(ray, &spheres[child], hit);
            if (child < parent_count)
                find_nearest(ray, child, hit);
        }
    }
}

/* Whether the ray meets a sphere that this sphere carries, before it meets the light. */
static bool is_covered(const struct ray *ray, size_t index, double light_distance)
{
    FLAKE_SCOPE;
    for (size_t child = CHILDREN * index + 1; child <= CHILDREN * (index + 1); ++child) {
        double distance;
        struct hit hit = {light_distance, NULL};
        if (!meets(ray, spheres[child].centre, spheres[child].bound, light_distance, &distance))
            continue;
        try_sphere(ray, &spheres[child], &hit);
        if (hit.sphere || (child < parent_count && is_covered(ray, child, light_distance)))
            return true;
    }
    return false;
}

static bool is_in_shadow(const struct ray *ray, double light_distance)
{
    FLAKE_SCOPE;
    double distance;
    struct hit hit = {light_distance, NULL};
    if (!meets(ray, spheres->centre, spheres->bound, light_distance, &distance))
        return false;
    try_sphere(ray, spheres, &hit);
    return hit.sphere || (parent_count && is_covered(ray, 0, light_distance));
}

static struct vector trace(const struct ray *ray, int bounces);

static double light_of(struct vector point, struct vector normal)
{
    FLAKE_SCOPE;
    double sum = 0;
    for (int i = 0; i < LIGHTS; ++i) {
        struct vector way = subtract(lights[i], point);
        double distance = sqrt(dot(way, way));
        struct ray ray = {point, scale(way, 1 / distance)};
        double cosine = dot(normal, ray.direction);
        if (cosine > 0 && !is_in_shadow(&ray, distance))
            sum += cosine;
    }
    return sum / sqrt(LIGHTS); /* the scene's rule: less than the sum, more than one light */
}

static struct vector shade_ball(const struct ray *ray, const struct hit *hit, int bounces)
{
    FLAKE_SCOPE;
    struct vector point = add(ray->origin, scale(ray->direction, hit->distance));
    struct vector normal = scale(subtract(point, hit->sphere->centre), 1 / hit->sphere->radius);
    struct vector colour = scale(ball_colour, (1 - shine) * light_of(point, normal));
    if (bounces == 0)
        return colour;
    double cosine = dot(ray->direction, normal);
    struct ray mirrored = {point, unit(subtract(ray->direction, scale(normal, 2 * cosine)))};
    return add(colour, scale(trace(&mirrored, bounces - 1), shine));
}

static struct vector shade_floor(const struct ray *ray, double distance)
{
    FLAKE_SCOPE;
    struct vector point = add(ray->origin, scale(ray->direction, distance));
    return scale(floor_colour, light_of(point, (struct vector){0, 0, 1}));
}

/* The colour that comes from there. */
static struct vector trace(const struct ray *ray, int bounces)
{
    FLAKE_SCOPE;
    struct hit hit = {INFINITY, NULL};
    double distance, floor_distance = (floor_z - ray->origin.z) / ray->direction.z;
    if (meets(ray, spheres->centre, spheres->bound, hit.distance, &distance)) {
        try_sphere(ray, spheres, &hit);
        if (parent_count)
            find_nearest(ray, 0, &hit);
    }
    if (floor_distance > nearest && floor_distance < hit.distance)
        return shade_floor(ray, floor_distance);
    return hit.sphere ? shade_ball(ray, &hit, bounces) : sky;
}

/* ---- the image ---- */

static unsigned char byte_of(double light)
{
    return light >= 1 ? 255 : (unsigned char)(light * 256);
}

static void render_row(unsigned char *row, int y, int size)
{
    FLAKE_SCOPE;
    struct vector forward = unit(scale(eye, -1));
    struct vector right = unit(cross(forward, (struct vector){0, 0, 1}));
    struct vector up = cross(right, forward);
    double half = 0.41421356237309503; /* tan 22.5 deg, half of the camera's angle */
    for (int x = 0; x < size; ++x) {
        double across = ((2 * x + 1.0) / size - 1) * half;
        double above = (1 - (2 * y + 1.0) / size) * half;
        struct ray ray = {eye, unit(add(forward, add(scale(right, across), scale(up, above))))};
#ifdef FLAKE_HOLD
        EPROF_SLOW("ray from the camera", FLAKE_HOLD);
#endif
        struct vector colour = trace(&ray, BOUNCES);
        row[3 * x] = byte_of(colour.x);
        row[3 * x + 1] = byte_of(colour.y);
        row[3 * x + 2] = byte_of(colour.z);
    }
}

static void render(unsigned char *image, int size)
{
    FLAKE_SCOPE;
    for (int y = 0; y < size; ++y)
        render_row(image + (size_t)y * (size_t)size * 3, y, size);
}

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t checksum(const unsigned char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static void write_image(const char *path, const unsigned char *image, int size)
{
    FILE *file = fopen(path, "wb");
    size_t bytes = (size_t)size * (size_t)size * 3;
    bool failed = file == NULL || fprintf(file, "P6\n%d %d\n255\n", size, size) < 0 ||
                  fwrite(image, 1, bytes, file) != bytes;
    if (file != NULL && fclose(file) != 0)
        failed = true;
    if (failed) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

/* ---- what it cost ---- */

/* The time of this process alone, without that of other processes on the machine. */
static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Two reads in a loop: the best of some runs of about half a millisecond. */
static double pair_ns(void)
{
    enum { RUNS = 100, PAIRS = 20000 };
    uint64_t best_ns = UINT64_MAX, total_ticks = 0;
    for (int run = 0; run < RUNS; ++run) {
        uint64_t begin_ns = processor_ns();
        for (int i = 0; i < PAIRS; ++i) {
            uint64_t start_ticks = read_counter();
            total_ticks += read_counter() - start_ticks;
            want(total_ticks);
        }
        uint64_t run_ns = processor_ns() - begin_ns;
        if (run_ns < best_ns)
            best_ns = run_ns;
    }
    return (double)best_ns / PAIRS;
}

/* The calls of all scopes, as the library has counted them. */
static uint64_t count_scopes(void)
{
    uint64_t calls = 0;
#ifdef FLAKE_COUNT
    calls = scope_count;
#endif
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); ++i) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) == 0 && strcmp(row.kind, "scope") == 0)
            calls += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

static void print_cost(uint64_t render_ns)
{
    printf("render_ns %" PRIu64 "\n", render_ns);
    printf("pair_ns %.3f\n", pair_ns());
    printf("scopes %" PRIu64 "\n", count_scopes());
}

static int number(const char *text, int lowest, int highest)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < lowest || value > highest) {
        fprintf(stderr, "flake: %s is not a number from %d to %d\n", text, lowest, highest);
        exit(EXIT_FAILURE);
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    int size = 750, depth = 4, option;
    const char *path = NULL;
    bool is_cost_wanted = false;

    while ((option = getopt(argc, argv, "s:d:o:c")) != -1) {
        if (option == 's')
            size = number(optarg, 1, PIXELS_MAX);
        else if (option == 'd')
            depth = number(optarg, 0, DEPTH_MAX);
        else if (option == 'o')
            path = optarg;
        else if (option == 'c')
            is_cost_wanted = true;
        else
            return EXIT_FAILURE;
    }
    size_t bytes = (size_t)size * (size_t)size * 3;
    unsigned char *image = malloc(bytes);
    if (image == NULL) {
        perror("flake");
        return EXIT_FAILURE;
    }

    uint64_t begin_ns = processor_ns();
    build(depth);
    render(image, size);
    uint64_t render_ns = processor_ns() - begin_ns;

    printf("checksum %016" PRIx64 "\n", checksum(image, bytes));
    if (is_cost_wanted)
        print_cost(render_ns);
    if (path != NULL)
        write_image(path, image, size);
    free(spheres);
    free(image);
    return EXIT_SUCCESS;
}
