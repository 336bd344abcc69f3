#include "analysis/rings/rings.h"
#include "transform/emit/emit.h"

enum { ALL_LANES = -1, WHOLE_WARP = 31 };

/* ---- opening ---- */

Emit emit_open(Arena *arena, LLVMValueRef function)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    return (Emit){
        .arena = arena,
        .module = module,
        .context = context,
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(context),
        .i1 = LLVMInt1TypeInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .global = LLVMPointerTypeInContext(context, GLOBAL_SPACE),
    };
}

void emit_close(Emit *emit) { LLVMDisposeBuilder(emit->builder); }

void emit_before(Emit *emit, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(emit->builder, instruction);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(instruction));
}

/* ---- numbers ---- */

LLVMValueRef emit_int(Emit *emit, int64_t value) { return LLVMConstInt(emit->i32, (unsigned long long)value, true); }

LLVMValueRef emit_binary(Emit *emit, LLVMOpcode op, LLVMValueRef a, int64_t b)
{
    return LLVMBuildBinOp(emit->builder, op, a, LLVMConstInt(LLVMTypeOf(a), (unsigned long long)b, true), "");
}

LLVMValueRef emit_select(Emit *emit, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b)
{
    return a == b ? a : LLVMBuildSelect(emit->builder, condition, a, b, "");
}

LLVMValueRef emit_wide(Emit *emit, LLVMValueRef number) { return LLVMBuildZExt(emit->builder, number, emit->i64, ""); }

LLVMValueRef emit_both(Emit *emit, LLVMValueRef all, LLVMValueRef test)
{
    return all && test ? LLVMBuildAnd(emit->builder, all, test, "") : all ? all : test;
}

LLVMValueRef emit_all_of(Emit *emit, const List *tests)
{
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < tests->count; i++)
        all = emit_both(emit, all, tests->item[i]);
    return all;
}

LLVMValueRef emit_call(Emit *emit, const char *name, LLVMTypeRef result, LLVMValueRef *args, unsigned count)
{
    enum { MOST_ARGUMENTS = 4 };
    LLVMTypeRef types[MOST_ARGUMENTS];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(emit->module, id, NULL, 0);
    return LLVMBuildCall2(emit->builder, type, callee, args, count, "");
}

LLVMValueRef phis_end(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

LLVMBasicBlockRef block_behind(LLVMBasicBlockRef latch, LLVMBasicBlockRef header)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(latch);
    return LLVMGetSuccessor(jump, LLVMGetSuccessor(jump, 0) == header ? 1 : 0);
}

LLVMValueRef emit_phi_like(Emit *emit, LLVMValueRef other, LLVMValueRef value, LLVMBasicBlockRef but)
{
    LLVMPositionBuilderBefore(emit->builder, LLVMGetFirstInstruction(LLVMGetInstructionParent(other)));
    LLVMValueRef phi = LLVMBuildPhi(emit->builder, LLVMTypeOf(value), "");
    for (unsigned i = 0; i < LLVMCountIncoming(other); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(other, i);
        if (from != but)
            LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

LLVMValueRef emit_local(Emit *emit, LLVMValueRef function, LLVMTypeRef type, const char *name)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(emit->context);
    LLVMPositionBuilder(builder, entry, LLVMGetFirstInstruction(entry)); /* none where the entry did nothing but jump to a loop */
    LLVMValueRef local = LLVMBuildAlloca(builder, type, name);
    LLVMDisposeBuilder(builder);
    return local;
}

/* ---- the block ---- */

/* threadIdx and blockDim along an axis. */
static LLVMValueRef read_index(Emit *emit, const char *name, int axis)
{
    return emit_call(emit, arena_text(emit->arena, "llvm.nvvm.read.ptx.sreg.%s.%c", name, "xyz"[axis]), emit->i32, NULL, 0);
}

LLVMValueRef emit_number_of_thread(Emit *emit, LLVMValueRef *threads)
{
    LLVMValueRef number = emit_int(emit, 0);
    *threads = emit_int(emit, 1);
    for (int axis = 2; axis >= 0; axis--) {
        LLVMValueRef extent = read_index(emit, "ntid", axis);
        number = LLVMBuildAdd(emit->builder, LLVMBuildMul(emit->builder, number, extent, ""), read_index(emit, "tid", axis), "");
        *threads = LLVMBuildMul(emit->builder, *threads, extent, "");
    }
    return number;
}

LLVMValueRef emit_block_size(Emit *emit, int axis) { return read_index(emit, "ntid", axis); }

/* Of a number with more than 32 bits the rest will do: nothing but time depends on it. */
LLVMValueRef emit_launch_is_small(Emit *emit, LLVMValueRef kernel, int64_t threads)
{
    LLVMValueRef all = NULL;
    LLVMBuilderRef outer = emit->builder;
    emit->builder = LLVMCreateBuilderInContext(emit->context);
    emit_before(emit, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(kernel)));
    for (int axis = 0; axis < 3; axis++) {
        LLVMValueRef along = LLVMBuildMul(emit->builder, read_index(emit, "nctaid", axis), read_index(emit, "ntid", axis), "");
        all = all ? LLVMBuildMul(emit->builder, all, along, "") : along;
    }
    LLVMValueRef small = LLVMBuildICmp(emit->builder, LLVMIntULT, all, emit_int(emit, threads), "");
    LLVMDisposeBuilder(emit->builder);
    emit->builder = outer;
    return small;
}

