/* Waits for asynchronous copies that have nothing to wait for.
 *
 *     f = copy_async(s, g);  wait(f);  use s;  wait(f);           the second one is a barrier at best
 *     f = copy_async(s, g);  for (...) { wait(f);  use s; }        so is that of every iteration but the first
 *
 * Nothing is said unless it is certain: on every way to the wait, from the last one that left nothing under way or from the kernel's begin, no
 * copy begins, no group of copies ends, and nothing is called that may do so. What unrolling or inlining made of one wait of the source is told
 * of where all of it is idle; so lines must be known. A kernel that is made of a template may be so for one of its arguments alone: nothing is
 * said of those. Waits for plain copies are barriers and nothing else: whether one was meant as such the program does not say. */
#include <stdlib.h>
#include <string.h>

#include "analysis/explain/explain.h"

typedef struct {
    Kernel *kernel;
    List waits; /* of LLVMValueRef: all of the kernel that are the program's own */
} Look;

static bool leaves_nothing(LLVMValueRef instruction) { return ir_groups_left(instruction) == 0; }

/* Back from there to the begin of its block: 1 where a copy may begin, -1 where a wait ends the way, 0 where the block's begin is reached. */
static int look_back(LLVMValueRef from)
{
    for (LLVMValueRef i = from; i; i = LLVMGetPreviousInstruction(i)) {
        if (ir_may_begin_copies(i))
            return 1;
        if (leaves_nothing(i))
            return -1;
    }
    return 0;
}

static void blocks_before(const Kernel *kernel, LLVMBasicBlockRef block, Map *seen, List *pending)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        if (jumps_to(b, block) && !map_get(seen, b)) {
            map_put(seen, b, b);
            list_add(pending, b);
        }
}

static bool has_nothing_before(const Kernel *kernel, LLVMValueRef wait)
{
    Map *seen = map_new(kernel->arena);
    List pending = list_new(kernel->arena);
    LLVMValueRef above = LLVMGetPreviousInstruction(wait);
    int found = look_back(above);
    if (!found)
        blocks_before(kernel, LLVMGetInstructionParent(wait), seen, &pending);
    while (found <= 0 && pending.count) {
        LLVMBasicBlockRef block = pending.item[--pending.count];
        found = look_back(LLVMGetBasicBlockTerminator(block));
        if (!found)
            blocks_before(kernel, block, seen, &pending);
    }
    return found <= 0;
}

/* Does the loop around it begin none, and come to it in each of its iterations, of which there may be several? */
static bool is_repeated(const Kernel *kernel, LLVMValueRef wait)
{
    IrLoop *loop = ir_loop_of(kernel->ir, LLVMGetInstructionParent(wait));
    LLVMBasicBlockRef latch = loop ? ir_loop_latch(loop) : NULL;
    if (!latch || !leaves_nothing(wait) || ir_loop_trips(kernel->ir, loop) == 1 ||
        !ir_dominates(kernel->ir, LLVMGetInstructionParent(wait), latch))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (ir_may_begin_copies(i))
                return false;
    return true;
}

static bool is_same_line(Location a, Location b)
{
    return a.line && a.line == b.line && a.column == b.column && strcmp(a.file, b.file) == 0;
}

/* Is all idle that stands in the source where this one does? */
static bool all_are_idle(const Look *look, LLVMValueRef wait)
{
    Location place = location_of(look->kernel->scope, wait);
    for (size_t i = 0; i < look->waits.count; i++) {
        LLVMValueRef other = look->waits.item[i];
        if (is_same_line(place, location_of(look->kernel->scope, other)) && !has_nothing_before(look->kernel, other) &&
            !is_repeated(look->kernel, other))
            return false;
    }
    return place.line > 0;
}

static bool is_of_template(const Kernel *kernel)
{
    char *name = ir_demangled(kernel->name);
    bool is = strchr(name, '<') != NULL;
    free(name);
    return is;
}

List idle_waits_find(Kernel *kernel)
{
    Look look = {kernel, list_new(kernel->arena)};
    List found = list_new(kernel->arena);
    if (is_of_template(kernel))
        return found;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_groups_left(i) >= 0)
                list_add(&look.waits, i);
    for (size_t i = 0; i < look.waits.count; i++)
        if (all_are_idle(&look, look.waits.item[i]))
            list_add(&found, look.waits.item[i]);
    return found;
}
