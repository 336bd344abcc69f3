/* How many 32-bit words of a function are live at once: what its registers must hold, as far as the order of the IR tells.
 *
 *     a = load p      a
 *     b = load q      a b       2 words are live behind the second load, the most in this stretch
 *     c = a + b       c
 *
 * Values are counted, not instructions: a constant, an argument or what else stays in the constant bank, a predicate, what only names
 * another value anew (a cast, a constant offset, a lane of a vector), and what a block computes a second time, as loops that were
 * unrolled leave it, take no register of their own. The backend orders instructions
 * anew and keeps more or fewer; cost.def says how its registers follow from these words. */
#include "analysis/registers/registers.h"

enum { MOST_STEPS = 1 << 24 }; /* blocks that all values together are followed through */

typedef struct {
    Arena *arena;
    LLVMTargetDataRef layout;
    List blocks;           /* of LLVMBasicBlockRef */
    Map *number;           /* block or instruction -> its number, from 1 */
    int *first, *end;      /* of each block: its first instruction's number, the last one's + 1 */
    int *from, *ways;      /* block i's predecessors: ways[from[i]] up to ways[from[i + 1]] */
    int *through;          /* block -> the last value that was found live all through it */
    int *user, *upto;      /* block -> the last value that it uses, and where for the last time */
    int *stack;            /* blocks that a value is still to be followed into */
    int *change;           /* instruction -> words that become live there, less those that die */
    int values, steps;
    Map *origin, *anew;    /* see origin_of; NULL: whatever is computed is kept until its last use */
    Map *first_alike;      /* instruction -> the one before it that computes the same */
    Map *twins;            /* instruction -> List of those behind it that do */
    Map *users;            /* value -> List of instructions that compute something else of it each */
} Search;

static int number_of(const Search *search, const void *what) { return (int)(intptr_t)map_get(search->number, what) - 1; }

/* ---- what takes registers ---- */

static bool is_constant_offset(LLVMValueRef gep)
{
    for (int i = 1; i < LLVMGetNumOperands(gep); i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(gep, (unsigned)i)))
            return false;
    return true;
}

bool is_index_step(LLVMValueRef value)
{
    switch (LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMPHI) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr: return LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind;
    default: return false;
    }
}

/* The one number that it is made of, with arguments and constants, by MOST_ANEW instructions at most; itself, where that is not so;
 * NULL: of arguments and constants alone. `count`: of those instructions. */
static LLVMValueRef origin_of(const Search *search, LLVMValueRef value, intptr_t *count)
{
    LLVMValueRef origin = map_get(search->origin, value);
    *count = origin ? (intptr_t)map_get(search->anew, value) : 0;
    if (LLVMIsAConstant(value) || LLVMIsAArgument(value) || origin)
        return origin;
    map_put(search->origin, value, value); /* code that nothing reaches may be made of itself */
    *count = LLVMIsACastInst(value) ? 0 : 1;
    for (int i = 0; is_index_step(value) && i < LLVMGetNumOperands(value) && origin != value; i++) {
        intptr_t more;
        LLVMValueRef other = origin_of(search, LLVMGetOperand(value, (unsigned)i), &more);
        *count += more;
        origin = (origin && other && origin != other) || *count > MOST_ANEW ? value : other ? other : origin;
    }
    if (!is_index_step(value) || origin == value)
        origin = value, *count = 0;
    map_put(search->origin, value, origin), map_put(search->anew, value, (void *)*count);
    return origin;
}

static bool is_renewed(const Search *search, LLVMValueRef value)
{
    intptr_t count;
    return is_index_step(value) && origin_of(search, value, &count) != value;
}

/* Does it only name its operands anew? */
static bool is_name(const Search *search, LLVMValueRef value)
{
    if (search->origin && is_renewed(search, value))
        return true;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFreeze:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMExtractValue:
    case LLVMInsertValue: return true;
    case LLVMGetElementPtr: return is_constant_offset(value);
    default: return false;
    }
}

static int words_of_type(const Search *search, LLVMTypeRef type)
{
    enum { BITS = 32 };
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind: return 0;
    default: {
        unsigned long long bits = LLVMSizeOfTypeInBits(search->layout, type);
        return bits == 1 ? 0 : (int)((bits + BITS - 1) / BITS);
    }
    }
}

/* ---- the function ---- */

static size_t number_all(Search *search, LLVMValueRef function)
{
    intptr_t blocks = 0, instructions = 0;
    size_t edges = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        map_put(search->number, b, (void *)++blocks);
        list_add(&search->blocks, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            map_put(search->number, i, (void *)++instructions);
        edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b));
    }
    search->first = ARENA_ARRAY(search->arena, int, search->blocks.count + 1);
    search->end = ARENA_ARRAY(search->arena, int, search->blocks.count + 1);
    search->change = ARENA_ARRAY(search->arena, int, (size_t)instructions + 1);
    return edges;
}

