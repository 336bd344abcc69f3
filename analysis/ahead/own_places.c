/* Loads that all threads of a block make alike, in front of branches that lanes take apart.
 *
 *     MOV R4, UR6; MOV R5, UR7; LDG R4, [R4 + 16]; MOV R8, UR6; MOV R9, UR7; LDG R8, [R8 + 32]; ...
 *
 * ptxas keeps an address that all lanes share in uniform registers, and moves it to registers of the lane's own for each load. Behind the branches it
 * cannot know that the lanes are together, and has the address in the lane's registers for all of them: if one load stays there, the others come
 * without moves (segments, four loads of 16 bytes: 337 instructions and 329; ptxas 13.0, sm_90). */
#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"

enum { FEWEST = 3 }; /* of two loads, an address of the lane's own takes as many instructions */

/* Of loads that are moved: does another branch stand before it, and does it bring all that the backend would load together there? */
static bool may_stay(const Batch *batch, LLVMValueRef load)
{
    return map_get(batch->place, load) && LLVMGetInstructionParent(load) != batch->header &&
           LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMVectorTypeKind;
}

void batch_leave_last(const BatchSearch *search)
{
    Batch *batch = search->batch;
    size_t last = 0;
    for (size_t i = 0; i < batch->loads.count; i++) {
        LLVMValueRef load = batch->loads.item[i];
        if (map_get(batch->same, load) || !uniform_in_block(search->scope, LLVMGetOperand(load, 0)))
            return;
        last = may_stay(batch, load) ? i : last;
    }
    if (last && batch->loads.count >= FEWEST && !ir_loop_is_one_block(search->loop))
        batch->loads.count = last;
}
