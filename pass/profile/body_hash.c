/* The hash of a kernel's body. Values are told by their places in the function, globals by their linked names; numbers of metadata and
 * names of values, which change with debug information and with what else the file holds, are never read. */
#include "pass/profile/body_hash.h"

#include <string.h>

#include "pass/base/ir.h"
#include "pass/bridge/bridge.h"

struct BodyHashes {
    Arena *arena;
    Map *bodies; /* function -> its own hash, kept as uint64_t */
};

typedef struct {
    Arena *arena;
    Map *places; /* arguments, blocks and instructions -> 1, 2, 3, ... */
    List *called;
    uint64_t hash;
} Hashing;

/* ---- bits ---- */

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv; of whole words as of bytes. */
static const uint64_t fnv_basis = 0xcbf29ce484222325u, fnv_prime = 0x100000001b3u;

static void add(Hashing *hashing, uint64_t word)
{
    hashing->hash = (hashing->hash ^ word) * fnv_prime;
    hashing->hash ^= hashing->hash >> 32; /* high bits of words come down, too */
}

static void add_text(Hashing *hashing, const char *text)
{
    for (; *text; text++)
        add(hashing, (unsigned char)*text);
    add(hashing, 0);
}

/* LLVM's own text, which is given back at once. */
static void add_printed(Hashing *hashing, char *text)
{
    add_text(hashing, text);
    LLVMDisposeMessage(text);
}

/* ---- types and constants ---- */

static void add_type(Hashing *hashing, LLVMTypeRef type);

static void add_types(Hashing *hashing, LLVMTypeRef *types, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add_type(hashing, types[i]);
}

static void add_struct(Hashing *hashing, LLVMTypeRef type)
{
    unsigned count = LLVMIsOpaqueStruct(type) ? 0 : LLVMCountStructElementTypes(type);
    LLVMTypeRef *types = ARENA_ARRAY(hashing->arena, LLVMTypeRef, count + 1);
    add(hashing, count);
    if (!count)
        return;
    LLVMGetStructElementTypes(type, types);
    add(hashing, (uint64_t)LLVMIsPackedStruct(type));
    add_types(hashing, types, count);
}

static void add_function_type(Hashing *hashing, LLVMTypeRef type)
{
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *types = ARENA_ARRAY(hashing->arena, LLVMTypeRef, count + 1);
    LLVMGetParamTypes(type, types);
    add(hashing, count);
    add_type(hashing, LLVMGetReturnType(type));
    add_types(hashing, types, count);
}

static void add_type(Hashing *hashing, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    add(hashing, kind);
    switch (kind) {
    case LLVMIntegerTypeKind: add(hashing, LLVMGetIntTypeWidth(type)); break;
    case LLVMPointerTypeKind: add(hashing, LLVMGetPointerAddressSpace(type)); break;
    case LLVMStructTypeKind: add_struct(hashing, type); break;
    case LLVMFunctionTypeKind: add_function_type(hashing, type); break;
    case LLVMArrayTypeKind:
        add(hashing, LLVMGetArrayLength2(type));
        add_type(hashing, LLVMGetElementType(type));
        break;
    case LLVMVectorTypeKind:
        add(hashing, LLVMGetVectorSize(type));
        add_type(hashing, LLVMGetElementType(type));
        break;
    default: break;
    }
}

/* Of private ones only what is in them: they are numbered through the file. */
static void add_global(Hashing *hashing, LLVMValueRef global)
{
    size_t length;
    add_type(hashing, LLVMGlobalGetValueType(global));
    if (LLVMGetLinkage(global) != LLVMPrivateLinkage)
        add_text(hashing, LLVMGetValueName2(global, &length));
    if (LLVMIsAFunction(global)) {
        list_add(hashing->called, global);
        return;
    }
    LLVMValueRef variable = LLVMIsAGlobalVariable(global), holds = variable ? LLVMGetInitializer(variable) : NULL;
    if (holds && LLVMIsGlobalConstant(variable))
        add_printed(hashing, LLVMPrintValueToString(holds));
}