static void find_ways(Search *search, size_t edges)
{
    size_t count = search->blocks.count;
    search->from = ARENA_ARRAY(search->arena, int, count + 2);
    search->ways = ARENA_ARRAY(search->arena, int, edges + 1);
    for (size_t b = 0; b < count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(search->blocks.item[b]);
        search->first[b] = number_of(search, LLVMGetFirstInstruction(search->blocks.item[b]));
        search->end[b] = number_of(search, end) + 1;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            search->from[number_of(search, LLVMGetSuccessor(end, s)) + 2]++;
    }
    for (size_t b = 1; b < count + 2; b++)
        search->from[b] += search->from[b - 1];
    for (size_t b = 0; b < count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(search->blocks.item[b]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            search->ways[search->from[number_of(search, LLVMGetSuccessor(end, s)) + 1]++] = (int)b;
    }
}

/* ---- what is computed twice ---- */

static LLVMValueRef first_of(const Search *search, LLVMValueRef value)
{
    LLVMValueRef first = map_get(search->first_alike, value);
    return first ? first : value;
}

static bool is_alike(const Search *search, LLVMValueRef a, LLVMValueRef b)
{
    bool alike = LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b) &&
                 LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && LLVMTypeOf(a) == LLVMTypeOf(b) &&
                 LLVMGetNumOperands(a) == LLVMGetNumOperands(b) &&
                 (!LLVMIsAGetElementPtrInst(a) || LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b));
    for (int i = 0; alike && i < LLVMGetNumOperands(a); i++)
        alike = first_of(search, LLVMGetOperand(a, (unsigned)i)) == first_of(search, LLVMGetOperand(b, (unsigned)i));
    return alike;
}

static List *list_in(Arena *arena, Map *lists, const void *key)
{
    List *list = map_get(lists, key);
    if (!list) {
        list = ARENA_NEW(arena, List);
        *list = list_new(arena);
        map_put(lists, key, list);
    }
    return list;
}

/* The value that all that is alike has in common, by which it is found. */
static LLVMValueRef key_of(const Search *search, LLVMValueRef i)
{
    if (!LLVMIsAGetElementPtrInst(i) && !LLVMIsACastInst(i) && !LLVMIsABinaryOperator(i))
        return NULL;
    int last = LLVMGetNumOperands(i) - 1;
    LLVMValueRef operand = LLVMGetOperand(i, LLVMIsAConstant(LLVMGetOperand(i, 0)) ? (unsigned)last : 0);
    return LLVMIsAConstant(operand) ? NULL : first_of(search, operand);
}

static void twin_add(Search *search, LLVMValueRef instruction)
{
    enum { MOST_ALIKE = 64 }; /* values of which the same is computed: more are not compared */
    LLVMValueRef key = key_of(search, instruction);
    List *users = key ? list_in(search->arena, search->users, key) : NULL;
    for (size_t k = 0; users && k < users->count; k++)
        if (is_alike(search, users->item[k], instruction)) {
            map_put(search->first_alike, instruction, users->item[k]);
            list_add(list_in(search->arena, search->twins, users->item[k]), instruction);
            return;
        }
    if (users && users->count < MOST_ALIKE)
        list_add(users, instruction);
}

/* ---- one value ---- */

typedef struct {
    int name; /* from 1 */
    int words, block, at; /* where it is defined */
    int last; /* its last use in that block, or the block's end */
    List partly; /* of numbers of blocks that use it, and may be the last to do so */
} Value;

static void live(Search *search, int from, int to, int words)
{
    search->change[from] += words;
    search->change[to] -= words;
}

/* Live at the end of the block's predecessors, and from there on back to where it is defined. */
static void follow_back(Search *search, Value *value, int block)
{
    int top = 0;
    search->stack[top++] = block;
    while (top) {
        int b = search->stack[--top];
        for (int w = search->from[b]; w < search->from[b + 1]; w++, search->steps++) {
            int way = search->ways[w];
            if (way == value->block)
                value->last = search->end[way];
            if (way == value->block || search->through[way] == value->name)
                continue;
            search->through[way] = value->name;
            live(search, search->first[way], search->end[way], value->words);
            search->stack[top++] = way;
        }
    }
}

static void use_add(Search *search, Value *value, int block, int at)
{
    if (block == value->block && at >= value->at) {
        value->last = at > value->last ? at : value->last;
        return;
    }
    if (search->user[block] != value->name) {
        search->user[block] = value->name;
        search->upto[block] = at;
        list_add(&value->partly, (void *)(intptr_t)block);
        follow_back(search, value, block);
    } else if (at > search->upto[block]) {
        search->upto[block] = at;
    }
}

/* A merge takes its operands at the end of the blocks that they come from. */
static void phi_uses_add(Search *search, Value *value, LLVMValueRef phi, LLVMValueRef name)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) == name) {
            int block = number_of(search, LLVMGetIncomingBlock(phi, i));
            use_add(search, value, block, search->end[block]);
        }
}

static void uses_add(Search *search, Value *value, LLVMValueRef name, int depth)
{
    enum { DEEPEST = 40 }; /* names of names: a vector of bytes has 16 */
    const List *twins = map_get(search->twins, name);
    for (size_t i = 0; twins && i < twins->count; i++)
        uses_add(search, value, twins->item[i], depth);
    for (LLVMUseRef use = LLVMGetFirstUse(name); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        if (is_name(search, user) && depth < DEEPEST) {
            uses_add(search, value, user, depth + 1);
        } else if (LLVMIsAPHINode(user)) {
            phi_uses_add(search, value, user, name);
        } else {
            use_add(search, value, number_of(search, LLVMGetInstructionParent(user)), number_of(search, user));
        }
    }
}

