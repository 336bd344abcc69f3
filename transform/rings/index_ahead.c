/* Where copies read is itself loaded: the indices of a stage are loaded when the copies of the stage before it are made, by counters of
 * their own, and wait in registers, so that no copy waits for its index.
 *
 *     loop:                                  j = idx[0]
 *       j = idx[k]                           copy from g[j]; commit; j = idx[1]; ...
 *       s[t] = g[j]                    ->    loop:
 *       filled                                 wait; filled
 *       use                                    copy from g[j]; commit; if (that iteration runs) j = idx[k'']
 *       freed                                  use
 *
 * A stage of several tiles has registers for each. Iterations that do not run load nothing, and what stands under a condition is
 * loaded under that. */
#include "transform/rings/make_ring.h"

void indices_open(RingMaker *maker)
{
    const Ring *ring = maker->ring;
    for (size_t i = 0; i < ring->next.indices.count; i++) {
        LLVMValueRef load = ring->next.indices.item[i];
        LLVMValueRef *local = ARENA_ARRAY(maker->emit.arena, LLVMValueRef, (size_t)ring->choice.batch);
        for (int tile = 0; tile < ring->choice.batch; tile++)
            local[tile] = ring_local(maker, LLVMTypeOf(load), "index");
        map_put(maker->indices, load, local);
    }
    indices_load(maker);
}

void indices_load(RingMaker *maker)
{
    for (maker->tile = 0; maker->tile < maker->ring->choice.batch; maker->tile++)
        ahead_load(maker);
    maker->tile = 0;
}

LLVMValueRef index_get(RingMaker *maker, LLVMValueRef load)
{
    const LLVMValueRef *local = map_get(maker->indices, load);
    return local ? ring_get(maker, local[maker->tile], LLVMTypeOf(load)) : NULL;
}

void indices_keep(RingMaker *maker, const Twins *ahead)
{
    for (size_t i = 0; i < maker->ring->next.indices.count; i++) {
        LLVMValueRef load = maker->ring->next.indices.item[i], twin = clone_of(ahead, load);
        const LLVMValueRef *local = map_get(maker->indices, load);
        emit_before(&maker->emit, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(twin)));
        mark_add(twin, AHEAD_METADATA);
        ring_set(maker, local[maker->tile], twin);
    }
}
