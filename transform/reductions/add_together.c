/* Additions to the words of a record are made by vector reductions (analysis/reductions).
 *
 *     atomicAdd(&f[j].x, a);           ->    if (f + j begins at a multiple of 16 bytes)
 *     atomicAdd(&f[j].y, b);                     red.relaxed.gpu.global.add.v4.f32 [f + j], {a, b, c, d}
 *     atomicAdd(&f[j].z, c);                 else
 *     atomicAdd(&f[j].w, d);                     the four, as they were
 *
 * What the rewrite of one stretch leaves behind may be what another adds: pointers and values are asked of the additions themselves.
 * Where something stands between them that may touch the record, the test in front of the first asks that too, and all that stands between is
 * there twice. Words of a turned piece change places where it begins four bytes behind a multiple of eight:
 *
 *     x y z at 8k                      ->    red.v2 [8k], {x, y};      red [8k + 8], z
 *     x y z at 8k + 4                  ->    red.v2 [8k + 8], {y, z};  red [8k + 4], x                  the same two instructions
 *
 * Where there is no such reduction the lanes of a full warp add for each other, so that those side by side have neighbouring words (pieces.c):
 *
 *     atomicAdd(&f[j].x, a);           ->    r = lane / 2
 *     atomicAdd(&f[j].y, b);                 atomicAdd(&f[j of lane r] + lane % 2, a or b of lane r);   then for r + 16 */
#include "analysis/reductions/reductions.h"
#include "transform/emit/clone.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

enum { MOST_WORDS = 4, PAIR = 2 };

typedef struct {
    Emit emit;
    Twins twins;  /* of what stands in the stretch */
    const AddedStretch *stretch;
    LLVMValueRef address; /* of the lowest word of the record at hand */
} Making;

/* ---- one reduction ---- */

/* The text, and how its operands are given: red.relaxed.gpu.global.add.v2.f32 [$0], {$1,$2}; */
static const char *text_of(Arena *arena, const Addition *addition, int words)
{
    const char *flag = addition->added == ADDED_FLOAT ? "" : ".noftz", *vector = "", *value = "$1";
    if (words > 1) {
        vector = arena_text(arena, ".v%d", words);
        value = words == PAIR ? "{$1,$2}" : "{$1,$2,$3,$4}";
    }
    return arena_text(arena, "red.relaxed.%s.global.add%s%s.%s [$0], %s;", addition->scope, flag, vector,
                      added_text(addition->added), value);
}

static void reduce(Making *making, const Addition *addition, LLVMValueRef address, const LLVMValueRef *values, int words)
{
    Emit *emit = &making->emit;
    LLVMValueRef args[MOST_WORDS + 1] = {emit_pointer(emit, address)};
    LLVMTypeRef types[MOST_WORDS + 1] = {emit->global};
    const char *one = addition->added == ADDED_FLOAT ? ",f" : ",r", *constraints = "l";
    for (int i = 0; i < words; i++) {
        args[i + 1] = values[i];
        types[i + 1] = LLVMTypeOf(values[i]);
        constraints = arena_text(emit->arena, "%s%s", constraints, one);
    }
    constraints = arena_text(emit->arena, "%s,~{memory}", constraints);
    const char *text = text_of(emit->arena, addition, words);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emit->context), types, (unsigned)words + 1, false);
    LLVMValueRef callee = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                                           LLVMInlineAsmDialectATT, false);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(addition->instruction));
    call_promise(LLVMBuildCall2(emit->builder, type, callee, args, (unsigned)words + 1, ""), "nounwind");
}

/* ---- pieces ---- */

static LLVMValueRef value_of(const Making *making, const AddedRecord *record, size_t number)
{
    return clone_of(&making->twins, LLVMGetOperand(addition_at(record, number)->instruction, 1));
}

static void reduce_piece(Making *making, const AddedRecord *record, const Piece *piece)
{
    LLVMValueRef values[MOST_WORDS];
    const Addition *first = addition_at(record, piece->first);
    for (int i = 0; i < piece->words; i++)
        values[i] = value_of(making, record, piece->first + (size_t)i);
    reduce(making, first, emit_binary(&making->emit, LLVMAdd, making->address, first->offset), values, piece->words);
}

