/* Spares: kernels that stand in the image beside what their walks have become. Which of them is launched is asked where they are launched
 * (pass/host): by a question that the spare's name tells.
 *
 * A kernel has one where it is as the program has it until its walks are made longer, or loops become others for their sake, or iterations of its loops stand side by side, nothing else of it
 * is rewritten that might be worth it for short rows as well but its records, which are rewritten in the spare, too, and what it is given tells how long all of those rows are. Where its rows lie on
 * shelves, which take room from the first-level cache and from other blocks, another one walks them by shuffles, for rows that are longer but not by much, and for launches that fill the GPU. It stands alone: it calls no function of the module, which would be rewritten
 * beside it. And it is the same to whoever launches it: nothing is asked of the hardware about a kernel of which some blocks may have to run at
 * once, as those do that wait for each other, which takes accesses that are ordered, in a loop. */
#include <string.h>

#include <llvm-c/Comdat.h>

#include "analysis/facts/facts.h"
#include "pass/bridge/bodies.h"
#include "pass/profile/body_hash.h"
#include "pass/report/trace.h"
#include "pass/spares/spares.h"

/* When all rows are short: where all of the conditions hold. */
typedef struct {
    SpareCondition small[SPARE_CONDITIONS];
    size_t count;
    bool refused; /* nothing that is given tells it */
} Short;

/* Of a kernel that may have one. */
typedef struct {
    uint64_t hash; /* of its body as the program has it, but for what loops have become that were asked about */
    IrBody *body; /* as the program has it; NULL where it was another one when it was to be put aside */
    bool tried; /* has been asked for */
    Short plain; /* too short to gain */
    Short on_shelf; /* or to gain by a shelf */
    bool walks; /* some of those are of walks */
    int loops; /* whose iterations stand side by side */
    int hidden; /* of those, the ones whose loads other threads hide, if there are many: marches from plane to plane, and windows that slide */
    bool records; /* it gains by records as well, which the spare moves, too */
    bool sums; /* or by reductions, which it does not */
    int depth; /* of the walks that stand in most loops; */
    bool near; /* all of those meet rows again, which ... */
    SpareFew few; /* ... is no gain for few threads, ... */
    bool stored; /* ... but rows that are stored are one */
    bool shares; /* rows that all lanes share are walked beside some */
} Spare;

struct Spares {
    Arena *arena;
    Map *of; /* kernel -> Spare */
    Map *asked; /* header of a loop that has become another one -> Asked */
};

/* Of a loop that becomes another one. */
typedef struct {
    bool leaves; /* what an unrolled one leaves over, which is short whatever the kernel is given */
    bool told; /* else what tells its rows is: */
    SpareCondition small;
} Asked;

/* Does it see what other blocks have done meanwhile? */
static bool is_ordered(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           (LLVMIsALoadInst(i) && (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic));
}

/* May a block wait for others by it? Who waits looks again and again at what they have done: sums that are added to memory, and a block that asks once whether it is the last one, wait for nobody. */
static bool may_wait(const Kernel *kernel, LLVMValueRef i)
{
    if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        return ir_is_convergent(i) || ir_touches_memory(i);
    return is_ordered(i) && LLVMGetFirstUse(i) && ir_loop_of(kernel->ir, LLVMGetInstructionParent(i));
}

/* A variable of the module that lasts longer than a launch. Of a template, which several images of a program may have, the runtime takes one, and
 * it might take the spare of another, with variables of its own. */
static bool is_lasting(LLVMValueRef value)
{
    return LLVMIsAGlobalVariable(value) && !is_shared_array(value) && LLVMGetLinkage(value) != LLVMPrivateLinkage;
}

/* Is the body one that may be there twice, and does either do for the other? */
static bool is_free(const Kernel *kernel)
{
    bool alone = !LLVMGetComdat(kernel->function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (may_wait(kernel, i) || (!alone && instruction_names(i, is_lasting)) ||
                ir_is_marked(i, BATCH_METADATA)) /* what was made before is not as it was */
                return false;
    return true;
}

static bool is_clustered(const Kernel *kernel)
{
    return kernel_has(kernel, "nvvm.cluster_dim") || kernel_has(kernel, "nvvm.maxclusterrank") ||
           kernel_has(kernel, "nvvm.blocksareclusters");
}

List spares_there(Arena *arena, LLVMModuleRef module)
{
    List names = list_new(arena);
    size_t length;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *text = LLVMGetValueName2(f, &length);
        const SpareName *name = strstr(text, SPARE_MARK) ? spare_name_read(arena, text, length) : NULL;
        if (name)
            list_add(&names, (void *)name);
    }
    return names;
}

