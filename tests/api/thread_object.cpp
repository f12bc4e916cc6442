#include "thread_object.h"

namespace
{
struct object {
    void (*at_end)() = nullptr;
    ~object()
    {
        if (at_end)
            at_end();
    }
};

thread_local object own;
} // namespace

void thread_object_make(void (*at_end)())
{
    own.at_end = at_end;
}