/* The same in either place: pairs, and what is left. */
static void reduce_turned(Making *making, const AddedRecord *record, const Piece *piece)
{
    Emit *emit = &making->emit;
    size_t first = piece->first, last = first + (size_t)piece->words - 1;
    int64_t begin = addition_at(record, first)->offset;
    LLVMValueRef start = emit_binary(emit, LLVMAdd, making->address, begin);
    LLVMValueRef bytes = emit_binary(emit, LLVMAnd, start, WORD_BYTES);
    LLVMValueRef odd = LLVMBuildICmp(emit->builder, LLVMIntNE, bytes, LLVMConstNull(emit->i64), "");
    LLVMValueRef even = LLVMBuildAdd(emit->builder, start, bytes, "");
    for (size_t i = first; i < last; i += PAIR) {
        LLVMValueRef values[PAIR];
        for (size_t k = 0; k < PAIR; k++)
            values[k] = emit_select(emit, odd, value_of(making, record, i + k + 1), value_of(making, record, i + k));
        reduce(making, addition_at(record, i), emit_binary(emit, LLVMAdd, even, (int64_t)(i - first) * WORD_BYTES), values, PAIR);
    }
    LLVMValueRef rest = emit_select(emit, odd, value_of(making, record, first), value_of(making, record, last));
    LLVMValueRef behind = emit_binary(emit, LLVMAdd, start, (piece->words - 1) * (int64_t)WORD_BYTES);
    reduce(making, addition_at(record, last), emit_select(emit, odd, start, behind), &rest, 1);
}

/* ---- lanes that add for each other ---- */

/* As many bits, of an integer. */
static LLVMValueRef bits_of(Emit *emit, LLVMValueRef value, int bytes)
{
    return LLVMBuildBitCast(emit->builder, value, bytes == WORD ? emit->i32 : emit->i64, "");
}

static LLVMValueRef bits_of_lane(Emit *emit, LLVMValueRef bits, LLVMValueRef lane, int bytes)
{
    if (LLVMIsConstant(bits))
        return bits;
    return bytes == WORD ? emit_word_of_lane(emit, bits, lane) : emit_address_of_lane(emit, bits, lane);
}

static LLVMValueRef is_turn(Emit *emit, LLVMValueRef turn, int of)
{
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, turn, emit_int(emit, of), "");
}

/* One word of one lane's record. */
static void add_for(Making *making, const AddedRecord *record, const Piece *piece, LLVMValueRef of, LLVMValueRef turn)
{
    Emit *emit = &making->emit;
    const Addition *first = addition_at(record, piece->first);
    LLVMValueRef bits = NULL, offset = NULL;
    for (int i = 0; i < piece->words; i++) {
        const Addition *addition = addition_at(record, piece->first + (size_t)i);
        LLVMValueRef own = bits_of(emit, value_of(making, record, piece->first + (size_t)i), addition->bytes);
        LLVMValueRef one = bits_of_lane(emit, own, of, addition->bytes);
        LLVMValueRef at = LLVMConstInt(emit->i64, (unsigned long long)addition->offset, false);
        bits = bits ? emit_select(emit, is_turn(emit, turn, i), one, bits) : one;
        offset = offset ? emit_select(emit, is_turn(emit, turn, i), at, offset) : at;
    }
    LLVMValueRef address = LLVMBuildAdd(emit->builder, emit_address_of_lane(emit, making->address, of), offset, "");
    LLVMValueRef value = LLVMBuildBitCast(emit->builder, bits, LLVMTypeOf(LLVMGetOperand(first->instruction, 1)), "");
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(first->instruction));
    mark_add(LLVMBuildAtomicRMWSyncScope(emit->builder, LLVMGetAtomicRMWBinOp(first->instruction), emit_pointer(emit, address),
                                         value, LLVMGetOrdering(first->instruction), LLVMGetAtomicSyncScopeID(first->instruction)),
             ADDED_METADATA);
}

static void add_across(Making *making, const AddedRecord *record, const Piece *piece)
{
    Emit *emit = &making->emit;
    for (int i = 0; i < piece->words; i++) {
        LLVMValueRef number = emit_binary(emit, LLVMAdd, emit_lane(emit), i * (int64_t)WARP_LANES);
        LLVMValueRef of = emit_binary(emit, LLVMUDiv, number, piece->words);
        add_for(making, record, piece, of, emit_binary(emit, LLVMURem, number, piece->words));
    }
}

/* What a lane has stored there, or will, it finds in order with what others add for it. */
static void add_record_across(Making *making, const AddedRecord *record)
{
    emit_warp_barrier(&making->emit);
    for (size_t i = 0; i < record->pieces.count; i++)
        add_across(making, record, record->pieces.item[i]);
    emit_warp_barrier(&making->emit);
}

/* ---- all of a record ---- */

static LLVMValueRef address_of(Making *making, const AddedRecord *record)
{
    const Addition *first = addition_end(record, false);
    LLVMValueRef address = emit_address(&making->emit, clone_of(&making->twins, pointer_of_access(first->instruction)));
    return emit_binary(&making->emit, LLVMSub, address, first->offset);
}