static void add_operand(Hashing *hashing, LLVMValueRef value)
{
    enum { LOCAL, GLOBAL, OTHER, METADATA };
    intptr_t place = (intptr_t)map_get(hashing->places, value);
    if (place) {
        add(hashing, LOCAL);
        add(hashing, (uint64_t)place);
    } else if (LLVMIsAGlobalValue(value)) {
        add(hashing, GLOBAL);
        add_global(hashing, value);
    } else if (LLVMIsAMDNode(value) || LLVMIsAMDString(value)) {
        add(hashing, METADATA); /* is told by a number of the file */
    } else {
        add(hashing, OTHER);
        add_printed(hashing, LLVMPrintValueToString(value));
    }
}

/* ---- instructions ---- */

/* They say nothing of what is computed, and which there are depends on how much is to be optimized. */
static bool is_silent(LLVMValueRef i)
{
    const char *name = LLVMIsACallInst(i) ? callee_name(i) : "";
    return text_begins(name, "llvm.lifetime.") || text_begins(name, "llvm.dbg.");
}

static void add_memory(Hashing *hashing, LLVMValueRef i)
{
    add(hashing, (uint64_t)LLVMGetVolatile(i));
    add(hashing, LLVMGetAlignment(i));
    if (LLVMIsAAtomicCmpXchgInst(i)) {
        add(hashing, LLVMGetCmpXchgSuccessOrdering(i));
        add(hashing, LLVMGetCmpXchgFailureOrdering(i));
    } else {
        add(hashing, LLVMGetOrdering(i));
    }
    if (LLVMIsAAtomicRMWInst(i))
        add(hashing, LLVMGetAtomicRMWBinOp(i));
}

static void add_indices(Hashing *hashing, LLVMValueRef i)
{
    const unsigned *indices = LLVMGetIndices(i);
    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++)
        add(hashing, indices[k]);
}

/* What an instruction has beside its operands. */
static void add_special(Hashing *hashing, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: add_memory(hashing, i); break;
    case LLVMFence: add(hashing, LLVMGetOrdering(i)); break;
    case LLVMAlloca:
        add_type(hashing, LLVMGetAllocatedType(i));
        add(hashing, LLVMGetAlignment(i));
        break;
    case LLVMGetElementPtr: add_type(hashing, LLVMGetGEPSourceElementType(i)); break;
    case LLVMICmp: add(hashing, LLVMGetICmpPredicate(i)); break;
    case LLVMFCmp: add(hashing, LLVMGetFCmpPredicate(i)); break;
    case LLVMExtractValue:
    case LLVMInsertValue: add_indices(hashing, i); break;
    case LLVMShuffleVector:
        for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++)
            add(hashing, (uint64_t)(int64_t)LLVMGetMaskValue(i, k));
        break;
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            add_operand(hashing, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(i, k)));
        break;
    default: break;
    }
}

/* Words and numbers of a loop's pragmas; not where it stands, which only debug information tells. */
static void add_pragmas(Hashing *hashing, LLVMValueRef jump)
{
    static const char kind[] = "llvm.loop";
    LLVMValueRef loop = LLVMGetMetadata(jump,
                                        LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(jump)), kind, sizeof kind - 1));
    unsigned count = loop ? LLVMGetMDNodeNumOperands(loop) : 0, length;
    LLVMValueRef *pragma = ARENA_ARRAY(hashing->arena, LLVMValueRef, count + 1);
    if (count)
        LLVMGetMDNodeOperands(loop, pragma);
    for (unsigned i = 1; i < count; i++) { /* the first is the loop itself */
        unsigned words = pragma[i] && LLVMIsAMDNode(pragma[i]) ? LLVMGetMDNodeNumOperands(pragma[i]) : 0;
        LLVMValueRef *word = ARENA_ARRAY(hashing->arena, LLVMValueRef, words + 1);
        if (words)
            LLVMGetMDNodeOperands(pragma[i], word);
        const char *name = words && word[0] ? LLVMGetMDString(word[0], &length) : NULL;
        if (!name)
            continue;
        add_text(hashing, arena_copy(hashing->arena, name, length));
        for (unsigned k = 1; k < words; k++)
            if (word[k] && LLVMIsAConstantInt(word[k]))
                add(hashing, LLVMConstIntGetZExtValue(word[k]));
    }
}

