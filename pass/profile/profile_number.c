/* Numbers of profiles. */
#include "pass/profile/profile_number.h"

#include <string.h>

#include "pass/profile/profile.h"

static bool read_number(const char **at, uint64_t most, uint64_t *number)
{
    const char *from = *at;
    *number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (*number > (most - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return *at > from;
}

bool number_extents(const char *text, uint32_t *extent)
{
    for (int i = 0; i < PROFILE_AXES; i++)
        extent[i] = 1;
    for (int i = 0; i < PROFILE_AXES; i++) {
        uint64_t number;
        if (!read_number(&text, UINT32_MAX, &number) || !number)
            return false;
        extent[i] = (uint32_t)number;
        if (*text == 0)
            return true;
        if (*text++ != 'x')
            return false;
    }
    return false;
}

bool number_whole(const char *text, uint64_t *number) { return read_number(&text, INT64_MAX, number) && *text == 0; }

bool number_signed(const char *text, int64_t *number)
{
    bool minus = *text == '-';
    uint64_t magnitude;
    text += minus;
    if (!read_number(&text, (uint64_t)INT64_MAX + minus, &magnitude) || *text != 0)
        return false;
    *number = minus ? -(int64_t)(magnitude - (magnitude > 0)) - (magnitude > 0) : (int64_t)magnitude;
    return true;
}

bool number_time(const char *text, uint64_t *nanoseconds)
{
    enum { NANOSECONDS = 1000 };
    uint64_t whole, decimals = 0, unit = NANOSECONDS;
    if (!read_number(&text, INT64_MAX / NANOSECONDS - 1, &whole))
        return false;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++, unit /= 10)
            decimals = decimals * 10 + (uint64_t)(*text - '0');
    *nanoseconds = whole * NANOSECONDS + decimals * unit;
    return *text == 0;
}

bool number_hash(const char *text, uint64_t *hash)
{
    enum { DIGITS = 16 };
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (int i = 0; i < DIGITS; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit)
            return false;
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text[DIGITS] == 0 && *hash;
}