static void reduce_record(Making *making, const AddedRecord *record)
{
    making->address = address_of(making, record);
    if (record->across) {
        add_record_across(making, record);
        return;
    }
    for (size_t i = 0; i < record->pieces.count; i++) {
        const Piece *piece = record->pieces.item[i];
        if (piece->turned)
            reduce_turned(making, record, piece);
        else
            reduce_piece(making, record, piece);
    }
}

/* ---- tests ---- */

static LLVMValueRef is_aligned(Making *making, const AddedRecord *record)
{
    Emit *emit = &making->emit;
    LLVMValueRef low = emit_binary(emit, LLVMAnd, making->address, record->alignment - 1);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, low, LLVMConstInt(emit->i64, (unsigned long long)record->phase, false), "");
}

static LLVMValueRef holds(Making *making, const AddedTest *test)
{
    Emit *emit = &making->emit;
    LLVMValueRef low = address_of(making, test->record), at = emit_address(emit, pointer_of_access(test->access));
    if (test->there)
        return LLVMBuildICmp(emit->builder, LLVMIntEQ, at, emit_binary(emit, LLVMAdd, low, test->offset), "");
    return emit_is_apart(emit, at, emit_binary(emit, LLVMAdd, at, test->bytes), low,
                         emit_binary(emit, LLVMAdd, low, added_bytes(test->record)));
}

/* NULL: there is nothing to ask. */
static LLVMValueRef all_holds(Making *making)
{
    List tests = list_new(making->emit.arena);
    for (size_t i = 0; i < making->stretch->records.count; i++) {
        const AddedRecord *record = making->stretch->records.item[i];
        making->address = address_of(making, record);
        if (!record->is_global)
            list_add(&tests, emit_is_global(&making->emit, pointer_of_access(addition_end(record, false)->instruction)));
        if (record->alignment)
            list_add(&tests, is_aligned(making, record));
    }
    for (size_t i = 0; i < making->stretch->tests.count; i++)
        list_add(&tests, holds(making, making->stretch->tests.item[i]));
    return emit_all_of(&making->emit, &tests);
}

static bool is_across(const AddedStretch *stretch)
{
    bool any = false;
    for (size_t i = 0; i < stretch->records.count; i++)
        any |= ((const AddedRecord *)stretch->records.item[i])->across;
    return any;
}

/* Lanes that add for each other have to be there, and all go the same way. */
static LLVMValueRef all_hold_in_warp(Making *making)
{
    Emit *emit = &making->emit;
    LLVMValueRef own = all_holds(making);
    if (!is_across(making->stretch))
        return own;
    LLVMValueRef here = emit_lanes_here(emit), full = emit_are_all(emit, here);
    return own ? emit_both(emit, full, emit_all_among(emit, here, LLVMBuildFreeze(emit->builder, own, ""))) : full;
}

/* ---- where the code stands ---- */

static bool is_member(const AddedStretch *stretch, LLVMValueRef instruction)
{
    for (size_t i = 0; i < stretch->records.count; i++) {
        const AddedRecord *record = stretch->records.item[i];
        for (size_t k = 0; k < record->additions.count; k++)
            if (addition_at(record, k)->instruction == instruction)
                return true;
    }
    return false;
}

/* Nothing is asked of what stands between: the additions come to the last one. Returns the first of them. */
static LLVMValueRef gather(Emit *emit, const AddedStretch *stretch)
{
    List members = list_new(emit->arena);
    for (LLVMValueRef i = stretch->first; i != stretch->last; i = LLVMGetNextInstruction(i))
        if (is_member(stretch, i))
            list_add(&members, i);
    LLVMPositionBuilderBefore(emit->builder, stretch->last);
    for (size_t i = 0; i < members.count; i++) {
        LLVMInstructionRemoveFromParent(members.item[i]);
        LLVMInsertIntoBuilder(emit->builder, members.item[i]);
    }
    return stretch->first;
}

typedef struct {
    LLVMBasicBlockRef block;
    Map *behind; /* what stands in the block from the first addition on */
} Front;

static bool is_behind(const void *context, LLVMValueRef value) { return map_get(((const Front *)context)->behind, value); }

/* Addresses that are asked for come in front of the first addition, with what they are made of. */
static void raise(Emit *emit, const AddedStretch *stretch, LLVMValueRef pointer)
{
    Front front = {LLVMGetInstructionParent(stretch->first), map_new(emit->arena)};
    for (LLVMValueRef i = stretch->first; i; i = LLVMGetNextInstruction(i))
        map_put(front.behind, i, i);
    const List order = slice_order(emit->arena, pointer, is_behind, &front);
    LLVMPositionBuilderBefore(emit->builder, stretch->first);
    for (size_t i = 0; i < order.count; i++) {
        LLVMInstructionRemoveFromParent(order.item[i]);
        LLVMInsertIntoBuilder(emit->builder, order.item[i]);
    }
}

