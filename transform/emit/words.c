/* Between the members of a record, of any type, and the words that the warp moves.
 *
 *     float a; short b; char c, d;        word 0 = bits of a
 *                                         word 1 = b | c << 16 | d << 24 */
#include "pass/base/ir.h"
#include "transform/emit/words.h"

void words_add(List *words, Arena *arena, int64_t offset, int unit_bytes, const Unit *unit)
{
    for (int i = 0; i < unit->words; i++) {
        Word *word = ARENA_NEW(arena, Word);
        *word = (Word){offset + i * WORD, unit_bytes < WORD ? unit_bytes : WORD, unit->word[i]};
        list_add(words, word);
    }
}

/* ---- bits ---- */

static LLVMTypeRef bits_type(Emit *emit, int bytes) { return LLVMIntTypeInContext(emit->context, 8 * (unsigned)bytes); }

static LLVMTypeRef words_type(Emit *emit, int count) { return count == 1 ? emit->i32 : LLVMVectorType(emit->i32, (unsigned)count); }

/* Integer or vector of integers -> the type, bit for bit. */
static LLVMValueRef from_bits(Emit *emit, LLVMValueRef bits, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return LLVMTypeOf(bits) == type ? bits : LLVMBuildBitCast(emit->builder, bits, type, "");
    LLVMTypeRef address = LLVMIntPtrTypeForASInContext(emit->context, emit->layout, LLVMGetPointerAddressSpace(type));
    if (LLVMTypeOf(bits) != address)
        bits = LLVMBuildBitCast(emit->builder, bits, address, "");
    return LLVMBuildIntToPtr(emit->builder, bits, type, "");
}

static LLVMValueRef to_bits(Emit *emit, LLVMValueRef value, LLVMTypeRef bits)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        type = LLVMIntPtrTypeForASInContext(emit->context, emit->layout, LLVMGetPointerAddressSpace(type));
        value = LLVMBuildPtrToInt(emit->builder, value, type, "");
    }
    return type == bits ? value : LLVMBuildBitCast(emit->builder, value, bits, "");
}

/* Bytes [from, from + count) of an integer, as an i32. */
static LLVMValueRef cut_bits(Emit *emit, LLVMValueRef integer, int64_t from, int count)
{
    LLVMValueRef moved = from ? emit_binary(emit, LLVMLShr, integer, 8 * from) : integer;
    LLVMTypeRef part = bits_type(emit, count);
    if (LLVMTypeOf(moved) != part)
        moved = LLVMBuildTrunc(emit->builder, moved, part, "");
    return count == WORD ? moved : LLVMBuildZExt(emit->builder, moved, emit->i32, "");
}

/* ---- words -> value ---- */

static const Word *word_at(const List *words, int64_t offset)
{
    for (size_t i = 0; i < words->count; i++) {
        const Word *word = words->item[i];
        if (offset >= word->offset && offset < word->offset + word->bytes)
            return word;
    }
    return NULL;
}

static bool in_whole_words(const List *words, int64_t offset, int bytes)
{
    for (int64_t at = offset; at < offset + bytes; at += WORD) {
        const Word *word = word_at(words, at);
        if (word->offset != at || word->bytes != WORD)
            return false;
    }
    return bytes % WORD == 0;
}

static LLVMValueRef whole_words(Emit *emit, const List *words, int64_t offset, int count)
{
    if (count == 1)
        return word_at(words, offset)->value;
    LLVMValueRef vector = LLVMGetUndef(words_type(emit, count));
    for (int i = 0; i < count; i++)
        vector = LLVMBuildInsertElement(emit->builder, vector, word_at(words, offset + i * WORD)->value, emit_int(emit, i), "");
    return vector;
}

/* Pieces of words, each shifted to its place in one integer. */
static LLVMValueRef pieced_bits(Emit *emit, const List *words, int64_t offset, int bytes)
{
    LLVMTypeRef type = bits_type(emit, bytes);
    LLVMValueRef sum = NULL;
    for (int64_t at = offset; at < offset + bytes;) {
        const Word *word = word_at(words, at);
        int64_t end = word->offset + word->bytes;
        int count = (int)((end < offset + bytes ? end : offset + bytes) - at);
        LLVMValueRef piece = cut_bits(emit, word->value, at - word->offset, count);
        if (8 * bytes > 32)
            piece = LLVMBuildZExt(emit->builder, piece, type, "");
        else if (8 * bytes < 32)
            piece = LLVMBuildTrunc(emit->builder, piece, type, "");
        if (at > offset)
            piece = emit_binary(emit, LLVMShl, piece, 8 * (at - offset));
        sum = sum ? LLVMBuildOr(emit->builder, sum, piece, "") : piece;
        at += count;
    }
    return sum;
}

