/* Which words of a record one reduction adds to: two from a multiple of eight bytes on, four from one of sixteen (PTX ISA, "red").
 *
 *     struct { float x, y, z, w; }            16 bytes apart    x y z w | x y z w        four, if the array begins at a multiple of 16
 *     struct { float x, y, z, m; }, x to z                      x y   z | x y   z        two and one, if it begins at one of 8
 *     f[3*i], f[3*i + 1], f[3*i + 2]          12 bytes apart    x y   z   x   y z        two and one, or one and two: each thread finds
 *
 * Arrays are taken to begin at a multiple of 16 bytes, which the thread asks before it adds. What the addresses of a record have in
 * common besides is the greatest power of two that divides all that an index is multiplied by.
 *
 * What no vector reduction is made of, sums of integers and of doubles, and all operations on sm_80, is made by lanes side by side:
 *
 *     lane     0    1    2    3    4    5                one after the other                 32 lanes: 32 words of 11 records
 *     before   x0   x1   x2   x3   x4   x5 ...   then y0 ...   then z0 ...                   12 or 16 bytes from each other
 *     after    x0   y0   z0   x1   y1   z1 ...   then y10 ...                                4 bytes from each other
 *
 * On an H100, of four million records, in us, one word after the other and so: two of 32 bits 45 and 36, three 81 and 57, four 125 and 71, six 248 and 102,
 * eight 430 and 129; of 64 bits two 91 and 74, three 156 and 104, four 247 and 134. */
#include "analysis/reductions/reductions.h"

enum { PAIR = 2, QUAD = 4, ODD_BYTES = PAIR * WORD_BYTES };

Addition *addition_at(const AddedRecord *record, size_t number) { return record->additions.item[number]; }

const Addition *addition_end(const AddedRecord *record, bool last)
{
    const Addition *end = addition_at(record, 0);
    for (size_t i = 1; i < record->additions.count; i++) {
        const Addition *addition = addition_at(record, i);
        if ((addition->place > end->place) == last)
            end = addition;
    }
    return end;
}

int64_t added_bytes(const AddedRecord *record)
{
    return addition_at(record, record->additions.count - 1)->offset + addition_at(record, 0)->bytes;
}

/* Of a turned piece: as many pairs as there are, and one word. */
static int made_of(const Piece *piece) { return piece->turned ? piece->words / PAIR + 1 : 1; }

int pieces_made(const AddedRecord *record)
{
    int made = 0;
    for (size_t i = 0; i < record->pieces.count; i++)
        made += made_of(record->pieces.item[i]);
    return made;
}

bool addition_is_joined(const AddedRecord *record, LLVMValueRef instruction)
{
    for (size_t i = 0; !record->why && i < record->pieces.count; i++) {
        const Piece *piece = record->pieces.item[i];
        for (int k = 0; piece->words > 1 && k < piece->words; k++)
            if (addition_at(record, piece->first + (size_t)k)->instruction == instruction)
                return true;
    }
    return false;
}

/* ---- what the addresses have in common ---- */

static bool is_pointer(const Term *term) { return term->degree == 1 && term->coefficient == 1; }

/* In bytes, a power of two. */
static int common_unit(const Form *address)
{
    uint64_t bits = IR_WIDEST;
    for (int i = 0; i < address->count; i++)
        if (!is_pointer(&address->term[i]))
            bits |= (uint64_t)address->term[i].coefficient;
    return (int)(bits & -bits);
}

/* ---- pieces ---- */

static void piece_add(AddedRecord *record, size_t first, int words, bool turned)
{
    Piece *piece = ARENA_NEW(record->additions.arena, Piece);
    *piece = (Piece){first, words, turned};
    list_add(&record->pieces, piece);
}

/* Words that follow each other, from that one on. */
static int run_at(const AddedRecord *record, size_t first)
{
    size_t end = first + 1;
    while (end < record->additions.count && addition_at(record, end)->offset == addition_at(record, end - 1)->offset + WORD_BYTES)
        end++;
    return (int)(end - first);
}

/* Nobody knows where pairs begin: those of an odd number of words are turned by each thread as it needs. */
static void cut_turned(AddedRecord *record, size_t first, int words)
{
    int odd = words % 2 ? words : words - 1;
    if (odd > 1)
        piece_add(record, first, odd, true);
    for (int i = odd > 1 ? odd : 0; i < words; i++)
        piece_add(record, first + (size_t)i, 1, false);
}

static int words_from(int64_t at, int unit, int left)
{
    bool is_quad = left >= QUAD && unit >= QUAD * WORD_BYTES && at % (QUAD * WORD_BYTES) == 0;
    return is_quad ? QUAD : left >= PAIR && at % ODD_BYTES == 0 ? PAIR : 1;
}

static void cut_run(AddedRecord *record, size_t first, int words, int unit, int64_t begin)
{
    for (int done = 0; done < words;) {
        size_t next = first + (size_t)done;
        int taken = words_from(begin + addition_at(record, next)->offset, unit, words - done);
        int needed = taken * WORD_BYTES;
        if (taken > 1 && needed > record->alignment)
            record->alignment = needed;
        piece_add(record, next, taken, false);
        done += taken;
    }
}

void pieces_cut(AddedRecord *record)
{
    const Form *address = automaton_form(record->scope, addition_at(record, 0)->pointer);
    int unit = common_unit(address);
    int64_t begin = address->constant & (unit - 1); /* bytes from the last multiple of the unit to the lowest word */
    record->pieces = list_new(record->additions.arena);
    record->alignment = record->phase = 0;
    for (size_t i = 0; i < record->additions.count;) {
        int words = run_at(record, i);
        if (unit < ODD_BYTES)
            cut_turned(record, i, words);
        else
            cut_run(record, i, words, unit, begin);
        i += (size_t)words;
    }
    record->phase = record->alignment ? (int)(begin & (record->alignment - 1)) : 0;
}

/* As many as lie in 32 bytes from the first of them on. */
void pieces_cut_across(AddedRecord *record)
{
    record->pieces = list_new(record->additions.arena);
    record->alignment = record->phase = 0;
    record->across = true;
    for (size_t i = 0, end; i < record->additions.count; i = end) {
        for (end = i + 1; end < record->additions.count; end++) {
            const Addition *last = addition_at(record, end);
            if (last->offset + last->bytes - addition_at(record, i)->offset > SECTOR_BYTES)
                break;
        }
        piece_add(record, i, (int)(end - i), false);
    }
}