static void value_add(Search *search, LLVMValueRef instruction)
{
    int block = number_of(search, LLVMGetInstructionParent(instruction));
    int at = LLVMIsAPHINode(instruction) ? search->first[block] : number_of(search, instruction);
    Value value = {++search->values, words_of_type(search, LLVMTypeOf(instruction)), block, at, at, list_new(search->arena)};
    bool is_bank = LLVMIsALoadInst(instruction) && is_bank_operand(instruction);
    if (!value.words || is_name(search, instruction) || is_bank || map_get(search->first_alike, instruction))
        return;
    uses_add(search, &value, instruction, 0);
    live(search, value.at, value.last, value.words);
    for (size_t i = 0; i < value.partly.count; i++) {
        int b = (int)(intptr_t)value.partly.item[i];
        if (search->through[b] != value.name)
            live(search, search->first[b], search->upto[b], value.words);
    }
}

/* ---- all of them ---- */

struct Pressure {
    Map *number; /* instruction -> its number, from 1 */
    int *words; /* live behind it */
    int count; /* of instructions */
    bool known;
};

/* What the backend is taken to do about its registers, each as well as what stands before it. */
typedef enum { KEPT, RENEWED, ORDERED } Freedom;

static Search search_open(Arena *arena, LLVMValueRef function, Freedom freedom)
{
    Search search = {.arena = arena,
                     .origin = freedom >= RENEWED ? map_new(arena) : NULL,
                     .anew = freedom >= RENEWED ? map_new(arena) : NULL,
                     .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)),
                     .blocks = list_new(arena),
                     .number = map_new(arena),
                     .first_alike = map_new(arena),
                     .twins = map_new(arena),
                     .users = map_new(arena)};
    find_ways(&search, number_all(&search, function));
    search.through = ARENA_ARRAY(arena, int, search.blocks.count + 1);
    search.user = ARENA_ARRAY(arena, int, search.blocks.count + 1);
    search.upto = ARENA_ARRAY(arena, int, search.blocks.count + 1);
    search.stack = ARENA_ARRAY(arena, int, search.blocks.count + 1);
    return search;
}

static int words_in_order(const void *context, LLVMValueRef value)
{
    const Search *search = context;
    bool is_bank = LLVMIsALoadInst(value) && is_bank_operand(value);
    return is_bank || is_name(search, value) ? WORDS_OF_NAME : words_of_type(search, LLVMTypeOf(value));
}

static LLVMValueRef same_in_order(const void *context, LLVMValueRef value) { return first_of(context, value); }

/* Numbers tell where instructions stand. */
static void order_all(Search *search)
{
    const WordOrder by = {words_in_order, same_in_order, search};
    for (size_t b = 0; b < search->blocks.count; b++) {
        List order = word_order(search->arena, search->blocks.item[b], &by);
        for (size_t i = 0; i < order.count; i++)
            map_put(search->number, order.item[i], (void *)((intptr_t)search->first[b] + (intptr_t)i + 1));
    }
}

static Pressure *find(Arena *arena, LLVMValueRef function, Freedom freedom)
{
    Search search = search_open(arena, function, freedom);
    Pressure *pressure = ARENA_NEW(arena, Pressure);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            twin_add(&search, i);
    if (freedom >= ORDERED)
        order_all(&search);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && search.steps < MOST_STEPS; i = LLVMGetNextInstruction(i))
            value_add(&search, i);
    int count = search.blocks.count ? search.end[search.blocks.count - 1] : 0;
    for (int i = 1; i < count; i++)
        search.change[i] += search.change[i - 1];
    *pressure = (Pressure){search.number, search.change, count, search.steps < MOST_STEPS};
    return pressure;
}

Pressure *pressure_of(Arena *arena, LLVMValueRef function) { return find(arena, function, KEPT); }

Pressure *pressure_renewed(Arena *arena, LLVMValueRef function) { return find(arena, function, RENEWED); }

Pressure *pressure_ordered(Arena *arena, LLVMValueRef function) { return find(arena, function, ORDERED); }

int pressure_most(const Pressure *pressure)
{
    int most = pressure->known ? 0 : PRESSURE_UNKNOWN;
    for (int i = 0; i < pressure->count; i++)
        most = pressure->words[i] > most ? pressure->words[i] : most;
    return most;
}

int pressure_at(const Pressure *pressure, LLVMValueRef instruction)
{
    intptr_t number = (intptr_t)map_get(pressure->number, instruction);
    return pressure->known && number ? pressure->words[number - 1] : PRESSURE_UNKNOWN;
}

int pressure_between(const Pressure *pressure, LLVMValueRef function)
{
    int most = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        int words = pressure_at(pressure, LLVMGetBasicBlockTerminator(b));
        most = words > most ? words : most;
    }
    return most;
}
