/* Types as lists of scalars, and constants as slots of the pool or as bytes of a variable. */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

typedef struct {
    Decoder *decoder;
    Elem *elem;
    uint32_t count, capacity;
    bool unsupported;
} Flat;

static void flat_add(Flat *flat, unsigned width, uint64_t offset, LLVMTypeKind kind)
{
    flat->elem = array_room(flat->decoder->arena, flat->elem, flat->count, &flat->capacity, sizeof *flat->elem);
    bool real = kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    flat->elem[flat->count++] = (Elem){(uint8_t)width, real, kind == LLVMBFloatTypeKind, (uint32_t)offset};
}

static void flat_type(Flat *flat, LLVMTypeRef type, uint64_t offset);

static void flat_sequence(Flat *flat, LLVMTypeRef type, uint64_t count, uint64_t offset, uint64_t stride)
{
    if (count > 4096) {
        flat->unsupported = true;
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        flat_type(flat, LLVMGetElementType(type), offset + i * stride);
}

static void flat_vector(Flat *flat, LLVMTypeRef type, uint64_t offset)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    uint64_t bits = LLVMSizeOfTypeInBits(flat->decoder->image->layout, element);
    flat_sequence(flat, type, LLVMGetVectorSize(type), offset, bits < 8 ? 1 : bits / 8);
}

static void flat_type(Flat *flat, LLVMTypeRef type, uint64_t offset)
{
    LLVMTargetDataRef layout = flat->decoder->image->layout;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    switch (kind) {
    case LLVMVoidTypeKind: return;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: flat_add(flat, 16, offset, kind); return;
    case LLVMFloatTypeKind: flat_add(flat, 32, offset, kind); return;
    case LLVMDoubleTypeKind: flat_add(flat, 64, offset, kind); return;
    case LLVMPointerTypeKind: flat_add(flat, 64, offset, kind); return;
    case LLVMIntegerTypeKind:
        for (unsigned width = LLVMGetIntTypeWidth(type), at = 0; at < width; at += 64)
            flat_add(flat, width - at < 64 ? width - at : 64, offset + at / 8, kind);
        return;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            flat_type(flat, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(layout, type, i));
        return;
    case LLVMArrayTypeKind:
        flat_sequence(flat, type, LLVMGetArrayLength2(type), offset, LLVMABISizeOfType(layout, LLVMGetElementType(type)));
        return;
    case LLVMVectorTypeKind: flat_vector(flat, type, offset); return;
    default: flat->unsupported = true;
    }
}

const Shape *type_shape(Decoder *d, LLVMTypeRef type)
{
    Shape *shape = map_get(d->shapes, type);
    if (shape)
        return shape;
    Flat flat = {.decoder = d};
    flat_type(&flat, type, 0);
    shape = ARENA_NEW(d->arena, Shape);
    shape->count = flat.count;
    shape->elem = flat.elem;
    shape->unsupported = flat.unsupported;
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64)
        shape->wide = LLVMGetIntTypeWidth(type);
    if (LLVMTypeIsSized(type))
        shape->bytes = LLVMStoreSizeOfType(d->image->layout, type);
    map_put(d->shapes, type, shape);
    return shape;
}

/* ---- the pool ---- */

static void pool_grow(Decoder *d)
{
    Image *image = d->image;
    unsigned capacity = d->constant_capacity ? 2 * d->constant_capacity : 256;
    uint64_t *value = ARENA_ARRAY(d->arena, uint64_t, (size_t)capacity *LANES);
    uint64_t *undef = ARENA_ARRAY(d->arena, uint64_t, (size_t)capacity *LANES);
    Mask *dirty = ARENA_ARRAY(d->arena, Mask, capacity);
    if (image->constant_count) {
        memcpy(value, image->constant, sizeof *value * LANES * image->constant_count);
        memcpy(undef, image->constant_undef, sizeof *undef * LANES * image->constant_count);
        memcpy(dirty, image->constant_dirty, sizeof *dirty * image->constant_count);
    }
    image->constant = value;
    image->constant_undef = undef;
    image->constant_dirty = dirty;
    d->constant_capacity = capacity;
    d->constant_slots = 4 * capacity;
    d->constant_slot = ARENA_ARRAY(d->arena, uint32_t, d->constant_slots);
}

static uint32_t *pool_find(Decoder *d, uint64_t bits, uint64_t undef)
{
    const Image *image = d->image;
    uint64_t hash = (bits ^ undef << 1) * 0x9E3779B97F4A7C15u;
    uint32_t slot = (uint32_t)(hash >> 32) & (d->constant_slots - 1);
    for (; d->constant_slot[slot]; slot = (slot + 1) & (d->constant_slots - 1)) {
        size_t at = (size_t)(d->constant_slot[slot] - 1) * LANES;
        if (image->constant[at] == bits && image->constant_undef[at] == undef)
            break;
    }
    return &d->constant_slot[slot];
}