static void raise_all(Emit *emit, const AddedStretch *stretch)
{
    for (size_t i = 0; i < stretch->tests.count; i++)
        raise(emit, stretch, pointer_of_access(((const AddedTest *)stretch->tests.item[i])->access));
    for (size_t i = 0; i < stretch->records.count; i++)
        raise(emit, stretch, pointer_of_access(addition_end(stretch->records.item[i], false)->instruction));
}

/* ---- two versions ---- */

static void reduce_all(Making *making)
{
    for (size_t i = 0; i < making->stretch->records.count; i++)
        reduce_record(making, making->stretch->records.item[i]);
}

/* What is used behind both versions comes from the one that ran. */
static void join(Making *making, LLVMBasicBlockRef original, LLVMBasicBlockRef fast, LLVMBasicBlockRef behind)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(original); i; i = LLVMGetNextInstruction(i)) {
        List uses = list_new(making->emit.arena);
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMGetInstructionParent(user) != original && LLVMGetInstructionParent(user) != fast && !list_has(&uses, user))
                list_add(&uses, user);
        }
        if (!uses.count)
            continue;
        LLVMPositionBuilderBefore(making->emit.builder, LLVMGetFirstInstruction(behind));
        LLVMValueRef phi = LLVMBuildPhi(making->emit.builder, LLVMTypeOf(i), ""), values[] = {i, clone_of(&making->twins, i)};
        LLVMBasicBlockRef blocks[] = {original, fast};
        LLVMAddIncoming(phi, values, blocks, 2);
        for (size_t k = 0; k < uses.count; k++)
            for (int operand = 0; operand < LLVMGetNumOperands(uses.item[k]); operand++)
                if (LLVMGetOperand(uses.item[k], (unsigned)operand) == i)
                    LLVMSetOperand(uses.item[k], (unsigned)operand, phi);
    }
}

/* From the first addition to the last, all but the additions stands in both versions. */
static void make_versions(Making *making, LLVMValueRef first, LLVMValueRef condition)
{
    Emit *emit = &making->emit;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(first), original = ir_split_before(first);
    LLVMBasicBlockRef behind = ir_split_before(LLVMGetNextInstruction(making->stretch->last));
    LLVMBasicBlockRef fast = LLVMInsertBasicBlockInContext(emit->context, original, "");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(emit->builder, before);
    LLVMBuildCondBr(emit->builder, condition, fast, original);
    LLVMPositionBuilderAtEnd(emit->builder, fast);
    for (LLVMValueRef i = LLVMGetFirstInstruction(original); i != LLVMGetBasicBlockTerminator(original);
         i = LLVMGetNextInstruction(i))
        if (is_member(making->stretch, i))
            mark_add(i, ADDED_METADATA);
        else
            clone_make(&making->twins, i);
    for (LLVMValueRef i = LLVMGetFirstInstruction(fast); i; i = LLVMGetNextInstruction(i))
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            LLVMSetOperand(i, (unsigned)k, clone_of(&making->twins, LLVMGetOperand(i, (unsigned)k)));
    reduce_all(making);
    LLVMBuildBr(emit->builder, behind);
    join(making, original, fast, behind);
}

static void erase_additions(const AddedStretch *stretch)
{
    for (size_t i = 0; i < stretch->records.count; i++) {
        const AddedRecord *record = stretch->records.item[i];
        for (size_t k = 0; k < record->additions.count; k++)
            LLVMInstructionEraseFromParent(addition_at(record, k)->instruction);
    }
}

void additions_rewrite(const AddedStretch *stretch)
{
    INVARIANT(stretch->records.count && LLVMGetInstructionParent(stretch->first) == LLVMGetInstructionParent(stretch->last));
    Emit emit = emit_open(stretch->arena, stretch->function);
    if (stretch->tests.count)
        raise_all(&emit, stretch);
    LLVMValueRef first = stretch->tests.count ? stretch->first : gather(&emit, stretch);
    Making making = {.emit = emit, .twins = twins_open(stretch->arena, emit.builder), .stretch = stretch};
    emit_before(&making.emit, first);
    LLVMValueRef condition = all_hold_in_warp(&making);
    INVARIANT(condition || !stretch->tests.count);
    if (condition) {
        make_versions(&making, first, condition);
    } else {
        reduce_all(&making);
        erase_additions(stretch);
    }
    emit_close(&making.emit);
}
