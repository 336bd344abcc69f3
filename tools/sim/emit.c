/* What the files that decode share: instructions, slots of the frame, what a value is bound to, accesses, functions. */
#include "decode.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* ---- emitting ---- */

void *array_room(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    enum { FIRST = 16 };
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : FIRST;
    void *grown = arena_alloc(arena, *capacity * size);
    if (count)
        memcpy(grown, items, count * size);
    return grown;
}

Inst *emit(Decoder *d, Op op)
{
    d->code = array_room(d->arena, d->code, d->count, &d->capacity, sizeof *d->code);
    Inst *inst = &d->code[d->count++];
    *inst = (Inst){.op = (uint16_t)op, .where = d->where, .src = {REF_CONST, REF_CONST, REF_CONST, REF_CONST}};
    return inst;
}

Inst *emit_alu(Decoder *d, Op op, unsigned width, unsigned from, uint32_t dst, uint32_t a, uint32_t b, uint32_t c)
{
    Inst *inst = emit(d, op);
    inst->width = (uint8_t)width;
    inst->from = (uint8_t)from;
    inst->dst = dst;
    inst->src[0] = a;
    inst->src[1] = b;
    inst->src[2] = c;
    return inst;
}

char *value_text(Decoder *d, LLVMValueRef value)
{
    char *text = LLVMPrintValueToString(value);
    const char *from = text + strspn(text, " ");
    char *copy = arena_copy(d->arena, from, strcspn(from, "\n"));
    LLVMDisposeMessage(text);
    return copy;
}

void emit_refuse(Decoder *d, const char *format, ...)
{
    va_list args;
    Text text = text_new(d->arena);
    va_start(args, format);
    text_add_v(&text, format, args);
    va_end(args);
    text_add(&text, ": '%s' in %s", value_text(d, d->at), d->func->name);
    const Where *where = &d->image->where[d->where];
    if (*where->file)
        text_add(&text, " (%s:%u)", where->file, where->line);
    emit(d, OP_REFUSE)->ext = text.data;
}

uint32_t slots_take(Decoder *d, unsigned count)
{
    uint32_t first = d->slots;
    d->slots += count;
    return first;
}

void result_bind(Decoder *d, LLVMValueRef value, const uint32_t *refs) { map_put(d->values, value, (void *)(uintptr_t)refs); }

uint32_t result_take(Decoder *d, LLVMValueRef value, unsigned count)
{
    uint32_t first = slots_take(d, count);
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++)
        refs[i] = first + i;
    result_bind(d, value, refs);
    return first;
}

const uint32_t *value_refs(Decoder *d, LLVMValueRef value)
{
    const uint32_t *refs = map_get(d->values, value);
    if (refs)
        return refs;
    if (LLVMIsConstant(value))
        refs = constant_refs(d, value);
    if (refs)
        return refs;
    emit_refuse(d, "constant '%s' is not supported", value_text(d, value));
    unsigned count = type_shape(d, LLVMTypeOf(value))->count;
    uint32_t *zeros = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++)
        zeros[i] = REF_CONST;
    return zeros;
}

uint32_t operand(Decoder *d, LLVMValueRef inst, unsigned index) { return value_refs(d, LLVMGetOperand(inst, index))[0]; }

Access *access_new(Decoder *d, unsigned count)
{
    Image *image = d->image;
    image->access = array_room(d->arena, image->access, image->access_count, &d->access_capacity, sizeof *image->access);
    Access *access = ARENA_NEW(d->arena, Access);
    access->id = image->access_count;
    access->count = count;
    access->align = access->align2 = 1;
    image->access[image->access_count++] = access;
    return access;
}

Func *func_get(Decoder *d, LLVMValueRef value)
{
    Func *func = map_get(d->funcs, value);
    if (func)
        return func;
    Image *image = d->image;
    image->func = array_room(d->arena, image->func, image->func_count, &d->func_capacity, sizeof *image->func);
    func = ARENA_NEW(d->arena, Func);
    func->name = LLVMGetValueName(value);
    func->value = value;
    func->id = image->func_count;
    image->func[image->func_count++] = func;
    map_put(d->funcs, value, func);
    list_add(&d->queue, func);
    return func;
}

/* ---- where ---- */

uint32_t where_of(Decoder *d, LLVMValueRef inst)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);
    if (!location)
        return 0;
    uintptr_t known = (uintptr_t)map_get(d->wheres, location);
    if (known)
        return (uint32_t)known - 1;
    Image *image = d->image;
    image->where = array_room(d->arena, image->where, image->where_count, &d->where_capacity, sizeof *image->where);
    image->where[image->where_count] = where_read(d->arena, inst);
    map_put(d->wheres, location, (void *)(uintptr_t)(image->where_count + 1));
    return image->where_count++;
}
