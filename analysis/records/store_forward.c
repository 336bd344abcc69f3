/* Loads of what the thread has stored just before: where its stores go down to the last of them, each load that they pass is
 * given what it would have read.
 *
 *     x[j] = u                        x[j], x[j + 1] = u, v        one group of two stores
 *     v = x[j + 1] - x[j] * c   ->    v = x[j + 1] - u * c
 *     x[j + 1] = v
 *
 * The last store that touches what the load reads writes just that. What stands between the two leaves it alone: else the store
 * could not go down over it to one that comes later (group.c). */
#include "analysis/records/records.h"

static const Member *last_over(const Group *stores, int64_t offset, int64_t bytes)
{
    for (size_t i = stores->members.count; i-- > 0;) {
        const Member *member = member_at(stores, i);
        if (member->offset < offset + bytes && offset < member->offset + member->access->bytes)
            return member;
    }
    return NULL;
}

static bool gives(const Member *store, const Access *load, int64_t offset)
{
    LLVMValueRef instruction = store->access->instruction;
    return LLVMIsAStoreInst(instruction) && LLVMIsALoadInst(load->instruction) && store->offset == offset &&
           LLVMTypeOf(LLVMGetOperand(instruction, 0)) == LLVMTypeOf(load->instruction);
}

Follow *follow_add(Group *stores, const Access *load, int position)
{
    if (stores->op != OP_STORE || stores->along || stores->barriers.count || load->op != OP_LOAD ||
        !form_same_place(stores->root->address, load->address))
        return NULL;
    int64_t offset = group_offset(stores, load);
    const Member *store = last_over(stores, offset, load->bytes);
    if (!store || !gives(store, load, offset))
        return NULL;
    Follow *follow = ARENA_NEW(stores->scope->kernel->arena, Follow);
    follow->load = member_of(stores, load, position);
    follow->store = store;
    list_add(&stores->follows, follow);
    return follow;
}

void follows_end(Group *stores)
{
    while (stores->follows.count) {
        const Follow *last = stores->follows.item[stores->follows.count - 1];
        if (last->load.position < member_last(stores))
            return;
        stores->follows.count--;
    }
}
