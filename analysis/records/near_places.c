/* Places that are computed from floats, as those of pictures, fields and grids are:
 *
 *     x = (int)(i % w - u[i] * dt); y = (int)(i / w - v[i] * dt);     p[y*w + x], p[y*w + x + 1]
 *
 * Lanes that are neighbours come to neighbours, whose lines the first-level cache has. */
#include "analysis/records/records.h"

enum { MOST_VALUES = 64 }; /* that are looked at */

static bool is_from_float(LLVMValueRef value)
{
    const char *name = LLVMIsACallInst(value) ? callee_name(value) : "";
    return LLVMIsAFPToSIInst(value) || LLVMIsAFPToUIInst(value) || text_begins(name, "llvm.nvvm.f2") ||
           text_begins(name, "llvm.nvvm.d2") || text_begins(name, "llvm.fpto") || text_begins(name, "llvm.lrint");
}

static void add_operands(List *open, Map *known, LLVMValueRef value)
{
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = LLVMIsAInstruction(LLVMGetOperand(value, (unsigned)i));
        if (!operand || map_get(known, operand))
            continue;
        map_put(known, operand, operand);
        list_add(open, operand);
    }
}

bool group_is_near(const Group *group)
{
    Arena *arena = group->scope->kernel->arena;
    Map *known = map_new(arena);
    List open = list_new(arena);
    if (LLVMIsAInstruction(group->root->pointer))
        list_add(&open, group->root->pointer);
    for (size_t i = 0; i < open.count && i < MOST_VALUES; i++) {
        LLVMValueRef value = open.item[i];
        if (is_from_float(value))
            return true;
        if (!LLVMIsALoadInst(value))
            add_operands(&open, known, value);
    }
    return false;
}
