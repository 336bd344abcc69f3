/* Memory and arithmetic overlap: a block of code takes as long as the longer of the two. Where that is arithmetic, fewer
 * sectors gain nothing, and the shuffles of an exchange are more of it.
 *
 *     a hash of 64 bytes    memory =============      exchanged    memory ====
 *                       arithmetic ==============              arithmetic ================
 *
 * One block alone is counted: all of it runs as often as its accesses are made. Instructions are counted in slots, as many as
 * an SM starts of those that it starts fastest (CUDA C++ Programming Guide, "Arithmetic Instructions", compute capability 9.0:
 * 128 lanes a clock of sums and products of floats, 64 of integers, 32 of shuffles). */
#include "coalda.h"
#include "warp.h"

enum { PERCENT = 100, WORD_BYTES = 4 };
enum { PLAIN = 1, HALF_RATE = 2, SHUFFLE = 4 };

/* ---- slots of a block as it is ---- */

static bool is_intrinsic(LLVMValueRef instruction, const char *name, size_t length)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
    return callee && LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, length);
}

/* Two sums, or two or three logical operations, become one instruction at half the rate, as a sum and a product of floats become
 * one at the full rate; a shift stays one of its own. */
static int slots_of(LLVMValueRef instruction)
{
    static const char left[] = "llvm.fshl", right[] = "llvm.fshr";
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMPHI: case LLVMBitCast: case LLVMTrunc: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMAddrSpaceCast:
        return 0;
    case LLVMShl: case LLVMLShr: case LLVMAShr:
        return HALF_RATE;
    case LLVMCall:
        if (is_intrinsic(instruction, left, sizeof left - 1) || is_intrinsic(instruction, right, sizeof right - 1))
            return HALF_RATE;
        return is_harmless(instruction) && ir_touches_memory(instruction) ? 0 : PLAIN; /* debug information, assumptions */
    default:
        return PLAIN;
    }
}

static double slots_of_block(LLVMBasicBlockRef block)
{
    double slots = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        slots += slots_of(i);
    return slots;
}

/* ---- slots that an exchange adds ---- */

static int log2_of(int count)
{
    int bits = 0;
    while (1 << bits < count)
        bits++;
    return bits;
}

/* The shuffle network (transform/network.c), and the address of each request. */
static double slots_of_part(const Part *part)
{
    enum { ADDRESS = 2 * HALF_RATE, SELECTS_OF_A_SWAP = 3 };
    if (part->count == 1)
        return 0;
    int pairs = warp_pairs(part->count), turns = part->count / pairs;
    double swaps = part->count * log2_of(pairs) / 2.0;
    double shuffles = swaps + (turns > 1 ? part->count : 0);
    double selects = SELECTS_OF_A_SWAP * swaps + part->count * log2_of(turns);
    int words = part->unit > WORD_BYTES ? part->unit / WORD_BYTES : 1;
    return words * (SHUFFLE * shuffles + HALF_RATE * selects) + ADDRESS * part->count;
}

static double slots_of_exchange(const Group *group)
{
    const Layout *layout = &group->layout[LAYOUT_LIKELY];
    double slots = 0;
    for (int i = 0; i < layout->parts; i++)
        slots += slots_of_part(&layout->part[i]);
    return slots;
}

/* ---- the block ---- */

typedef struct {
    const Kernel *kernel;
    List groups;     /* of Group, with an estimate */
    double slots;    /* of the block as it is */
    double others;   /* bytes of what is in none of the groups */
} Busy;

static bool is_estimated(const Group *group) { return group->plain > 0; }
static bool is_exchanged(const Group *group) { return group->chosen && !group->widens && !group->is_uniform; }

static bool is_reckoned(const Kernel *kernel, const Access *access)
{
    const List *groups = map_get(kernel->plan->grouped, access->instruction);
    for (size_t i = 0; groups && i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (group->op == access->op && is_estimated(group))
            return true;
    }
    return false;
}

/* An access on its own: at least the sectors that it touches; each lane is elsewhere where nothing is known. */
static double time_alone(const Access *access)
{
    const Figure *figure = &access->figure;
    if (access->space != SPACE_GLOBAL && access->space != SPACE_GENERIC)
        return 0;
    return SECTOR_BYTES * (figure->known ? figure->sectors : figure->requests * WARP_LANES);
}

static double time_of_others(const Kernel *kernel, const Scope *scope, LLVMBasicBlockRef block)
{
    double time = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        const List *accesses = map_get(scope->accesses, i);
        for (size_t j = 0; accesses && j < accesses->count; j++)
            if (!is_reckoned(kernel, accesses->item[j]))
                time += time_alone(accesses->item[j]);
    }
    return time;
}

static double longer(double memory, double arithmetic) { return memory > arithmetic ? memory : arithmetic; }

static bool gains(const Busy *busy)
{
    const Costs *costs = &busy->kernel->options.cost;
    double plain = busy->others, rewritten = busy->others, slots = busy->slots;
    for (size_t i = 0; i < busy->groups.count; i++) {
        const Group *group = busy->groups.item[i];
        plain += group->plain;
        rewritten += group->chosen ? group->rewritten : group->plain;
        slots += is_exchanged(group) ? slots_of_exchange(group) : 0;
    }
    return longer(plain, busy->slots * costs->SLOT) * PERCENT >= longer(rewritten, slots * costs->SLOT) * (PERCENT + costs->MARGIN);
}

static Group *least_of(const Busy *busy)
{
    Group *least = NULL;
    for (size_t i = 0; i < busy->groups.count; i++) {
        Group *group = busy->groups.item[i];
        if (is_exchanged(group) && (!least || group->plain - group->rewritten < least->plain - least->rewritten))
            least = group;
    }
    return least;
}

void busy_refuse(const Kernel *kernel, const List *groups, size_t from, size_t to)
{
    const Group *first = groups->item[from];
    Busy busy = {.kernel = kernel, .groups = list_new(kernel->arena)};
    for (size_t i = from; i < to; i++)
        if (is_estimated(groups->item[i]))
            list_add(&busy.groups, groups->item[i]);
    if (!least_of(&busy))
        return;
    busy.slots = slots_of_block(first->block);
    busy.others = time_of_others(kernel, first->scope, first->block);
    for (Group *least = least_of(&busy); least && !gains(&busy); least = least_of(&busy)) {
        least->chosen = false;
        least->why = WHY_BUSY;
    }
}