static void add_instruction(Hashing *hashing, LLVMValueRef i)
{
    add(hashing, LLVMGetInstructionOpcode(i));
    add(hashing, ir_flags(i));
    add_type(hashing, LLVMTypeOf(i));
    int operands = LLVMGetNumOperands(i);
    add(hashing, (uint64_t)operands);
    for (int k = 0; k < operands; k++)
        add_operand(hashing, LLVMGetOperand(i, (unsigned)k));
    add_special(hashing, i);
    if (LLVMIsATerminatorInst(i))
        add_pragmas(hashing, i);
}

/* ---- functions ---- */

static void place_all(Hashing *hashing, LLVMValueRef function)
{
    intptr_t place = 0;
    for (LLVMValueRef a = LLVMGetFirstParam(function); a; a = LLVMGetNextParam(a))
        map_put(hashing->places, a, (void *)++place);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        map_put(hashing->places, LLVMBasicBlockAsValue(b), (void *)++place);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_silent(i))
                map_put(hashing->places, i, (void *)++place);
    }
}

/* Of arguments, as far as rewrites ask for it. */
static void add_promises(Hashing *hashing, LLVMValueRef function)
{
    static const char *const promises[] = {"noalias", "byval", "align"};
    unsigned arguments = LLVMCountParams(function);
    for (size_t p = 0; p < sizeof promises / sizeof *promises; p++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(promises[p], strlen(promises[p]));
        for (unsigned i = 1; i <= arguments; i++) {
            LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i, kind);
            add(hashing, attribute != NULL);
            if (attribute && LLVMIsEnumAttribute(attribute))
                add(hashing, LLVMGetEnumAttributeValue(attribute));
            else if (attribute && LLVMIsTypeAttribute(attribute))
                add_type(hashing, LLVMGetTypeAttributeValue(attribute));
        }
    }
}

/* What the kernel says of its launches: the names are NVPTX's. */
static void add_bounds(Hashing *hashing, LLVMValueRef function)
{
    static const char *const bounds[] = {"nvvm.maxntid", "nvvm.reqntid",        "nvvm.minctasm",
                                         "nvvm.maxnreg", "nvvm.maxclusterrank", "nvvm.cluster_dim"};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        unsigned length;
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                                   bounds[i], (unsigned)strlen(bounds[i]));
        const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
        add_text(hashing, text ? arena_copy(hashing->arena, text, length) : "");
    }
}

static void add_body(Hashing *hashing, LLVMValueRef function)
{
    place_all(hashing, function);
    add_type(hashing, LLVMGlobalGetValueType(function));
    add_promises(hashing, function);
    add_bounds(hashing, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_silent(i))
                add_instruction(hashing, i);
}

typedef struct {
    uint64_t hash;
    List called; /* functions that it names, in order */
} Body;

static const Body *body_of(BodyHashes *hashes, LLVMValueRef function)
{
    Body *body = map_get(hashes->bodies, function);
    if (body)
        return body;
    body = ARENA_NEW(hashes->arena, Body);
    body->called = list_new(hashes->arena);
    map_put(hashes->bodies, function, body);
    Arena *arena = arena_new();
    Hashing hashing = {.arena = arena, .places = map_new(arena), .called = &body->called, .hash = fnv_basis};
    add_body(&hashing, function);
    body->hash = hashing.hash;
    arena_free(arena);
    return body;
}

BodyHashes *body_hashes_open(Arena *arena)
{
    BodyHashes *hashes = ARENA_NEW(arena, BodyHashes);
    *hashes = (BodyHashes){arena, map_new(arena)};
    return hashes;
}

uint64_t body_hash(BodyHashes *hashes, LLVMValueRef kernel)
{
    Map *seen = map_new(hashes->arena);
    List functions = list_new(hashes->arena);
    Hashing all = {.hash = fnv_basis};
    map_put(seen, kernel, kernel);
    list_add(&functions, kernel);
    for (size_t i = 0; i < functions.count; i++) {
        const Body *body = body_of(hashes, functions.item[i]);
        add(&all, body->hash);
        for (size_t k = 0; k < body->called.count; k++) {
            LLVMValueRef called = body->called.item[k];
            if (LLVMIsDeclaration(called) || map_get(seen, called))
                continue;
            map_put(seen, called, called);
            list_add(&functions, called);
        }
    }
    return all.hash ? all.hash : 1;
}