static bool has_one(const List *there, const Kernel *kernel)
{
    bool any = false;
    for (size_t i = 0; !any && i < there->count; i++) {
        const SpareName *spare = there->item[i];
        any = strlen(kernel->name) == spare->kernel_length && memcmp(kernel->name, spare->text, spare->kernel_length) == 0;
    }
    return any;
}

bool kernel_may_stand_twice(Arena *arena, const Kernel *kernel, const List *there)
{
    return kernel->options.spares && kernel->is_entry && !has_one(there, kernel) && !ir_is_optnone(kernel->function) &&
           function_runs(arena, kernel->function)->count == 1 && !is_clustered(kernel) && is_free(kernel);
}

Spares *spares_open(Arena *arena, const List *kernels, const List *there)
{
    Spares *spares = ARENA_NEW(arena, Spares);
    *spares = (Spares){arena, map_new(arena), map_new(arena)};
    BodyHashes *hashes = body_hashes_open(arena);
    for (size_t i = 0; i < kernels->count; i++) {
        const Kernel *kernel = kernels->item[i];
        if (!ir_has_loops(kernel->ir, kernel->function) || !kernel_may_stand_twice(arena, kernel, there))
            continue;
        Spare *spare = ARENA_NEW(arena, Spare);
        *spare = (Spare){.hash = body_hash(hashes, kernel->function)};
        map_put(spares->of, kernel->function, spare);
    }
    return spares;
}

List loopless_find(Arena *arena, const List *kernels, const List *there)
{
    List found = list_new(arena);
    for (size_t i = 0; i < kernels->count; i++) {
        const Kernel *kernel = kernels->item[i];
        if (kernel->options.spares == SPARES_ALL && !ir_has_loops(kernel->ir, kernel->function) &&
            kernel_may_stand_twice(arena, kernel, there))
            list_add(&found, kernel->function);
    }
    return found;
}

static Spare *spare_of(const Spares *spares, LLVMValueRef kernel) { return spares ? map_get(spares->of, kernel) : NULL; }

static void body_keep(const Spares *spares, Spare *spare, LLVMValueRef function)
{
    bool same = body_hash(body_hashes_open(spares->arena), function) == spare->hash;
    if (same && !spare->body)
        spare->body = ir_body_keep(function);
    if (!same && spare->body)
        ir_body_close(spare->body);
    spare->body = same ? spare->body : NULL;
    spare->tried = !same;
}

void spare_keep(const Spares *spares, LLVMValueRef function)
{
    Spare *spare = spare_of(spares, function);
    if (!spare || spare->tried)
        return;
    body_keep(spares, spare, function);
    spare->tried = true;
}

void spare_keep_loop(const Spares *spares, const Kernel *kernel, LLVMBasicBlockRef header, int trips, bool by_sectors)
{
    Spare *spare = spare_of(spares, kernel->function);
    if (!spare || spare->tried)
        return;
    body_keep(spares, spare, kernel->function);
    IrLoop *loop = ir_loop_of(kernel->ir, header);
    int64_t most = ir_loop_most_trips(kernel->ir, loop);
    Asked *asked = ARENA_NEW(spares->arena, Asked);
    *asked = (Asked){.leaves = most && most < trips && !ir_loop_trips(kernel->ir, loop)};
    asked->told = short_part_find(kernel, loop, trips, by_sectors, &asked->small);
    map_put(spares->asked, header, asked);
}

void spare_go_on(const Spares *spares, LLVMValueRef function)
{
    Spare *spare = spare_of(spares, function);
    if (spare && spare->body)
        spare->hash = body_hash(body_hashes_open(spares->arena), function);
}