uint32_t constant_ref(Decoder *d, uint64_t bits, uint64_t undef)
{
    Image *image = d->image;
    if (image->constant_count == d->constant_capacity) {
        pool_grow(d);
        for (unsigned i = 0; i < image->constant_count; i++)
            *pool_find(d, image->constant[(size_t)i * LANES], image->constant_undef[(size_t)i * LANES]) = i + 1;
    }
    uint32_t *slot = pool_find(d, bits, undef);
    if (!*slot) {
        unsigned index = image->constant_count++;
        for (int lane = 0; lane < LANES; lane++) {
            image->constant[(size_t)index * LANES + lane] = bits;
            image->constant_undef[(size_t)index * LANES + lane] = undef;
        }
        image->constant_dirty[index] = undef ? FULL_MASK : 0;
        *slot = index + 1;
    }
    return REF_CONST | (*slot - 1);
}

uint64_t constant_bits(const Decoder *d, uint32_t ref) { return d->image->constant[(size_t)(ref & ~REF_CONST) * LANES]; }

/* ---- constants ---- */

typedef struct {
    Decoder *decoder;
    uint64_t *bits, *undef;
    unsigned count;
    bool failed;
} Scalars;

static void scalar_add(Scalars *s, uint64_t bits, uint64_t undef)
{
    s->bits[s->count] = bits;
    s->undef[s->count++] = undef;
}

/* LLVM-C gives no words of an integer wider than 64 bits: they are read back from its text. */
static void wide_constant(Scalars *s, LLVMValueRef value, unsigned width)
{
    char *text = LLVMPrintValueToString(value);
    const char *digit = strchr(text, ' ') + 1;
    bool negative = *digit == '-';
    unsigned limbs = (width + 63) / 64;
    uint64_t limb[64] = {0};
    for (digit += negative; *digit >= '0' && *digit <= '9'; digit++) {
        unsigned __int128 carry = (unsigned)(*digit - '0');
        for (unsigned i = 0; i < limbs; i++) {
            carry += (unsigned __int128)limb[i] * 10;
            limb[i] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    LLVMDisposeMessage(text);
    uint64_t borrow = negative;
    for (unsigned i = 0; i < limbs; i++) {
        uint64_t word = negative ? ~limb[i] + borrow : limb[i];
        borrow = borrow && word == 0;
        scalar_add(s, word & width_ones(width - 64 * i < 64 ? width - 64 * i : 64), 0);
    }
}

static uint64_t real_constant(LLVMValueRef value, const Elem *elem)
{
    LLVMBool lost;
    double number = LLVMConstRealGetDouble(value, &lost);
    float single = (float)number;
    uint64_t bits = 0;
    if (elem->width == 64) {
        memcpy(&bits, &number, 8);
    } else if (elem->width == 32) {
        memcpy(&bits, &single, 4);
    } else if (elem->bf16) {
        memcpy(&bits, &single, 4);
        bits >>= 16;
    } else {
        bits = double_to_half(number);
    }
    return bits;
}

static void scalars_of(Scalars *s, LLVMValueRef value);

static uint64_t scalar_of(Scalars *s, LLVMValueRef value)
{
    Decoder *d = s->decoder;
    uint64_t bits[1024], undef[1024];
    if (type_shape(d, LLVMTypeOf(value))->count != 1) {
        s->failed = true;
        return 0;
    }
    Scalars one = {.decoder = d, .bits = bits, .undef = undef};
    scalars_of(&one, value);
    s->failed |= one.failed;
    return bits[0];
}

static uint64_t gep_constant(Scalars *s, LLVMValueRef gep)
{
    Decoder *d = s->decoder;
    LLVMTargetDataRef layout = d->image->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t address = scalar_of(s, LLVMGetOperand(gep, 0));
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef operand = LLVMGetOperand(gep, i);
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(operand));
        int64_t index = (int64_t)(scalar_of(s, operand) << (64 - width)) >> (64 - width);
        if (i == 1) {
            address += (uint64_t)index * LLVMABISizeOfType(layout, type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            address += LLVMOffsetOfElement(layout, type, (unsigned)index);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
        } else {
            type = LLVMGetElementType(type);
            address += (uint64_t)index * LLVMABISizeOfType(layout, type);
        }
    }
    return address;
}

uint64_t space_base(unsigned space) { return space == 3 || space == 7 ? SHARED_BASE : space == 5 ? LOCAL_BASE : 0; }

static uint64_t expression(Scalars *s, LLVMValueRef value)
{
    LLVMValueRef first = LLVMGetOperand(value, 0);
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr: return gep_constant(s, value);
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMPtrToAddr: return scalar_of(s, first);
    case LLVMAddrSpaceCast:
        return scalar_of(s, first) + space_base(LLVMGetPointerAddressSpace(LLVMTypeOf(first))) -
               space_base(LLVMGetPointerAddressSpace(LLVMTypeOf(value)));
    case LLVMAdd: return scalar_of(s, first) + scalar_of(s, LLVMGetOperand(value, 1));
    case LLVMSub: return scalar_of(s, first) - scalar_of(s, LLVMGetOperand(value, 1));
    case LLVMXor: return scalar_of(s, first) ^ scalar_of(s, LLVMGetOperand(value, 1));
    default: s->failed = true; return 0;
    }
}

