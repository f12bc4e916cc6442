#include "wrapped.h"

file_reader wrapped_reader;

ssize_t __wrap_ep_file_read_at(int file, uint64_t from, void *to, size_t bytes);
ssize_t __wrap_ep_file_read_at(int file, uint64_t from, void *to, size_t bytes)
{
    return (wrapped_reader ? wrapped_reader : __real_ep_file_read_at)(file, from, to, bytes);
}