/* ---- the warp ---- */

LLVMValueRef emit_lane(Emit *emit)
{
    if (!emit->lane)
        emit->lane = emit_call(emit, "llvm.nvvm.read.ptx.sreg.laneid", emit->i32, NULL, 0);
    return emit->lane;
}

LLVMValueRef emit_lanes_here(Emit *emit) { return emit_call(emit, "llvm.nvvm.activemask", emit->i32, NULL, 0); }

LLVMValueRef emit_are_all(Emit *emit, LLVMValueRef lanes)
{
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, lanes, emit_int(emit, ALL_LANES), "");
}

LLVMValueRef emit_full_warp(Emit *emit) { return emit_are_all(emit, emit_lanes_here(emit)); }

/* Where ptxas cannot tell that lanes which may have parted are together again, it writes all code up to the last shuffle twice, once
 * for lanes that come one by one. An instruction of the whole warp tells it, and nobody wants this one's result: ptxas 13.0
 * leaves it out, ptxas 12 keeps it for sm_90. A list's loop takes a third of the code. */
void emit_together(Emit *emit) { ir_build_mma(emit->builder); }

static LLVMValueRef taking_part(Emit *emit) { return emit->here ? emit->here : emit_int(emit, ALL_LANES); }

LLVMValueRef emit_is_among(Emit *emit, LLVMValueRef bits, LLVMValueRef lane)
{
    LLVMValueRef bit = emit_binary(emit, LLVMAnd, LLVMBuildLShr(emit->builder, bits, lane, ""), 1);
    return LLVMBuildICmp(emit->builder, LLVMIntNE, bit, emit_int(emit, 0), "");
}

LLVMValueRef emit_is_here(Emit *emit, LLVMValueRef lane) { return emit_is_among(emit, taking_part(emit), lane); }

LLVMValueRef emit_all_among(Emit *emit, LLVMValueRef lanes, LLVMValueRef condition)
{
    LLVMValueRef args[] = {lanes, condition};
    return emit_call(emit, "llvm.nvvm.vote.all.sync", emit->i1, args, 2);
}

LLVMValueRef emit_all(Emit *emit, LLVMValueRef condition) { return emit_all_among(emit, taking_part(emit), condition); }

LLVMValueRef emit_all_here(Emit *emit, LLVMValueRef condition) { return emit_all_among(emit, emit_lanes_here(emit), condition); }

