/* How much of its row does each lane want, where data decide? Looked for on entry (analysis/walks/some_rows.c).
 *
 *     for (j...) if (x[j] > 0) s += a[i*m + j]    ->    k = somewhere in the row, in another place for each lane
 *                                                       any = x[k] > 0 || ... || x[k + 3] > 0         a sector has been wanted then
 *                                                       if (any, in 55 of 100 lanes) ask what else is to be asked
 *
 * It decides what is fast, and nothing else: whatever the sample says, either version does what the program does. */
#include "transform/walks/asker.h"

enum { WORD_BITS = 32, PERCENT = 100 };

/* An iteration of the loop, so many in front of its last; those of all lanes lie evenly among all, at no even distances: parts of the golden section. */
static LLVMValueRef iteration_of_lane(const Asker *asker, LLVMValueRef last, size_t before)
{
    Emit *emit = &asker->version->emit;
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef golden = LLVMConstInt(emit->i32, 0x9e3779b9, false), most = asker_number(asker, (int64_t)1 << (WORD_BITS - 1));
    LLVMValueRef part = emit_wide(emit, LLVMBuildMul(builder, emit_lane(emit), golden, ""));
    LLVMValueRef count = emit_binary(emit, LLVMSub, last, (int64_t)before - 1);
    count = emit_select(emit, LLVMBuildICmp(builder, LLVMIntULT, count, most, ""), count, most);
    return emit_binary(emit, LLVMLShr, LLVMBuildMul(builder, part, count, ""), WORD_BITS);
}

/* Is one of the words there wanted? Any brings the sector of all. */
static LLVMValueRef is_wanted(const Asker *asker, const SomeRow *row, const List *loads, LLVMValueRef last)
{
    Emit *emit = &asker->version->emit;
    size_t count = row->loads.count, iterations = (SOME_SAMPLED + count - 1) / count;
    LLVMValueRef first = iteration_of_lane(asker, last, iterations - 1), any = NULL;
    for (size_t n = 0; n < iterations; n++) {
        Twins twins = asker_iteration(asker, emit_binary(emit, LLVMAdd, first, (int64_t)n));
        for (size_t i = 0; i < count && n * count + i < SOME_SAMPLED; i++) {
            LLVMValueRef load = loads->item[(intptr_t)row->loads.item[i]];
            LLVMValueRef wanted = LLVMBuildFreeze(emit->builder, asker_comes_to(asker, &twins, load), "");
            any = any ? LLVMBuildOr(emit->builder, any, wanted, "") : wanted;
        }
    }
    return any;
}

/* In enough of the lanes that are here? */
static LLVMValueRef is_much(const Asker *asker, LLVMValueRef wanted, int least)
{
    Emit *emit = &asker->version->emit;
    emit->here = emit_lanes_here(emit);
    LLVMValueRef lanes = emit_lanes(emit, wanted), here = emit_count(emit, emit->here);
    emit->here = NULL;
    return LLVMBuildICmp(emit->builder, LLVMIntUGE, emit_binary(emit, LLVMMul, lanes, PERCENT),
                         emit_binary(emit, LLVMMul, here, least), "");
}

void rows_sample(const Asker *asker, const SomeRows *some, const List *loads, LLVMValueRef last)
{
    Emit *emit = &asker->version->emit;
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < some->rows.count; i++)
        all = emit_both(emit, all, is_much(asker, is_wanted(asker, some->rows.item[i], loads, last), some->least));
    version_ask_if(asker->version, all);
}