LLVMValueRef words_value(Emit *emit, const List *words, int64_t offset, LLVMTypeRef type)
{
    int bytes = (int)LLVMStoreSizeOfType(emit->layout, type);
    LLVMValueRef bits = in_whole_words(words, offset, bytes) ? whole_words(emit, words, offset, bytes / WORD)
                                                             : pieced_bits(emit, words, offset, bytes);
    return from_bits(emit, bits, type);
}

/* ---- bytes as numbers ---- */

static const char permute[] = "llvm.nvvm.prmt";

/* Four digits, the lowest first, each a byte of the word; 8 and above copy its sign, 4 is a 0 here (PTX ISA, prmt). */
static int64_t selector_of(int place, bool is_signed)
{
    int above = is_signed ? 8 | place : WORD;
    return place | above << 4 | above << 8 | above << 12;
}

/* One instruction, where a shift and an extension would be two. */
LLVMValueRef words_byte(Emit *emit, const List *words, int64_t offset, bool is_signed)
{
    const Word *word = word_at(words, offset);
    LLVMValueRef selector = emit_int(emit, selector_of((int)(offset - word->offset), is_signed));
    LLVMValueRef args[] = {word->value, emit_int(emit, 0), selector};
    return emit_call(emit, permute, emit->i32, args, 3);
}

bool words_is_byte(LLVMValueRef value, Byte *byte)
{
    if (!is_call_of(value, permute) || !LLVMIsNull(LLVMGetOperand(value, 1)) || !LLVMIsAConstantInt(LLVMGetOperand(value, 2)))
        return false;
    int64_t selector = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 2));
    *byte = (Byte){LLVMGetOperand(value, 0), (int)selector & (WORD - 1), (selector >> 4 & 8) != 0};
    return selector == selector_of(byte->place, byte->is_signed);
}

/* ---- members -> unit ---- */

static const Content *content_at(const List *contents, int64_t offset)
{
    for (size_t i = contents->count; i-- > 0;) {
        const Content *content = contents->item[i];
        if (offset >= content->offset && offset < content->offset + content->bytes)
            return content;
    }
    return NULL;
}

/* Bytes [offset, offset + count) of the record, all of one member, as an i32. A value that means nothing here must not
 * spoil its neighbours in the word: it is frozen. */
static LLVMValueRef content_bits(Emit *emit, const Content *content, int64_t offset, int count)
{
    if (!content->value)
        return pieced_bits(emit, content->words, offset, count);
    int64_t from = offset - content->offset;
    LLVMValueRef value = LLVMBuildFreeze(emit->builder, content->value, "");
    if (content->bytes % WORD == 0 && from % WORD == 0 && count == WORD) {
        LLVMValueRef bits = to_bits(emit, value, words_type(emit, content->bytes / WORD));
        return content->bytes == WORD ? bits : LLVMBuildExtractElement(emit->builder, bits, emit_int(emit, from / WORD), "");
    }
    return cut_bits(emit, to_bits(emit, value, bits_type(emit, content->bytes)), from, count);
}

LLVMValueRef words_written(const List *contents, int64_t offset) { return content_at(contents, offset)->written; }

static LLVMValueRef widened(Emit *emit, LLVMValueRef bits)
{
    return LLVMTypeOf(bits) == emit->i32 ? bits : LLVMBuildZExt(emit->builder, bits, emit->i32, "");
}

static LLVMValueRef word_of(Emit *emit, const List *contents, int64_t offset, int bytes)
{
    LLVMValueRef sum = NULL;
    for (int from = 0, to; from < bytes; from = to) {
        const Content *content = content_at(contents, offset + from);
        for (to = from + 1; to < bytes && content_at(contents, offset + to) == content; to++)
            ;
        LLVMValueRef piece = widened(emit, content_bits(emit, content, offset + from, to - from));
        if (from)
            piece = emit_binary(emit, LLVMShl, piece, 8 * from);
        sum = sum ? LLVMBuildOr(emit->builder, sum, piece, "") : piece;
    }
    return sum;
}

Unit words_unit(Emit *emit, const List *contents, int64_t offset, int bytes)
{
    Unit unit = {.words = bytes > WORD ? bytes / WORD : 1};
    for (int i = 0; i < unit.words; i++)
        unit.word[i] = word_of(emit, contents, offset + i * WORD, bytes > WORD ? WORD : bytes);
    return unit;
}