LLVMValueRef emit_count(Emit *emit, LLVMValueRef bits)
{
    static const char name[] = "llvm.ctpop";
    LLVMTypeRef type = LLVMFunctionType(emit->i32, &emit->i32, 1, false);
    LLVMValueRef count = LLVMGetIntrinsicDeclaration(emit->module, LLVMLookupIntrinsicID(name, sizeof name - 1), &emit->i32, 1);
    return LLVMBuildCall2(emit->builder, type, count, &bits, 1, "");
}

static LLVMValueRef zeros_beside(Emit *emit, const char *name, LLVMValueRef bits)
{
    LLVMTypeRef types[] = {emit->i32, emit->i1};
    LLVMTypeRef type = LLVMFunctionType(emit->i32, types, 2, false);
    LLVMValueRef args[] = {bits, LLVMConstInt(emit->i1, 0, false)};
    LLVMValueRef count = LLVMGetIntrinsicDeclaration(emit->module, LLVMLookupIntrinsicID(name, strlen(name)), &emit->i32, 1);
    return LLVMBuildCall2(emit->builder, type, count, args, 2, "");
}
LLVMValueRef emit_first_lane(Emit *emit) { return zeros_beside(emit, "llvm.cttz", taking_part(emit)); }
LLVMValueRef emit_last_lane(Emit *emit)
{
    return LLVMBuildSub(emit->builder, emit_int(emit, WARP_LANES - 1), zeros_beside(emit, "llvm.ctlz", taking_part(emit)), "");
}

static LLVMValueRef bits_among(Emit *emit, LLVMValueRef lanes, LLVMValueRef condition)
{
    LLVMValueRef args[] = {lanes, condition};
    return emit_call(emit, "llvm.nvvm.vote.ballot.sync", emit->i32, args, 2);
}

LLVMValueRef emit_bits(Emit *emit, LLVMValueRef condition) { return bits_among(emit, taking_part(emit), condition); }

LLVMValueRef emit_bits_here(Emit *emit, LLVMValueRef condition) { return bits_among(emit, emit_lanes_here(emit), condition); }

void emit_branch(Emit *emit, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, bool likely)
{
    enum { LIKELY = 2000, UNLIKELY = 1 };
    static const char name[] = "prof";
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(emit->context, "branch_weights", 14),
                               LLVMValueAsMetadata(emit_int(emit, likely ? LIKELY : UNLIKELY)),
                               LLVMValueAsMetadata(emit_int(emit, likely ? UNLIKELY : LIKELY))};
    LLVMValueRef jump = LLVMBuildCondBr(emit->builder, condition, yes, no);
    LLVMSetMetadata(jump, LLVMGetMDKindIDInContext(emit->context, name, sizeof name - 1),
                    LLVMMetadataAsValue(emit->context, LLVMMDNodeInContext2(emit->context, parts, 3)));
}

LLVMValueRef emit_lanes(Emit *emit, LLVMValueRef condition) { return emit_count(emit, emit_bits(emit, condition)); }

void emit_warp_barrier(Emit *emit)
{
    LLVMValueRef lanes = taking_part(emit);
    emit_call(emit, "llvm.nvvm.bar.warp.sync", LLVMVoidTypeInContext(emit->context), &lanes, 1);
}

static LLVMValueRef shuffle(Emit *emit, const char *name, LLVMValueRef word, LLVMValueRef lane)
{
    LLVMValueRef args[] = {taking_part(emit), word, lane, emit_int(emit, WHOLE_WARP)};
    return emit_call(emit, name, emit->i32, args, 4);
}

LLVMValueRef emit_word_of_lane(Emit *emit, LLVMValueRef word, LLVMValueRef lane)
{
    return shuffle(emit, "llvm.nvvm.shfl.sync.idx.i32", word, lane);
}

static LLVMValueRef emit_word_across(Emit *emit, LLVMValueRef word, int lanes)
{
    return shuffle(emit, "llvm.nvvm.shfl.sync.bfly.i32", word, emit_int(emit, lanes));
}

Unit emit_unit_of_lane(Emit *emit, const Unit *unit, LLVMValueRef lane)
{
    Unit result = {.words = unit->words};
    for (int i = 0; i < unit->words; i++)
        result.word[i] = emit_word_of_lane(emit, unit->word[i], lane);
    return result;
}

