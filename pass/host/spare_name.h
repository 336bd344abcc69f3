/* A spare: a kernel that stands beside another one in the same image, for launches in which it does better. Its name says
 * of which kernel it is and when it is to be launched, so that what compiles the host reads it out of the image. A kernel as it was before its walks
 * were rewritten, for launches whose rows are too short to gain:
 *
 *     _Z4sumsPKfPfli$coalda1$arg3_u32_below_16               of _Z4sumsPKfPfli, where its fourth argument, of 32 bits, is below 16
 *     _Z4sums6Params$coalda1$arg0_at20_u32_below_16          where the 32 bits that begin 20 bytes into its first argument, a struct, are
 *     _Z4sumsPKfPfii$coalda1$arg2_u32_times_arg3_u32_below_16    where the product of two, or of three, is
 *     _Z4sumsPKfPfii$coalda1$arg2_u32_over_arg3_u32_below_16     where the quotient of two is
 *     _Z3firPKfPfii$coalda1$arg3_u32_below_32_or_arg2_u32_below_16    where its fourth argument is below 32, or its third one, by which rows
 *                                                                     are apart, below 16, and below the fourth: they overlap
 *     _Z3firPKfPfii$coalda1$arg3_u32_below_32_or_arg2_u32_below_16_odd25_by8    or that is below 25, and no multiple of 8
 *     _Z4peakPKfPfi$coalda1$arg2_u32_below_16_odd25_by8                         the same of a third argument that rows are apart by
 *
 * Where there are several conditions, all of them hold. Or for launches of few threads, or of many, whatever else is said:
 *
 *     _Z4distPKfPfi$coalda1$few128_odd256_of132_arg2_u32_by4                      where each of 132 SMs has 128 threads at most, or 256 if rows
 *                                                                                 that lie arg2 * 4 bytes apart are no multiple of 16 bytes and
 *                                                                                 come to 128 kB at most, or 64 if they are one of 64, and none where
 *                                                                                 they are one of 128
 *     _Z4distPKfPfi$coalda1$few128_odd256_of132_arg2_u32_by4_unless_arg2_u32_below_64     and arg2 is not below 64
 *     _Z4distPKfPfi$coalda1$few128_odd128_of132                                   where each has 128 threads at most
 *     _Z4heatPKfPfiii$coalda1$full_from_130000                                    where the launch has that many threads
 *
 *     _Z4convPKfS0_Pfii$coalda1$full_from_1453_blocks                             where it has that many blocks
 *
 * A kernel whose threads change places, as it was, for launches whose blocks leave them there, so that they need not ask:
 *
 *     _Z5scalePfPKfii$coalda1$straight                                            where blocks are of one row, of one warp, up to eight
 *                                                                                 threads wide, or higher than wide
 *
 * A kernel whose blocks each do the work of several, for launches of many:
 *
 *     _Z4grayPK6uchar3Phi$coalda1$blocks4_args3_from_2400000      of _Z4grayPK6uchar3Phi, launched with a quarter of its blocks along x. Behind the
 *                                                                 kernel's three arguments it is given how many those were. From how heavy a
 *                                                                 launch on, fewer_blocks.c says
 *
 * What a version of the plugin does not understand is no spare's name to it. */
#ifndef COALDA_SPARE_NAME_H
#define COALDA_SPARE_NAME_H

#include "pass/base/arena.h"

/* An integer that a kernel is given, none below zero: an argument, or a member of one that is a struct. */
typedef struct {
    unsigned argument, bits;
    unsigned offset; /* in bytes */
    bool is_member;
} SpareNumber;

enum { SPARE_NUMBERS = 3 };

/* A number, the product of some, or the quotient of the first of two by the second, that is less than a bound. */
typedef struct {
    SpareNumber number[SPARE_NUMBERS];
    unsigned count;
    bool divides;
    uint64_t below;
    SpareNumber pitch; /* or this one, that rows are apart by, is less than a bound of its own, and than the first number; */
    uint64_t near; /* 0: whatever that is */
    uint64_t odd,
        by; /* or what rows are apart by, alone or beside their length, is less than that, and no multiple of a power of two; 0: it is not asked */
} SpareCondition;

enum { SPARE_CONDITIONS = 4 };

/* So many blocks along x are made by one, in launches that weigh at least so much. */
typedef struct {
    unsigned blocks, arguments; /* zero blocks: the spare is launched as its kernel is */
    uint64_t from;
    uint64_t wide; /* of blocks with so many threads along x, at least; 0: of any */
} SpareCoarse;

enum { FEW_ODD_BYTES = 16, FEW_HALF_BYTES = 64, FEW_LINE_BYTES = 128 }; /* rows that are no multiple of these apart, */
enum { FEW_CACHED = 1 << 17 }; /* and, where odd, as many bytes at most on an SM */

/* Few threads are on each SM, which holds their rows in its first-level cache. */
typedef struct {
    unsigned threads, odd, multiprocessors; /* zero threads: it is not launched for that */
    unsigned bytes; /* rows lie so many times a number of bytes apart; zero: whatever that is */
    SpareNumber number;
    bool is_bounded; /* and a number, or several, are not below a bound */
    SpareCondition least;
} SpareFew;

/* When a spare is launched as its kernel is. */
typedef struct {
    SpareCondition small[SPARE_CONDITIONS];
    size_t count; /* all of them hold; zero: that is no reason */
    SpareFew few;
    uint64_t full; /* or the launch has so many threads, ... */
    bool full_blocks; /* ... or blocks; zero: that is no reason */
    bool straight; /* or the threads of its blocks would not change places (transform/turn): the one reason then */
} SpareLaunch;

typedef struct {
    const char *text; /* all of it */
    size_t length;
    size_t kernel_length; /* of the kernel's name, with which it begins */
    SpareLaunch launch; /* for some reason, unless it is coarse */
    SpareCoarse coarse;
} SpareName;

#define SPARE_MARK "$coalda1$"

/* Do both ask for the same numbers, whatever their bounds, or how far rows are apart? */
bool spare_asks_alike(const SpareCondition *one, const SpareCondition *other);
/* Do both ask for that, and by the same number? */
bool spare_pitch_alike(const SpareCondition *one, const SpareCondition *other);
/* Makes the first, which asks for the same numbers, hold only where both do. Of rows that are apart by different numbers, or of which one is no window,
 * length alone decides. */
void spare_narrow(SpareCondition *one, const SpareCondition *other);
/* Are both for the same launches? */
bool spare_few_alike(const SpareFew *one, const SpareFew *other);
const char *spare_name(Arena *arena, const char *kernel, const SpareLaunch *launch);
const char *spare_name_coarse(Arena *arena, const char *kernel, const SpareCoarse *coarse);
/* NULL where the text is no spare's name, or not one of this version. */
const SpareName *spare_name_read(Arena *arena, const char *text, size_t length);

#endif
