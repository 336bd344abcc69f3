/* Which accesses the backend makes one of. It moves neighbours at once, as 8 or 16 bytes, if these are aligned and all of them are
 * touched; and longer rows break them up, or not:
 *
 *     s[ty][4 * tx + 0 ... 3]        128 * ty + 16 * tx        one load of 16 bytes
 *     4 bytes longer                 132 * ty + 16 * tx        four loads of 4
 *     16 bytes longer                144 * ty + 16 * tx        one of 16
 *
 * So does ptxas with what LLVM leaves, wherever the array begins. Nothing but speed hangs on that. */
#include "analysis/banks/banks.h"

/* ---- neighbours ---- */

static bool has_term(const Offset *offset, const OffsetTerm *term)
{
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *other = offset->terms.item[i];
        if (other->value == term->value && other->is_signed == term->is_signed && other->factor == term->factor)
            return true;
    }
    return false;
}

/* The barrier behind which the instruction stands in its block; NULL where there is none. */
static LLVMValueRef barrier_before(LLVMValueRef at)
{
    while (at && !is_block_barrier(at))
        at = LLVMGetPreviousInstruction(at);
    return at;
}

static bool is_neighbour(const ArrayUse *use, const ArrayUse *other)
{
    bool is_alike = LLVMGetInstructionOpcode(use->at) == LLVMGetInstructionOpcode(other->at) &&
                    LLVMGetInstructionParent(use->at) == LLVMGetInstructionParent(other->at) && use->unit == other->unit &&
                    use->offset.exact == other->offset.exact && use->offset.terms.count == other->offset.terms.count;
    for (size_t i = 0; is_alike && i < use->offset.terms.count; i++)
        is_alike = has_term(&other->offset, use->offset.terms.item[i]);
    return is_alike && barrier_before(use->at) == barrier_before(other->at);
}

/* Bytes and halves are not looked for. */
static bool may_join(const ArrayUse *use)
{
    bool is_access = LLVMIsALoadInst(use->at) || LLVMIsAStoreInst(use->at);
    return is_access && is_plain(use->at) && !use->bytes && use->unit >= BANK_BYTES && use->unit < REQUEST_BYTES;
}

void find_neighbours(Padding *padding)
{
    List lists = list_new(padding->arena);
    for (size_t i = 0; i < padding->uses.count; i++) {
        ArrayUse *use = padding->uses.item[i];
        List *list = NULL;
        for (size_t k = 0; may_join(use) && k < lists.count && !list; k++)
            if (is_neighbour(use, ((const List *)lists.item[k])->item[0]))
                list = lists.item[k];
        if (!may_join(use))
            continue;
        if (!list) {
            list = ARENA_NEW(padding->arena, List);
            *list = list_new(padding->arena);
            list_add(&lists, list);
        }
        list_add(list, use);
        use->neighbours = list;
    }
}

/* ---- pieces ---- */

/* Its constant, once the rows are longer; columns that may leave their row are moved by how far the piece is that they begin in. Of a place that no
 * array reaches it may be any number, and wraps around. */
static int64_t constant_in(const Offset *offset, int64_t row, int64_t pad)
{
    bool is_moved = pad && offset_stays(offset, row);
    return is_moved ? wrap_add(offset->constant, wrap_mul(floor_div(offset->constant, row), pad)) : offset->constant;
}

/* Do the neighbours touch all of the aligned piece that the access lies in? */
static bool is_covered(const ArrayUse *use, int piece, int64_t row, int64_t pad)
{
    int64_t first = floor_div(constant_in(&use->offset, row, pad), piece) * piece;
    unsigned touched = 0, all = (1u << piece / use->unit) - 1;
    for (size_t i = 0; i < use->neighbours->count; i++) {
        int64_t at = wrap_sub(constant_in(&((const ArrayUse *)use->neighbours->item[i])->offset, row, pad), first);
        if (at >= 0 && at < piece && at % use->unit == 0)
            touched |= 1u << at / use->unit;
    }
    return touched == all;
}

int joined_bytes(const ArrayUse *use, int64_t row, int64_t pad)
{
    if (!use->neighbours)
        return use->unit;
    int64_t aligned = offset_alignment(&use->offset, row, pad);
    bool is_divided = pad && !offset_stays(&use->offset, row); /* and then a piece has to lie in one row */
    for (int piece = REQUEST_BYTES; piece > use->unit; piece /= 2) {
        bool is_aligned = piece <= aligned && (!is_divided || row % piece == 0);
        if (is_aligned && is_covered(use, piece, row, pad))
            return piece;
    }
    return use->unit;
}