Unit emit_unit_across(Emit *emit, const Unit *unit, int lanes)
{
    Unit result = {.words = unit->words};
    for (int i = 0; i < unit->words; i++)
        result.word[i] = emit_word_across(emit, unit->word[i], lanes);
    return result;
}

Unit emit_unit_select(Emit *emit, LLVMValueRef condition, const Unit *a, const Unit *b)
{
    Unit result = {.words = a->words};
    for (int i = 0; i < a->words; i++)
        result.word[i] = emit_select(emit, condition, a->word[i], b->word[i]);
    return result;
}

/* ---- addresses ---- */

LLVMValueRef emit_address(Emit *emit, LLVMValueRef pointer) { return LLVMBuildPtrToInt(emit->builder, pointer, emit->i64, ""); }

/* Two shuffles: the low and the high word. */
LLVMValueRef emit_address_of_lane(Emit *emit, LLVMValueRef address, LLVMValueRef lane)
{
    LLVMTypeRef pair = LLVMVectorType(emit->i32, 2);
    LLVMValueRef words = LLVMBuildBitCast(emit->builder, address, pair, ""), moved = LLVMGetUndef(pair);
    for (int i = 0; i < 2; i++) {
        LLVMValueRef word = LLVMBuildExtractElement(emit->builder, words, emit_int(emit, i), "");
        moved = LLVMBuildInsertElement(emit->builder, moved, emit_word_of_lane(emit, word, lane), emit_int(emit, i), "");
    }
    return LLVMBuildBitCast(emit->builder, moved, emit->i64, "");
}

LLVMValueRef emit_is_apart(Emit *emit, LLVMValueRef start, LLVMValueRef end, LLVMValueRef low, LLVMValueRef high)
{
    LLVMValueRef below = LLVMBuildICmp(emit->builder, LLVMIntULE, end, low, "");
    LLVMValueRef above = LLVMBuildICmp(emit->builder, LLVMIntUGE, start, high, "");
    return LLVMBuildOr(emit->builder, below, above, "");
}

LLVMValueRef emit_is_global(Emit *emit, LLVMValueRef pointer)
{
    return emit_call(emit, "llvm.nvvm.isspacep.global", emit->i1, &pointer, 1);
}

LLVMValueRef emit_pointer(Emit *emit, LLVMValueRef address) { return LLVMBuildIntToPtr(emit->builder, address, emit->global, ""); }

LLVMValueRef emit_as_global(Emit *emit, LLVMValueRef pointer)
{
    bool is_global = LLVMTypeOf(pointer) == emit->global;
    return is_global ? pointer : LLVMBuildAddrSpaceCast(emit->builder, pointer, emit->global, "");
}

LLVMValueRef emit_advance(Emit *emit, LLVMValueRef pointer, LLVMValueRef bytes)
{
    if (LLVMIsAConstantInt(bytes) && LLVMConstIntGetSExtValue(bytes) == 0)
        return pointer;
    return LLVMBuildGEP2(emit->builder, emit->i8, pointer, &bytes, 1, "");
}

LLVMValueRef emit_advance_by(Emit *emit, LLVMValueRef pointer, int64_t bytes)
{
    return emit_advance(emit, pointer, LLVMConstInt(emit->i64, (unsigned long long)bytes, true));
}

/* ---- memory ---- */

static LLVMTypeRef type_of_unit(Emit *emit, int bytes)
{
    if (bytes > WORD)
        return LLVMVectorType(emit->i32, (unsigned)(bytes / WORD));
    return LLVMIntTypeInContext(emit->context, (unsigned)(8 * bytes));
}

