/* printf, assert and trap of device code. */
#include "sim.h"

#include <inttypes.h>
#include <string.h>

/* A string in simulated memory, as far as it is there. */
static void string_read(Ctx *c, int lane, uint64_t address, char *text, size_t size)
{
    size_t length = 0;
    for (; length + 1 < size; length++) {
        Place place;
        if (!place_find(c, lane, address + length, 0, 1, 1, ACCESS_READ, &place) || *place.data == 0)
            break;
        text[length] = (char)*place.data;
    }
    text[length] = 0;
}

/* The arguments of vprintf lie in a buffer, each at its natural alignment. */
static uint64_t argument_take(Ctx *c, int lane, uint64_t *at, unsigned bytes)
{
    Place place;
    *at = (*at + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    if (place_find(c, lane, *at, 0, bytes, 1, ACCESS_READ, &place))
        value = bytes_read(place.data, bytes);
    *at += bytes;
    return value;
}

static void print_one(Ctx *c, int lane, const char *spec, size_t length, uint64_t *at)
{
    char format[64], text[1024];
    char kind = spec[length - 1];
    bool is_long = memchr(spec, 'l', length) || memchr(spec, 'j', length) || memchr(spec, 'z', length) || memchr(spec, 't', length);
    size_t keep = 0;
    for (size_t i = 0; i + 1 < length && keep < 40; i++)
        if (!strchr("ljzth", spec[i]))
            format[keep++] = spec[i];
    format[keep] = 0;
    if (strchr("di", kind)) {
        strcat(format, "lld");
        uint64_t value = argument_take(c, lane, at, is_long ? 8 : 4);
        printf(format, (long long)(is_long ? (int64_t)value : (int32_t)value));
    } else if (strchr("uxXo", kind)) {
        strcat(format, "ll");
        strncat(format, &kind, 1);
        printf(format, (unsigned long long)argument_take(c, lane, at, is_long ? 8 : 4));
    } else if (strchr("feEgGaAF", kind)) {
        strncat(format, &kind, 1);
        uint64_t bits = argument_take(c, lane, at, 8);
        double value;
        memcpy(&value, &bits, 8);
        printf(format, value);
    } else if (kind == 'c') {
        strcat(format, "c");
        printf(format, (int)argument_take(c, lane, at, 4));
    } else if (kind == 's') {
        strcat(format, "s");
        string_read(c, lane, argument_take(c, lane, at, 8), text, sizeof text);
        printf(format, text);
    } else if (kind == 'p') {
        printf("0x%" PRIx64, argument_take(c, lane, at, 8));
    }
}

static void print_lane(Ctx *c, int lane, const char *format, uint64_t at)
{
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            putchar(*p);
            continue;
        }
        if (p[1] == '%') {
            putchar(*++p);
            continue;
        }
        size_t length = 1 + strcspn(p + 1, "diuxXofeEgGaAFcsp");
        if (p[length] == 0)
            return;
        print_one(c, lane, p, length + 1, &at);
        p += length;
    }
}

void op_printf(Ctx *c)
{
    char format[1024];
    int lane;
    EACH_LANE(lane, c->mask) {
        string_read(c, lane, ref_value(c, c->inst->src[0])[lane], format, sizeof format);
        print_lane(c, lane, format, ref_value(c, c->inst->src[1])[lane]);
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = 0;
    }
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
}

void op_assertfail(Ctx *c)
{
    char message[512], file[512];
    int lane;
    EACH_LANE(lane, c->mask) {
        string_read(c, lane, ref_value(c, c->inst->src[0])[lane], message, sizeof message);
        string_read(c, lane, ref_value(c, c->inst->src[1])[lane], file, sizeof file);
        finding_add(c, lane, FIND_ASSERT, "`%s`, %s:%u", message, file, (unsigned)ref_value(c, c->inst->src[2])[lane]);
    }
    c->sim->stopped = true;
}

void op_trap(Ctx *c)
{
    finding_add(c, __builtin_ctz(c->mask), FIND_TRAP, "the program stops itself");
    c->sim->stopped = true;
}
