/* What the parts of the automaton share: automaton.c, scope.c, guard.c and phi.c. */
#ifndef COALDA_AUTOMATON_H
#define COALDA_AUTOMATON_H

#include "analysis/address/kernel.h"

/* A symbol of its own for a value, named as in the source where that is known. */
const Form *automaton_unknown(Scope *scope, SymbolKind kind, LLVMValueRef value, const char *name, Why why);
IrLoop *loop_of_value(Scope *scope, LLVMValueRef value);
int bits_of_value(LLVMValueRef value);
/* The number is known to have no more bits, wherever it is computed; 0: nothing is known, or more than any index has. */
int automaton_bits(Scope *scope, LLVMValueRef value);

const Form *phi_form(Scope *scope, LLVMValueRef phi);
/* One of two equal forms, with what was taken for granted of either. */
const Form *form_either(FormSpace *forms, const Form *a, const Form *b);
/* Is every part of the form the same in all iterations of the loop, or of any loop where it is NULL? */
bool form_is_invariant(const Form *form, IrLoop *loop);

bool condition_is_uniform(Scope *scope, LLVMValueRef condition);
/* Is it `a and b` that holds, or `a or b` that does not? a is its first operand. */
bool condition_is_both(LLVMValueRef condition, bool holds, LLVMValueRef *other);
/* Does the block above end with a condition, one side of which alone leads to the block: where it holds, or where not? */
bool condition_leads(Scope *scope, LLVMBasicBlockRef above, LLVMBasicBlockRef block, bool *holds);
bool is_conditional(LLVMValueRef terminator);
/* The comparison behind a condition that holds or does not; false where it is something else. */
bool guard_of_condition(Scope *scope, LLVMValueRef condition, bool holds, Guard *guard);

#endif