Unit emit_load(Emit *emit, LLVMValueRef pointer, int bytes)
{
    LLVMValueRef loaded = LLVMBuildLoad2(emit->builder, type_of_unit(emit, bytes), pointer, "");
    LLVMSetAlignment(loaded, (unsigned)bytes);
    if (emit->hint)
        hint_give(loaded, emit->hint);
    Unit unit = {.words = bytes > WORD ? bytes / WORD : 1};
    for (int i = 0; i < unit.words; i++)
        unit.word[i] = bytes > WORD ? LLVMBuildExtractElement(emit->builder, loaded, emit_int(emit, i), "")
                                    : LLVMBuildZExt(emit->builder, loaded, emit->i32, "");
    return unit;
}

void emit_store(Emit *emit, LLVMValueRef pointer, const Unit *unit, int bytes)
{
    LLVMTypeRef type = type_of_unit(emit, bytes);
    LLVMValueRef value = bytes > WORD ? LLVMGetUndef(type) : LLVMBuildTrunc(emit->builder, unit->word[0], type, "");
    for (int i = 0; bytes > WORD && i < unit->words; i++)
        value = LLVMBuildInsertElement(emit->builder, value, unit->word[i], emit_int(emit, i), "");
    LLVMValueRef store = LLVMBuildStore(emit->builder, value, pointer);
    LLVMSetAlignment(store, (unsigned)bytes);
    if (emit->hint)
        hint_give(store, emit->hint);
}

LLVMValueRef emit_advance_times(Emit *emit, LLVMValueRef pointer, LLVMValueRef times, int64_t bytes, int64_t more)
{
    if (LLVMIsAConstantInt(times))
        return emit_advance_by(emit, pointer, (int64_t)LLVMConstIntGetZExtValue(times) * bytes + more);
    pointer = emit_advance(emit, pointer, emit_binary(emit, LLVMMul, emit_wide(emit, times), bytes));
    return emit_advance_by(emit, pointer, more);
}

/* ---- asynchronous copies ---- */

static LLVMValueRef in_space(Emit *emit, LLVMValueRef pointer, unsigned space)
{
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == space)
        return pointer;
    return LLVMBuildAddrSpaceCast(emit->builder, pointer, LLVMPointerTypeInContext(emit->context, space), "");
}

static LLVMValueRef copy_async(Emit *emit, const char *cache, LLVMValueRef target, LLVMValueRef source, int bytes,
                               LLVMValueRef size)
{
    LLVMValueRef args[] = {in_space(emit, target, SHARED_SPACE), in_space(emit, source, GLOBAL_SPACE), size};
    const char *sized = size ? ".s" : "";
    const char *name = arena_text(emit->arena, "llvm.nvvm.cp.async.%s.shared.global.%d%s", cache, bytes, sized);
    return emit_call(emit, name, LLVMVoidTypeInContext(emit->context), args, size ? 3 : 2);
}

/* Pieces of 16 bytes pass the first-level cache by: a tile is read once. */
LLVMValueRef emit_copy_async(Emit *emit, LLVMValueRef target, LLVMValueRef source, int bytes, LLVMValueRef size)
{
    return copy_async(emit, bytes == COPY_WIDEST ? "cg" : "ca", target, source, bytes, size);
}

LLVMValueRef emit_copy_cached(Emit *emit, LLVMValueRef target, LLVMValueRef source, int bytes, LLVMValueRef size)
{
    return copy_async(emit, "ca", target, source, bytes, size);
}

LLVMValueRef emit_unread(Emit *emit, LLVMTypeRef type)
{
    static const char name[] = "coalda.zeros";
    LLVMTypeRef zeros = LLVMArrayType2(emit->i8, COPY_WIDEST);
    LLVMValueRef place = LLVMGetNamedGlobal(emit->module, name);
    if (!place) {
        place = LLVMAddGlobalInAddressSpace(emit->module, zeros, name, GLOBAL_SPACE);
        LLVMSetLinkage(place, LLVMInternalLinkage);
        LLVMSetInitializer(place, LLVMConstNull(zeros));
        LLVMSetAlignment(place, COPY_WIDEST);
    }
    return LLVMTypeOf(place) == type ? place : LLVMConstAddrSpaceCast(place, type);
}

LLVMValueRef emit_commit(Emit *emit)
{
    return emit_call(emit, "llvm.nvvm.cp.async.commit.group", LLVMVoidTypeInContext(emit->context), NULL, 0);
}