/* Is there one that asks for the same numbers? Both hold where the least of them does. */
static bool is_joined(Short *rows, const SpareCondition *small)
{
    for (size_t i = 0; i < rows->count; i++) {
        SpareCondition *other = &rows->small[i];
        if (!spare_asks_alike(other, small))
            continue;
        spare_narrow(other, small);
        return true;
    }
    return false;
}

/* NULL: nothing that is given tells when the kernel is the worse one. */
static void ask(Short *rows, const SpareCondition *small)
{
    if (!small)
        rows->refused = true;
    else if (is_joined(rows, small))
        return;
    else if (rows->count == SPARE_CONDITIONS)
        rows->refused = true;
    else
        rows->small[rows->count++] = *small;
}

/* Walks that stand in more loops than others take the kernel's time. */
static void ask_few(Spare *spare, const Block *block)
{
    spare->stored |= block->moves[OP_STORE];
    spare->shares |= block->shares;
    if (block->depth < spare->depth)
        return;
    bool first = block->depth > spare->depth;
    spare->near = block->near && (first || (spare->near && spare_few_alike(&block->few, &spare->few)));
    spare->few = first ? block->few : spare->few;
    spare->depth = block->depth;
}

void spare_ask(const Spares *spares, const Block *block)
{
    Spare *spare = spare_of(spares, block->function);
    if (!spare)
        return;
    const Asked *asked = map_get(spares->asked, block->header);
    spare->walks = true;
    if (asked && asked->leaves)
        return;
    ask_few(spare, block);
    const SpareCondition *other = asked && asked->told ? &asked->small : NULL;
    ask(&spare->plain, asked ? other : block->told ? &block->small : NULL);
    ask(&spare->on_shelf, asked ? other : block->told_on_shelf ? &block->small_on_shelf : NULL);
}

/* Each thread goes its own way, from plane to plane, by a few words. */
static bool is_thin_march(const Kernel *kernel, const Batch *batch, bool shared)
{
    const Costs *costs = &kernel->options.cost;
    return batch->stores && !shared && !batch->by_grid && batch->together >= costs->BATCH_LEAST &&
           batch->together <= costs->BATCH_THIN;
}

void spare_ask_beside(const Spares *spares, const Kernel *kernel, const Batch *batch)
{
    Spare *spare = spare_of(spares, kernel->function);
    SpareCondition small;
    if (!spare || spare->walks || kernel->options.spares != SPARES_ALL)
        return;
    bool told = short_loop_find(kernel, batch, &small);
    ask(&spare->plain, told ? &small : NULL);
    spare->hidden += batch->slides || is_thin_march(kernel, batch, told);
    spare->loops++;
}

void spare_gains(const Spares *spares, LLVMValueRef function)
{
    Spare *spare = spare_of(spares, function);
    if (spare && !spare->walks)
        spare->plain.refused = true;
}

/* Does it move what a loop that was made longer, or the loop for what remains of one, has of a row? */
static bool is_of_walk(const Group *group)
{
    static const char *const marks[] = {BLOCK_METADATA, REST_METADATA, REUSE_METADATA};
    bool any = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        any |= ir_is_marked(((const Member *)group->members.item[0])->access->instruction, marks[i]);
    return any;
}

void spare_refuse(const Spares *spares, LLVMValueRef function)
{
    Spare *spare = spare_of(spares, function);
    if (spare)
        spare->plain.refused = spare->sums = true;
}

void spares_compare(const Spares *spares, const Plan *plan)
{
    for (size_t i = 0; i < plan->regions.count; i++) {
        const Region *region = plan->regions.item[i];
        Spare *spare = spare_of(spares, region->function);
        for (size_t j = 0; spare && j < region->groups.count; j++)
            spare->records |= !is_of_walk(region->groups.item[j]);
    }
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, (unsigned)strlen(name)) !=
           NULL;
}

/* Who asks elsewhere what the kernel takes may hear that a block of any size is launched: it is of a spare, too. */
static void limit_as(const Spares *spares, Kernel *kernel, LLVMValueRef copy)
{
    bool any_block = kernel_number(kernel, "nvvm.maxnreg") || kernel_number(kernel, "nvvm.maxntid") == MOST_THREADS;
    if (any_block && !registers_are_easy(kernel) && !has_attribute(copy, "nvvm.maxnreg") && !has_attribute(copy, "nvvm.reqntid"))
        ir_set_attribute(copy, "nvvm.maxntid", arena_text(spares->arena, "%d", MOST_THREADS));
}

