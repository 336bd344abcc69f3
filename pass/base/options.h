/* What the user asks for, of a module or of a kernel. */
#ifndef COALDA_OPTIONS_H
#define COALDA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pass/base/cost_table.h"
#include "pass/base/shape.h"

typedef bool OptionFlag;
typedef Shape OptionShape;
typedef int OptionArch;
typedef int OptionBytes;
typedef int OptionStages;
typedef int OptionTiles;
/* Which kernels stay as they were beside what they have become: none, those whose rows may be too short, or all that gain in some launches alone. */
typedef enum { SPARES_NONE, SPARES_ROWS, SPARES_ALL } OptionSpares;
typedef Costs OptionCost;
typedef uint64_t OptionFeatures; /* a bit for each Feature that is left out */

typedef unsigned OptionRequirements; /* a bit for each Requirement */

typedef enum {
#define FEATURE(id, name, does) id,
#include "pass/base/features.def"
#undef FEATURE
} Feature;

/* What a kernel may require, once: X(enum, "name", function of required.c, "what holds of the kernel, or its compilation fails"). */
#define REQUIREMENTS(X) \
    X(REQUIRE_RING, "ring", check_ring, \
      "it has a loop that stages tiles in shared memory, and each that it has is a ring: its copies, or its loads, run ahead") \
    X(REQUIRE_FILL, "fill", check_fill, "it has a loop that fills shared memory, and each that it has copies asynchronously") \
    X(REQUIRE_COALESCED, "coalesced", check_coalesced, \
      "each load and store of global memory is rewritten, or takes less than one and a half times the sectors of the best") \
    X(REQUIRE_BANKS, "banks", check_banks, \
      "no load or store of shared memory has several threads that want different words of one bank") \
    X(REQUIRE_REGISTERS, "registers", check_registers, "no array of a thread lies in local memory")

typedef enum {
#define X(id, name, check, holds) id,
    REQUIREMENTS(X)
#undef X
} Requirement;

/* Of all things whose names have the part in them; "" is in every name. Options outlive the text that they were read from. */
enum { NAME_BYTES = 256 };
typedef struct {
    bool is_given;
    char part[NAME_BYTES];
} OptionName;

enum { PATH_BYTES = 1024 };
typedef struct {
    char text[PATH_BYTES]; /* "" where none was given */
} OptionPath;

typedef struct {
#define OPTION(name, Type, field, help) Option##Type field;
#include "pass/base/options.def"
#undef OPTION
} Options;

static inline bool is_required(const Options *options, Requirement what) { return options->require >> what & 1; }
static inline bool feature_is_off(const Options *options, Feature feature) { return options->without >> feature & 1; }

/* Sets one option from "name" or "name=value" (length bytes). NULL, or what is wrong, allocated in the arena. */
const char *option_set(Options *options, const char *text, size_t length, Arena *arena);
/* A list separated by ';'. */
const char *options_parse(Options *options, const char *text, size_t length, Arena *arena);
/* What is set in `over` wins; what either requires is required. */
Options options_merge(Options base, Options over);

#endif