LLVMValueRef emit_wait(Emit *emit, int groups)
{
    LLVMValueRef most = emit_int(emit, groups);
    return emit_call(emit, "llvm.nvvm.cp.async.wait.group", LLVMVoidTypeInContext(emit->context), &most, 1);
}

static void assemble(Emit *emit, const char *text, const char *constraints, LLVMValueRef *args, unsigned count)
{
    LLVMTypeRef types[] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[count - 1])};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emit->context), types, count, false);
    LLVMValueRef callee = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                                           LLVMInlineAsmDialectATT, false);
    call_promise(LLVMBuildCall2(emit->builder, type, callee, args, count, ""), "nounwind");
}

/* Assembly: the backend's own needs a newer PTX than its default. How many threads there are is asked anew each time: known before, it would take
 * a register where there is none left, and rows that are not aligned lost 9% in the version beside (H200). */
void emit_prefetch(Emit *emit, LLVMValueRef pointer, LLVMValueRef condition, int64_t threads)
{
    const char *text = arena_text(emit->arena,
                                  "{ .reg .pred p; .reg .b32 n, m; mov.u32 n, %%nctaid.x; mov.u32 m, %%ntid.x; mul.lo.u32 n, n, m; "
                                  "mov.u32 m, %%nctaid.y; mul.lo.u32 n, n, m; mov.u32 m, %%ntid.y; mul.lo.u32 n, n, m; "
                                  "setp.lt.u32 p, n, %d; setp.ne.and.b32 p, $1, 0, p; @p prefetch.global.L2 [$0]; }",
                                  (int)threads);
    LLVMValueRef args[] = {emit_address(emit, pointer), LLVMBuildZExt(emit->builder, condition, emit->i32, "")};
    assemble(emit, text, "l,r", args, 2);
}

void emit_commit_more(Emit *emit, LLVMValueRef slots, int most)
{
    const char *text = "{ .reg .pred p; ";
    for (int some = most / 2, more = 1; some; some /= 2, more *= 2) {
        text = arena_text(emit->arena, "%ssetp.le.u32 p, $0, %d; ", text, some);
        for (int i = 0; i < more; i++)
            text = arena_text(emit->arena, "%s@p cp.async.commit_group; ", text);
    }
    assemble(emit, arena_text(emit->arena, "%s}", text), "r,~{memory}", &slots, 1);
}

void emit_wait_all(Emit *emit) { emit_call(emit, "llvm.nvvm.cp.async.wait.all", LLVMVoidTypeInContext(emit->context), NULL, 0); }

/* ---- conditions ---- */

static void go_to_end(Emit *emit, LLVMBasicBlockRef block)
{
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    LLVMPositionBuilderBefore(emit->builder, LLVMGetBasicBlockTerminator(block));
    LLVMSetCurrentDebugLocation2(emit->builder, location);
}

void emit_if(Emit *emit, LLVMValueRef condition)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(emit->builder);
    LLVMBasicBlockRef next = ir_split_before(LLVMGetBasicBlockTerminator(block));
    LLVMBasicBlockRef then = LLVMInsertBasicBlockInContext(emit->context, next, "");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
    LLVMPositionBuilderAtEnd(emit->builder, block);
    LLVMBuildCondBr(emit->builder, condition, then, next);
    LLVMPositionBuilderAtEnd(emit->builder, then);
    LLVMBuildBr(emit->builder, next);
    go_to_end(emit, then);
}

void emit_else(Emit *emit, LLVMBasicBlockRef asked)
{
    LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(emit->builder)), 0);
    LLVMBasicBlockRef other = LLVMInsertBasicBlockInContext(emit->context, next, "");
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(asked), 1, other);
    LLVMPositionBuilderAtEnd(emit->builder, other);
    LLVMBuildBr(emit->builder, next);
    go_to_end(emit, other);
}

void emit_end_if(Emit *emit)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(emit->builder));
    go_to_end(emit, LLVMGetSuccessor(jump, 0));
}

