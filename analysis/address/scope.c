/* Scopes: a function body as one call runs it, its arguments known as forms of the kernel. */
#include "analysis/address/automaton.h"

enum { MOST_DEPTH = 8, MOST_SCOPES = 256 };

/* A kernel's argument is one value for the whole grid; a pointer is the start of an allocation. */
static const Form *argument_leaf(Scope *scope, LLVMValueRef argument, unsigned index)
{
    Kernel *kernel = scope->kernel;
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    char name[64];
    const char *text = ir_source_name(argument, name, sizeof name) ? arena_text(kernel->arena, "%s", name)
                                                                   : arena_text(kernel->arena, "arg%u", index);
    size_t length;
    if (*LLVMGetValueName2(argument, &length))
        text = LLVMGetValueName2(argument, &length);
    if (!kernel->is_entry || scope->function != kernel->function)
        return automaton_unknown(scope, SYM_OPAQUE, NULL, text, kernel->is_entry ? WHY_RECURSIVE : WHY_ARGUMENT);
    return automaton_unknown(scope, is_pointer ? SYM_BASE : SYM_UNIFORM, NULL, text, WHY_NONE);
}

Scope *scope_open(Kernel *kernel, LLVMValueRef function, Scope *caller, LLVMValueRef call)
{
    Arena *arena = kernel->arena;
    Scope *scope = ARENA_NEW(arena, Scope);
    unsigned count = LLVMCountParams(function);
    scope->kernel = kernel;
    scope->function = function;
    scope->caller = caller;
    scope->call = call;
    scope->forms = map_new(arena);
    scope->guards = map_new(arena);
    scope->lone = map_new(arena);
    scope->callees = map_new(arena);
    scope->journal = list_new(arena);
    scope->depth = caller ? caller->depth + 1 : 0;
    scope->argument = ARENA_ARRAY(arena, const Form *, count + 1);
    for (unsigned i = 0; i < count; i++)
        scope->argument[i] = caller && i < LLVMGetNumArgOperands(call) ? automaton_form(caller, LLVMGetOperand(call, i))
                                                                       : argument_leaf(scope, LLVMGetParam(function, i), i);
    list_add(&kernel->found.scopes, scope);
    return scope;
}

static bool runs_already(const Scope *scope, LLVMValueRef function)
{
    for (; scope; scope = scope->caller)
        if (scope->function == function)
            return true;
    return false;
}

Scope *scope_of_call(Scope *scope, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    Scope *made = map_get(scope->callees, call);
    if (made || !callee || LLVMIsDeclaration(callee) || runs_already(scope, callee) || scope->depth >= MOST_DEPTH ||
        scope->kernel->found.scopes.count >= MOST_SCOPES)
        return made;
    made = scope_open(scope->kernel, callee, scope, call);
    map_put(scope->callees, call, made);
    return made;
}

Scope *scope_stray(Kernel *kernel, LLVMValueRef function)
{
    if (map_get(kernel->asked.stray, function))
        return NULL;
    Scope *scope = scope_open(kernel, function, NULL, NULL);
    map_put(kernel->asked.stray, function, scope);
    return scope;
}