static void spare_make(const Spares *spares, Kernel *kernel, const SpareLaunch *launch, const char *how, List *unmade)
{
    const char *name = spare_name(spares->arena, kernel->name, launch);
    LLVMValueRef copy = ir_body_copy(spare_of(spares, kernel->function)->body, name);
    ir_set_attribute(copy, SPARE_ATTRIBUTE, how);
    limit_as(spares, kernel, copy);
    made_spare(kernel, name);
    if (*how)
        list_add(unmade, copy);
}

static SpareLaunch launch_of(const Short *rows)
{
    SpareLaunch launch = {.count = rows->count};
    memcpy(launch.small, rows->small, sizeof launch.small);
    return launch;
}

static bool is_wanted(const Spare *spare) { return spare->plain.count && !spare->plain.refused; }

/* Do all rows that are too short to gain at all come to less than those that are to gain by a shelf? */
static bool is_shorter(const Short *plain, const Short *on_shelf)
{
    bool all = plain->count == on_shelf->count;
    for (size_t i = 0; all && i < plain->count; i++)
        all = spare_asks_alike(&plain->small[i], &on_shelf->small[i]) && plain->small[i].below < on_shelf->small[i].below;
    return all;
}

/* More blocks than an SM has room for beside each other's shelves, on all of them. */
static uint64_t blocks_beyond_shelves(const Kernel *kernel)
{
    return (uint64_t)kernel->options.cost.SMS * (uint64_t)resident_blocks(kernel, shared_bytes(kernel, NULL)) + 1;
}

/* When the kernel has shelves for nothing: for short rows, and for a launch that fills the GPU, which waits for nobody. What all lanes share rides on them
 * as well, and is loaded once where it does: that is worth it as long as all blocks find room. */
static SpareLaunch unshelved_launch(const Kernel *kernel, const Spare *spare)
{
    const Costs *costs = &kernel->options.cost;
    const Short *rows = &spare->on_shelf;
    bool told = rows->count && !rows->refused && (!is_wanted(spare) || is_shorter(&spare->plain, rows));
    SpareLaunch launch = told ? launch_of(rows) : (SpareLaunch){0};
    launch.full_blocks = spare->shares && costs->SHELF_FULL > 0;
    launch.full = launch.full_blocks ? blocks_beyond_shelves(kernel) : (uint64_t)costs->SHELF_FULL;
    return launch;
}

/* Iterations that stand side by side have more under way in each thread, and take the registers of half of the threads that fill an SM, or instructions for what is in a
 * cache (BATCH_FULL). */
static bool is_for_full(const Spare *spare)
{
    return spare->hidden && spare->hidden == spare->loops && !spare->walks && !spare->sums;
}

/* Why the kernel as it was is launched, if it ever is. */
static bool find_reasons(const Kernel *kernel, const Spare *spare, SpareLaunch *launch)
{
    *launch = is_wanted(spare) ? launch_of(&spare->plain) : (SpareLaunch){0};
    if (spare->near && !spare->stored && !spare->sums)
        launch->few = spare->few;
    if (is_for_full(spare))
        launch->full = (uint64_t)kernel->options.cost.BATCH_FULL;
    return launch->count || launch->few.threads || launch->full;
}

void spares_make(const Spares *spares, const List *kernels, List *unmade)
{
    for (size_t i = 0; i < kernels->count; i++) {
        Kernel *kernel = kernels->item[i];
        const Spare *spare = spare_of(spares, kernel->function);
        if (!spare || !spare->body)
            continue;
        SpareLaunch plain, on_shelf = {0};
        bool stays = !kernel_is_turned(kernel);
        if (stays && kernel_has_shelf(kernel))
            on_shelf = unshelved_launch(kernel, spare);
        if (on_shelf.count || on_shelf.full)
            spare_make(spares, kernel, &on_shelf, SPARE_SHUFFLES, unmade);
        if (stays && find_reasons(kernel, spare, &plain))
            spare_make(spares, kernel, &plain, spare->records ? SPARE_RECORDS : SPARE_STAY, unmade);
        ir_body_close(spare->body);
    }
}