LLVMBasicBlockRef emit_do(Emit *emit)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(emit->builder);
    LLVMBasicBlockRef next = ir_split_before(LLVMGetBasicBlockTerminator(block));
    LLVMBasicBlockRef body = LLVMInsertBasicBlockInContext(emit->context, next, "");
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(block), 0, body);
    LLVMPositionBuilderAtEnd(emit->builder, body);
    LLVMBuildBr(emit->builder, next);
    go_to_end(emit, body);
    return body;
}

void emit_while(Emit *emit, LLVMBasicBlockRef body, LLVMValueRef condition)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(emit->builder));
    LLVMBasicBlockRef next = LLVMGetSuccessor(jump, 0);
    LLVMPositionBuilderBefore(emit->builder, jump);
    LLVMBuildCondBr(emit->builder, condition, body, next);
    LLVMInstructionEraseFromParent(jump);
    go_to_end(emit, next);
}

/* ---- checks ---- */

/* declare void @__assertfail(message, file, line, function, size of a character): CUDA's own, of every device. */
static LLVMValueRef assert_declaration(Emit *emit, LLVMTypeRef *type)
{
    static const char name[] = "__assertfail";
    LLVMTypeRef text = LLVMPointerTypeInContext(emit->context, 0);
    LLVMTypeRef args[] = {text, text, emit->i32, text, emit->i64};
    *type = LLVMFunctionType(LLVMVoidTypeInContext(emit->context), args, 5, false);
    LLVMValueRef function = LLVMGetNamedFunction(emit->module, name);
    return function ? function : LLVMAddFunction(emit->module, name, *type);
}

static void define_check(Emit *emit, LLVMValueRef check)
{
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(emit->context, check, "entry");
    LLVMBasicBlockRef wrong = LLVMAppendBasicBlockInContext(emit->context, check, "wrong");
    LLVMBasicBlockRef right = LLVMAppendBasicBlockInContext(emit->context, check, "right");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(emit->context);
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMBuildCondBr(builder, LLVMGetParam(check, 0), right, wrong);
    LLVMPositionBuilderAtEnd(builder, wrong);
    LLVMTypeRef type;
    LLVMValueRef fails = assert_declaration(emit, &type);
    LLVMValueRef args[] = {LLVMBuildGlobalString(builder, "coalda: an exchange differs from the direct access", ""),
                           LLVMGetParam(check, 1), LLVMGetParam(check, 2), LLVMGetParam(check, 3),
                           LLVMConstInt(emit->i64, 1, false)};
    LLVMBuildCall2(builder, type, fails, args, 5, "");
    LLVMBuildUnreachable(builder);
    LLVMPositionBuilderAtEnd(builder, right);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

/* One constant for one text. */
static LLVMValueRef text_constant(Emit *emit, const char *text)
{
    const char *name = arena_text(emit->arena, "coalda.text.%s", text);
    LLVMValueRef known = LLVMGetNamedGlobal(emit->module, name);
    return known ? known : LLVMBuildGlobalString(emit->builder, text, name);
}

void emit_check(Emit *emit, LLVMValueRef condition, const char *file, unsigned line)
{
    static const char name[] = "coalda.check";
    LLVMTypeRef text = LLVMPointerTypeInContext(emit->context, 0);
    LLVMTypeRef params[] = {emit->i1, text, emit->i32, text};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emit->context), params, 4, false);
    LLVMValueRef check = LLVMGetNamedFunction(emit->module, name);
    if (!check) {
        check = LLVMAddFunction(emit->module, name, type);
        LLVMSetLinkage(check, LLVMInternalLinkage);
        define_check(emit, check);
    }
    size_t length;
    LLVMValueRef here = LLVMGetBasicBlockParent(LLVMGetInsertBlock(emit->builder));
    LLVMValueRef args[] = {condition, text_constant(emit, file), emit_int(emit, line),
                           text_constant(emit, LLVMGetValueName2(here, &length))};
    LLVMBuildCall2(emit->builder, type, check, args, 4, "");
}
