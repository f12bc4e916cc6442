#include "fingerprint.h"

#include <stdio.h>

#include "utf8.h"

struct ep_wide ep_fingerprint_begin(void)
{
    return (struct ep_wide){.low = UINT64_C(0x62B821756295C58D),
                            .high = UINT64_C(0x6C62272E07BB0142)};
}

struct ep_wide ep_fingerprint_add(struct ep_wide print, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    while (count-- > 0) {
        print.low ^= *byte++;
        uint64_t low = print.low;
        print = ep_wide_multiply_by(print, 0x13B); /* the prime is 2^88 + 0x13B */
        print.high += low << (88 - 64);
    }
    return print;
}

struct ep_wide ep_fingerprint_add_text(struct ep_wide print, const char *text)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length) {
            print = ep_fingerprint_add(print, text, length);
            text += length;
        } else {
            char shown[sizeof "\\xNN"];
            snprintf(shown, sizeof shown, "\\x%02x", (unsigned)(unsigned char)*text++);
            print = ep_fingerprint_add(print, shown, sizeof shown - 1);
        }
    }
    return ep_fingerprint_add(print, "", 1);
}
