/* Inline assembly is read statement by statement, as far as must be known of it: what is arithmetic is listed (ptx_statement.def), and
 * what waits for other threads of the block. Names are as in IR: operands are $0, and % begins a register.
 *
 *     { .reg .pred %p; setp.ne.u32 %p, $1, 0; @%p bar.sync 0; }          three statements, the last of them guarded */
#include "pass/base/ptx_statement.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *name, *operands, *end;
    bool guarded;
} Statement;

static const char blanks[] = " \t\r\n";

/* again: bar.sync 0; */
static const char *behind_labels(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n{};");
        size_t length = strcspn(at, " \t\r\n;");
        if (!length || at[length - 1] != ':')
            return at;
        at += length;
    }
}

/* The statement at `at`, which moves behind it; false at the end of the text. */
static bool next_statement(const char **at, Statement *statement)
{
    const char *start = behind_labels(*at);
    *statement = (Statement){.guarded = *start == '@'};
    if (statement->guarded) {
        start += strcspn(start, blanks);
        start += strspn(start, blanks);
    }
    statement->name = start;
    statement->operands = start + strcspn(start, " \t\r\n;");
    statement->end = start + strcspn(start, ";");
    *at = statement->end;
    return *start != '\0';
}

/* ---- names ---- */

static size_t length_of_part(const char *name, const char *end)
{
    size_t length = strcspn(name, ".");
    return name + length < end ? length : (size_t)(end - name);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool is_any(const char *text, size_t length, const char *const words[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(text, length, words[i]))
            return true;
    return false;
}

#define IS_ANY(text, length, words) is_any(text, length, words, sizeof(words) / sizeof *(words))

/* Is one of the words a part of the name behind its first? */
static bool has_part(const Statement *s, const char *const words[], size_t count)
{
    for (const char *at = s->name; at < s->operands; at += length_of_part(at, s->operands) + 1)
        if (at > s->name && is_any(at, length_of_part(at, s->operands), words, count))
            return true;
    return false;
}

#define HAS_PART(statement, words) has_part(statement, words, sizeof(words) / sizeof *(words))

/* ---- arithmetic ---- */

static bool declares_registers(const Statement *s) { return is_word(s->name, (size_t)(s->operands - s->name), ".reg"); }

/* .reg .pred %p; makes registers of the text's own. */
static bool declares(const Statement *s, const char *name, size_t length)
{
    if (!declares_registers(s))
        return false;
    for (const char *at = strchr(s->operands, '%'); at && at < s->end; at = strchr(at + 1, '%'))
        if (strcspn(at + 1, " \t\r\n,;<") == length && strncmp(at + 1, name, length) == 0)
            return true;
    return false;
}

static bool is_own_register(const char *ptx, const char *name, size_t length)
{
    Statement s;
    while (next_statement(&ptx, &s))
        if (declares(&s, name, length))
            return true;
    return false;
}

static bool reads_steady(const char *ptx)
{
    static const char *const steady[] = {
#define STEADY(name) name,
#include "pass/base/ptx_statement.def"
    };
    for (const char *at = strchr(ptx, '%'); at; at = strchr(at + 1, '%')) {
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (!IS_ANY(at + 1, length, steady) && !is_own_register(ptx, at + 1, length))
            return false;
    }
    return true;
}

static bool is_arithmetic(const Statement *s)
{
    static const char *const pure[] = {
#define PURE(name) name,
#include "pass/base/ptx_statement.def"
    };
    static const char *const ordered[] = {"sync", "aligned", "volatile", "relaxed", "acquire", "mmio"};
    return IS_ANY(s->name, length_of_part(s->name, s->operands), pure) && !HAS_PART(s, ordered);
}

bool text_is_pure(const char *ptx)
{
    Statement s;
    for (const char *at = ptx; next_statement(&at, &s);)
        if (!declares_registers(&s) && !is_arithmetic(&s))
            return false;
    return reads_steady(ptx);
}

/* ---- reads ---- */

/* Matrices that the lanes of a warp read and multiply together. */
static bool is_of_warp(const Statement *s)
{
    static const char *const warp[] = {
#define WARP(name) name,
#include "pass/base/ptx_statement.def"
    };
    static const char *const writes[] = {"store", "global"};
    return IS_ANY(s->name, length_of_part(s->name, s->operands), warp) && !HAS_PART(s, writes);
}

bool text_only_reads(const char *ptx)
{
    Statement s;
    for (const char *at = ptx; next_statement(&at, &s);)
        if (!declares_registers(&s) && !is_arithmetic(&s) && !is_of_warp(&s))
            return false;
    return true;
}

static bool is_linear(const Statement *s)
{
    static const char *const linear[] = {
#define LINEAR(name) name,
#include "pass/base/ptx_statement.def"
    };
    return IS_ANY(s->name, length_of_part(s->name, s->operands), linear);
}

/* cvt.u32.u64 keeps all of an address in shared memory, cvt.u16.u32 does not. */
static bool narrows(const Statement *s)
{
    static const char *const cvt[] = {"cvt"}, *const narrow[] = {"u8", "s8", "u16", "s16", "f16", "f32", "f64", "bf16"};
    return IS_ANY(s->name, length_of_part(s->name, s->operands), cvt) && HAS_PART(s, narrow);
}

/* add.u32 t, $1, $1: no address moves on so. */
static bool takes_twice(const Statement *s)
{
    const char *first = s->operands + strcspn(s->operands, "$");
    for (const char *at = first; at < s->end; at += 1 + strcspn(at + 1, "$")) {
        size_t length = 1 + strspn(at + 1, "0123456789");
        for (const char *other = at + 1 + strcspn(at + 1, "$"); other < s->end; other += 1 + strcspn(other + 1, "$"))
            if (1 + strspn(other + 1, "0123456789") == length && strncmp(at, other, length) == 0)
                return true;
    }
    return false;
}

static bool gives_result(const Statement *s)
{
    const char *first = s->operands + strspn(s->operands, blanks);
    return first < s->end && (*first == '$' || *first == '{');
}

static bool reads_memory(const Statement *s)
{
    static const char *const names[] = {"ld", "ldmatrix", "wmma"};
    return IS_ANY(s->name, length_of_part(s->name, s->operands), names);
}

TextAddress text_address(const char *ptx)
{
    bool reads = false, gives = false;
    Statement s;
    if (!text_only_reads(ptx))
        return TEXT_ADDRESS_UNKNOWN;
    for (const char *at = ptx; next_statement(&at, &s);) {
        bool linear = is_linear(&s) && !narrows(&s) && !takes_twice(&s);
        if (!declares_registers(&s) && !linear && !reads_memory(&s))
            return TEXT_ADDRESS_UNKNOWN;
        reads |= reads_memory(&s);
        gives |= linear && gives_result(&s);
    }
    return reads == gives ? TEXT_ADDRESS_UNKNOWN : reads ? TEXT_ADDRESS_READ : TEXT_ADDRESS_MOVED;
}

/* ---- barriers ---- */

/* bar.sync and barrier.cta.red, but neither bar.warp.sync nor barrier.cluster.arrive. */
static bool is_of_block(const Statement *s)
{
    static const char *const names[] = {"bar", "barrier"}, *const others[] = {"warp", "cluster"};
    return IS_ANY(s->name, length_of_part(s->name, s->operands), names) && !HAS_PART(s, others);
}

/* bar.sync 1, 64: the first operand is a number in the text, if it is not known at run time alone. */
static TextBarrier barrier_of(const Statement *s)
{
    static const char *const sync[] = {"sync"};
    const char *number = s->operands + strspn(s->operands, blanks);
    size_t length = strspn(number, "0123456789");
    const char *rest = number + length + strspn(number + length, blanks);
    if (!is_of_block(s) || (length && strspn(number, "0") < length))
        return TEXT_NO_BARRIER;
    return length && rest == s->end && !s->guarded && HAS_PART(s, sync) ? TEXT_BARRIER : TEXT_OTHER_BARRIER;
}

static bool jumps(const char *ptx)
{
    static const char *const names[] = {"bra", "brx", "call", "ret", "exit"};
    Statement s;
    while (next_statement(&ptx, &s))
        if (IS_ANY(s.name, length_of_part(s.name, s.operands), names))
            return true;
    return false;
}

TextBarrier text_barrier(const char *ptx)
{
    TextBarrier found = TEXT_NO_BARRIER;
    Statement s;
    for (const char *at = ptx; next_statement(&at, &s);) {
        TextBarrier barrier = barrier_of(&s);
        if (barrier)
            found = found || jumps(ptx) ? TEXT_OTHER_BARRIER : barrier;
    }
    return found;
}