static void aggregate(Scalars *s, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t count = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
                     : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                 : LLVMGetVectorSize(type);
    for (uint64_t i = 0; i < count; i++)
        scalars_of(s, LLVMGetAggregateElement(value, (unsigned)i));
}

static void scalars_of(Scalars *s, LLVMValueRef value)
{
    Decoder *d = s->decoder;
    LLVMTypeRef type = LLVMTypeOf(value);
    const Shape *shape = type_shape(d, type);
    if (LLVMIsUndef(value) || LLVMIsPoison(value) || LLVMIsNull(value)) {
        for (unsigned i = 0; i < shape->count; i++)
            scalar_add(s, 0, LLVMIsNull(value) ? 0 : width_ones(shape->elem[i].width));
    } else if (LLVMIsAConstantInt(value) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
        if (shape->wide)
            wide_constant(s, value, shape->wide);
        else
            scalar_add(s, LLVMConstIntGetZExtValue(value), 0);
    } else if (LLVMIsAConstantFP(value) && shape->count == 1) {
        scalar_add(s, real_constant(value, shape->elem), 0);
    } else if (LLVMIsAFunction(value)) {
        scalar_add(s, FUNC_BASE + 16ull * func_get(d, value)->id, 0);
    } else if (LLVMIsAGlobalVariable(value)) {
        const Variable *variable = map_get(d->variables, value);
        scalar_add(s, variable ? variable->address : 0, 0);
        s->failed |= !variable;
    } else if (LLVMIsAGlobalAlias(value)) {
        scalars_of(s, LLVMAliasGetAliasee(value));
    } else if (LLVMIsAConstantExpr(value) && shape->count == 1) {
        scalar_add(s, expression(s, value) & width_ones(shape->elem[0].width), 0);
    } else if (shape->count && LLVMGetAggregateElement(value, 0)) {
        aggregate(s, value, type);
    } else {
        s->failed = true;
        for (unsigned i = 0; i < shape->count; i++)
            scalar_add(s, 0, 0);
    }
}

static Scalars scalars_new(Decoder *d, unsigned count)
{
    return (Scalars){.decoder = d,
                     .bits = ARENA_ARRAY(d->arena, uint64_t, count + 1),
                     .undef = ARENA_ARRAY(d->arena, uint64_t, count + 1)};
}

const uint32_t *constant_refs(Decoder *d, LLVMValueRef value)
{
    uint32_t *refs = map_get(d->constants, value);
    if (refs)
        return refs;
    unsigned count = type_shape(d, LLVMTypeOf(value))->count;
    Scalars s = scalars_new(d, count);
    scalars_of(&s, value);
    if (s.failed)
        return NULL;
    refs = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++)
        refs[i] = constant_ref(d, s.bits[i], s.undef[i]);
    map_put(d->constants, value, refs);
    return refs;
}

bool constant_bytes(Decoder *d, LLVMValueRef value, uint8_t *data, uint64_t offset)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(value) || LLVMIsUndef(value) || LLVMIsPoison(value))
        return true;
    if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) {
        uint64_t count = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMCountStructElementTypes(type);
        uint64_t stride = kind == LLVMArrayTypeKind ? LLVMABISizeOfType(d->image->layout, LLVMGetElementType(type)) : 0;
        bool good = true;
        for (uint64_t i = 0; i < count; i++)
            good &= constant_bytes(d, LLVMGetAggregateElement(value, (unsigned)i), data,
                                   offset + (stride ? i * stride : LLVMOffsetOfElement(d->image->layout, type, (unsigned)i)));
        return good;
    }
    const Shape *shape = type_shape(d, type);
    Scalars s = scalars_new(d, shape->count);
    scalars_of(&s, value);
    for (unsigned i = 0; i < s.count; i++)
        memcpy(data + offset + shape->elem[i].offset, &s.bits[i], (shape->elem[i].width + 7u) / 8);
    return !s.failed;
}
