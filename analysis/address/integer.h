/* Arithmetic on addresses, which are integers modulo 2^64. */
#ifndef COALDA_INTEGER_H
#define COALDA_INTEGER_H

#include <stdint.h>

static inline int64_t wrap_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t wrap_sub(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }
static inline int64_t wrap_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

/* The distance from 0, of INT64_MIN as well. */
static inline uint64_t magnitude(int64_t value) { return value < 0 ? -(uint64_t)value : (uint64_t)value; }

/* Rounded down, by a divisor above 0; what is left is never negative. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

static inline int64_t floor_mod(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

#endif
