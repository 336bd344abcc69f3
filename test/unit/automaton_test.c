/* Random kernels: the address form of every access against the kernel itself, run by a small interpreter.
 *
 * A kernel is a list of nodes; each is an instruction in the IR that the automaton reads, and a row of 32 values in
 * the interpreter. A value carries what the integers would be if nothing wrapped, because forms that are `bounded`
 * claim nothing about lanes where something does. */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>

#include "analysis/access/access.h"
#include "unit.h"

typedef __int128 Wide;

/* ---- kernels ---- */

typedef enum {
    N_TID_X,
    N_TID_Y,
    N_CTAID,
    N_NTID,
    N_ARG_N,
    N_ARG_M,
    N_ARG_K,
    N_LEAVES, /* leaves, in this order */
    N_CONSTANT = N_LEAVES,
    N_ADD,
    N_SUB,
    N_MUL,
    N_SHL,
    N_LSHR,
    N_ASHR,
    N_AND,
    N_OR,
    N_XOR,
    N_UDIV,
    N_SDIV,
    N_UREM,
    N_SREM,
    N_SMIN,
    N_SMAX,
    N_UMIN,
    N_UMAX,
    N_ZEXT,
    N_SEXT,
    N_TRUNC,
    N_SELECT,
} NodeOp;

static const char *const op_names[] = {
    [N_ADD] = "add",   [N_SUB] = "sub",   [N_MUL] = "mul",   [N_SHL] = "shl",   [N_LSHR] = "lshr",
    [N_ASHR] = "ashr", [N_AND] = "and",   [N_OR] = "or",     [N_XOR] = "xor",   [N_UDIV] = "udiv",
    [N_SDIV] = "sdiv", [N_UREM] = "urem", [N_SREM] = "srem", [N_SMIN] = "smin", [N_SMAX] = "smax",
    [N_UMIN] = "umin", [N_UMAX] = "umax", [N_ZEXT] = "zext", [N_SEXT] = "sext", [N_TRUNC] = "trunc",
};

static const char *const predicates[] = {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"};

typedef struct {
    NodeOp op;
    int bits;
    int a, b, c, d;    /* operands; SELECT: predicate(c, d) ? a : b */
    int predicate;
    bool nsw, nuw;
    int64_t constant;  /* sign-extended */
    bool varies;       /* made of thread indices */
} Node;

/* What a GEP walks over: "[N x T]" is written as such, `field` is the second index of a struct. */
typedef struct {
    const char *type;
    int size, field, offset;
} Element;

static const Element elements[] = {
    {"i8", 1, -1, 0},
    {"i16", 2, -1, 0},
    {"float", 4, -1, 0},
    {"i32", 4, -1, 0},
    {"i64", 8, -1, 0},
    {"[3 x i32]", 12, -1, 0},
    {"<4 x float>", 16, -1, 0},
    {"{i32, i8, i64}", 16, 1, 4},
    {"{i32, i8, i64}", 16, 2, 8},
    {"<{i8, i32}>", 5, 1, 1},
    {"[33 x float]", 132, -1, 0},
};

enum { MOST_NODES = 48, MOST_ACCESSES = 16 };

typedef struct {
    int node, element, bytes, align;
} Probe;

typedef struct {
    Node node[MOST_NODES];
    int count;
    Probe probe[MOST_ACCESSES];
    int probes;
    Shape shape; /* extents 0: not said */
} Program;

static int64_t sign_of(uint64_t value, int bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static uint64_t low_of(uint64_t value, int bits) { return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1); }

static int64_t random_constant(Random *random, int bits)
{
    static const int64_t usual[] = {1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 1024, -1, -2, -4, -16, -32};
    int64_t value = random_chance(random, 8) ? (int64_t)random_bits(random) : usual[random_below(random, 24)];
    return sign_of((uint64_t)value, bits);
}

static int node_constant(Program *program, int64_t value, int bits)
{
    program->node[program->count] = (Node){.op = N_CONSTANT, .bits = bits, .constant = value};
    return program->count++;
}

/* A node of this width, mostly one with thread indices in it; a constant where there is none. */
static int pick(Program *program, Random *random, int bits)
{
    for (int tries = 0; tries < 12; tries++) {
        int at = random_below(random, program->count);
        const Node *node = &program->node[at];
        if (node->bits == bits && (node->varies || tries > 5 || random_chance(random, 4)) && node->op != N_CONSTANT)
            return at;
    }
    return node_constant(program, random_constant(random, bits), bits);
}

static int random_width(Random *random)
{
    static const int widths[] = {32, 32, 32, 32, 64, 64, 16, 8};
    return widths[random_below(random, 8)];
}

static int right_operand(Program *program, Random *random, const Node *node)
{
    switch (node->op) {
    case N_SHL:
        if (random_chance(random, 8))
            return pick(program, random, node->bits);
        return node_constant(program, random_below(random, random_chance(random, 8) ? node->bits : 7), node->bits);
    case N_LSHR:
    case N_ASHR: return node_constant(program, random_below(random, random_chance(random, 4) ? node->bits : 7), node->bits);
    case N_UDIV:
    case N_SDIV:
    case N_UREM:
    case N_SREM: {
        int64_t c = random_constant(random, node->bits);
        return node_constant(program, c ? c : 3, node->bits);
    }
    default:
        if (random_chance(random, 2))
            return node_constant(program, random_constant(random, node->bits), node->bits);
        return pick(program, random, node->bits);
    }
}

static void node_add(Program *program, Random *random)
{
    Node node = {.op = (NodeOp)(N_ADD + random_below(random, N_SELECT - N_ADD + 1)), .bits = random_width(random), .b = -1};
    if (random_chance(random, 3))
        node.op = random_chance(random, 3) ? N_MUL : N_ADD;
    node.nsw = random_chance(random, 2);
    node.nuw = random_chance(random, 3);
    if (node.op == N_ZEXT || node.op == N_SEXT) {
        static const int narrow[] = {8, 16, 32, 32};
        int from = narrow[random_below(random, 4)];
        node.a = pick(program, random, from);
        node.bits = from == 32 || random_chance(random, 2) ? 64 : 32;
    } else if (node.op == N_TRUNC) {
        int from = random_chance(random, 2) ? 64 : 32;
        static const int below[] = {8, 16, 32};
        node.a = pick(program, random, from);
        node.bits = below[random_below(random, from == 64 ? 3 : 2)];
        node.nsw = random_chance(random, 6);
        node.nuw = random_chance(random, 6);
    } else if (node.op == N_SELECT) {
        int width = random_chance(random, 2) ? 32 : 64;
        node.predicate = random_below(random, 10);
        node.c = pick(program, random, width);
        node.d = random_chance(random, 2) ? node_constant(program, random_constant(random, width), width)
                                          : pick(program, random, width);
        node.a = pick(program, random, node.bits);
        node.b = random_chance(random, 3) ? node_constant(program, random_constant(random, node.bits), node.bits)
                                          : pick(program, random, node.bits);
    } else {
        node.a = pick(program, random, node.bits);
        node.b = right_operand(program, random, &node);
    }
    node.varies = program->node[node.a].varies || (node.b >= 0 && program->node[node.b].varies) ||
                  (node.op == N_SELECT && (program->node[node.c].varies || program->node[node.d].varies));
    program->node[program->count++] = node;
}

static void probe_add(Program *program, Random *random, int node)
{
    static const int widths[] = {1, 2, 4, 8, 16};
    Probe probe = {.node = node, .element = random_below(random, sizeof elements / sizeof *elements)};
    probe.bytes = widths[random_below(random, 5)];
    probe.align = random_chance(random, 3) ? 1 : probe.bytes;
    program->probe[program->probes++] = probe;
}

static void program_make(Program *program, Random *random)
{
    static const Shape shapes[] = {{.extent = {256, 1, 1}}, {.extent = {16, 16, 1}}, {.extent = {48, 1, 1}},
                                   {.extent = {8, 4, 4}},   {.extent = {32, 8, 1}},  {.extent = {40, 3, 1}}};
    *program = (Program){0};
    if (random_chance(random, 2))
        program->shape = shapes[random_below(random, 6)];
    for (int leaf = 0; leaf < N_LEAVES; leaf++)
        program->node[program->count++] = (Node){.op = (NodeOp)leaf,
                                                 .bits = leaf == N_ARG_K ? 64 : 32,
                                                 .varies = leaf == N_TID_X || leaf == N_TID_Y};
    while (program->count < MOST_NODES - 6) {
        node_add(program, random);
        int last = program->count - 1;
        if (program->probes < MOST_ACCESSES && program->node[last].varies && !random_chance(random, 3))
            probe_add(program, random, last);
    }
}

/* ---- as IR ---- */

static const char *operand_text(Arena *arena, const Program *program, int at)
{
    const Node *node = &program->node[at];
    return node->op == N_CONSTANT ? arena_text(arena, "%lld", (long long)node->constant) : arena_text(arena, "%%v%d", at);
}

static void node_print(Text *out, const Program *program, int at)
{
    static const char *const leaves[] = {"tid.x", "tid.y", "ctaid.x", "ntid.x"};
    const Node *node = &program->node[at];
    const char *a = operand_text(out->arena, program, node->a);
    const char *b = node->b >= 0 ? operand_text(out->arena, program, node->b) : "";
    if (node->op <= N_NTID)
        text_add(out, "  %%v%d = call i32 @llvm.nvvm.read.ptx.sreg.%s()\n", at, leaves[node->op]);
    else if (node->op < N_LEAVES)
        text_add(out, "  %%v%d = freeze i%d %%%c\n", at, node->bits, "nmk"[node->op - N_ARG_N]);
    else if (node->op >= N_ZEXT && node->op <= N_SEXT)
        text_add(out, "  %%v%d = %s i%d %s to i%d\n", at, op_names[node->op], program->node[node->a].bits, a, node->bits);
    else if (node->op == N_TRUNC)
        text_add(out, "  %%v%d = trunc%s%s i%d %s to i%d\n", at, node->nuw ? " nuw" : "", node->nsw ? " nsw" : "",
                 program->node[node->a].bits, a, node->bits);
    else if (node->op >= N_SMIN && node->op <= N_UMAX)
        text_add(out, "  %%v%d = call i%d @llvm.%s.i%d(i%d %s, i%d %s)\n", at, node->bits, op_names[node->op], node->bits,
                 node->bits, a, node->bits, b);
    else if (node->op == N_SELECT)
        text_add(out, "  %%c%d = icmp %s i%d %s, %s\n  %%v%d = select i1 %%c%d, i%d %s, i%d %s\n", at, predicates[node->predicate],
                 program->node[node->c].bits, operand_text(out->arena, program, node->c),
                 operand_text(out->arena, program, node->d), at, at, node->bits, a, node->bits, b);
    else if (node->op != N_CONSTANT) {
        bool flags = node->op <= N_SHL;
        text_add(out, "  %%v%d = %s%s%s i%d %s, %s\n", at, op_names[node->op], flags && node->nuw ? " nuw" : "",
                 flags && node->nsw ? " nsw" : "", node->bits, a, b);
    }
}

static const char *program_text(Arena *arena, const Program *program)
{
    Text out = text_new(arena);
    text_add(&out, "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
                   "target triple = \"nvptx64-nvidia-cuda\"\n"
                   "define ptx_kernel void @k(ptr %%p, i32 %%n, i32 %%m, i64 %%k) #0 {\n");
    for (int i = 0; i < program->count; i++)
        node_print(&out, program, i);
    for (int i = 0; i < program->probes; i++) {
        const Probe *probe = &program->probe[i];
        const Element *element = &elements[probe->element];
        text_add(&out, "  %%g%d = getelementptr %s, ptr %%p, i%d %s", i, element->type, program->node[probe->node].bits,
                 operand_text(arena, program, probe->node));
        if (element->field >= 0)
            text_add(&out, ", i32 %d", element->field);
        text_add(&out, "\n  %%l%d = load volatile i%d, ptr %%g%d, align %d\n", i, 8 * probe->bytes, i, probe->align);
    }
    text_add(&out, "  ret void\n}\nattributes #0 = { nounwind ");
    if (program->shape.extent[0])
        text_add(&out, "\"nvvm.reqntid\"=\"%d,%d,%d\" ", program->shape.extent[0], program->shape.extent[1],
                 program->shape.extent[2]);
    text_add(&out, "}\n");
    static const char *const sregs[] = {"tid.x", "tid.y", "ctaid.x", "ntid.x"};
    for (int i = 0; i < 4; i++)
        text_add(&out, "declare i32 @llvm.nvvm.read.ptx.sreg.%s()\n", sregs[i]);
    for (NodeOp op = N_SMIN; op <= N_UMAX; op++)
        for (int bits = 8; bits <= 64; bits *= 2)
            text_add(&out, "declare i%d @llvm.%s.i%d(i%d, i%d)\n", bits, op_names[op], bits, bits, bits);
    return out.data;
}

/* ---- as values ---- */

typedef struct {
    uint64_t bits;  /* low bits, zero above */
    Wide ideal;     /* had nothing wrapped */
    bool poison;    /* anything may happen */
    bool outside;   /* an assumption of bounded forms does not hold */
} Value;

typedef struct {
    int64_t leaf[N_LEAVES];          /* of all lanes; thread indices: unused */
    int64_t thread[WARP_LANES][3];
    int lanes;
    Value value[MOST_NODES][WARP_LANES];
} Run;

static const Wide TOO_WIDE = (Wide)1 << 90;

static Value value_of(uint64_t bits, int width, Wide ideal)
{
    return (Value){.bits = low_of(bits, width), .ideal = ideal, .outside = ideal > TOO_WIDE || ideal < -TOO_WIDE};
}

static Value from_signed(int64_t value, int width) { return value_of((uint64_t)value, width, sign_of((uint64_t)value, width)); }

/* Reading a value as an integer of its width; false where its ideal is another number. */
static bool reads_ideal(const Value *value, int width, bool is_signed)
{
    return value->ideal == (is_signed ? (Wide)sign_of(value->bits, width) : (Wide)value->bits);
}

static bool compare(int predicate, const Value *a, const Value *b, int width)
{
    int64_t sa = sign_of(a->bits, width), sb = sign_of(b->bits, width);
    switch (predicate) {
    case 0: return a->bits == b->bits;
    case 1: return a->bits != b->bits;
    case 2: return a->bits > b->bits;
    case 3: return a->bits >= b->bits;
    case 4: return a->bits < b->bits;
    case 5: return a->bits <= b->bits;
    case 6: return sa > sb;
    case 7: return sa >= sb;
    case 8: return sa < sb;
    default: return sa <= sb;
    }
}

static Value run_sum(const Node *node, const Value *a, const Value *b)
{
    int width = node->bits;
    Wide sa = sign_of(a->bits, width), sb = sign_of(b->bits, width), ua = a->bits, ub = b->bits;
    Wide s = node->op == N_ADD ? sa + sb : node->op == N_SUB ? sa - sb : sa * sb;
    Wide ideal = node->op == N_ADD ? a->ideal + b->ideal : node->op == N_SUB ? a->ideal - b->ideal : 0;
    bool carries = node->op == N_SUB ? ua < ub
                   : node->op == N_ADD
                       ? ua + ub != (Wide)low_of((uint64_t)(ua + ub), width)
                       : (unsigned __int128)ua * (unsigned __int128)ub != low_of((uint64_t)ua * (uint64_t)ub, width);
    bool lost = false;
    if (node->op == N_MUL)
        lost = __builtin_mul_overflow(a->ideal, b->ideal, &ideal);
    Value result = value_of((uint64_t)s, width, lost ? TOO_WIDE : ideal);
    result.outside |= lost;
    result.poison = (node->nsw && s != sign_of((uint64_t)s, width)) || (node->nuw && carries);
    return result;
}

static Value run_shift_left(const Node *node, const Value *a, const Value *b)
{
    if (b->bits >= (uint64_t)node->bits)
        return (Value){.poison = true};
    int by = (int)b->bits;
    Wide ideal;
    bool lost = by > 62 || __builtin_mul_overflow(a->ideal, (Wide)1 << by, &ideal);
    Value result = value_of(a->bits << by, node->bits, lost ? TOO_WIDE : ideal);
    result.outside |= lost;
    uint64_t back = result.bits >> by;
    int64_t signed_back = sign_of(result.bits, node->bits) >> by;
    result.poison = (node->nuw && back != a->bits) || (node->nsw && signed_back != sign_of(a->bits, node->bits));
    return result;
}

static Value run_divide(const Node *node, const Value *a, const Value *b)
{
    int width = node->bits;
    int64_t sa = sign_of(a->bits, width), sb = sign_of(b->bits, width);
    bool is_signed = node->op == N_SDIV || node->op == N_SREM || node->op == N_ASHR;
    Value result;
    switch (node->op) {
    case N_UDIV: result = value_of(a->bits / b->bits, width, a->bits / b->bits); break;
    case N_UREM: result = value_of(a->bits % b->bits, width, a->bits % b->bits); break;
    case N_LSHR: result = value_of(a->bits >> b->bits, width, a->bits >> b->bits); break;
    case N_ASHR: result = from_signed(sa >> b->bits, width); break;
    default:
        if (sb == -1 && sa == sign_of(UINT64_C(1) << (width - 1), width))
            return (Value){.poison = true};
        result = from_signed(node->op == N_SDIV ? sa / sb : sa % sb, width);
        /* split as if it were not negative */
        result.outside |= sa < 0;
    }
    result.outside |= !reads_ideal(a, width, is_signed);
    return result;
}

static Value run_bits(const Node *node, const Value *a, const Value *b, bool masks)
{
    uint64_t bits = node->op == N_AND ? a->bits & b->bits : node->op == N_OR ? a->bits | b->bits : a->bits ^ b->bits;
    Value result = from_signed((int64_t)bits, node->bits);
    if (node->op == N_AND && masks) /* what is masked away may have wrapped */
        result.ideal = a->ideal & b->ideal;
    result.outside |= node->op == N_OR && (a->bits & b->bits) != 0; /* joined bits may be taken for bits that are apart */
    if (node->op == N_XOR && low_of(~b->bits, node->bits) == 0)
        result.ideal = -1 - a->ideal;
    return result;
}

static Value run_clamp(const Node *node, const Value *a, const Value *b)
{
    static const int takes_first[] = {9, 7, 5, 3}; /* sle, sge, ule, uge */
    bool first = compare(takes_first[node->op - N_SMIN], a, b, node->bits);
    Value result = first ? *a : *b;
    bool is_signed = node->op == N_SMIN || node->op == N_SMAX;
    result.outside |= a->outside || b->outside || !reads_ideal(a, node->bits, is_signed) || !reads_ideal(b, node->bits, is_signed);
    return result;
}

static Value run_convert(const Program *program, const Node *node, const Value *a)
{
    int from = program->node[node->a].bits;
    if (node->op == N_TRUNC) {
        Value result = value_of(a->bits, node->bits, a->ideal);
        result.poison = (node->nsw && sign_of(a->bits, from) != sign_of(a->bits, node->bits)) ||
                        (node->nuw && low_of(a->bits, node->bits) != a->bits);
        return result;
    }
    bool is_signed = node->op == N_SEXT;
    Value result = is_signed ? from_signed(sign_of(a->bits, from), node->bits) : value_of(a->bits, node->bits, a->bits);
    result.outside |= !reads_ideal(a, from, is_signed);
    return result;
}

static bool differs(const Run *run, int at)
{
    for (int lane = 1; lane < run->lanes; lane++)
        if (run->value[at][lane].ideal != run->value[at][0].ideal)
            return true;
    return false;
}

/* A choice between what varies and what does not is taken to be the former; doubt counts as outside. */
static bool chooses_oddly(const Program *program, const Run *run, int chosen, int other)
{
    bool sure_a = !program->node[chosen].varies || differs(run, chosen);
    bool sure_b = !program->node[other].varies || differs(run, other);
    if (!sure_a || !sure_b)
        return true;
    return !program->node[chosen].varies && program->node[other].varies;
}

static void run_select(const Program *program, const Node *node, Run *run, int at)
{
    int width = program->node[node->c].bits, yes = 0;
    bool is_signed = node->predicate < 2 || node->predicate > 5;
    for (int lane = 0; lane < run->lanes; lane++) {
        const Value *c = &run->value[node->c][lane], *d = &run->value[node->d][lane];
        bool holds = compare(node->predicate, c, d, width);
        int chosen = holds ? node->a : node->b, other = holds ? node->b : node->a;
        Value result = run->value[chosen][lane];
        yes += holds;
        result.poison |= c->poison || d->poison;
        result.outside |= c->outside || d->outside || run->value[other][lane].outside || !reads_ideal(c, width, is_signed) ||
                          !reads_ideal(d, width, is_signed) || chooses_oddly(program, run, chosen, other);
        run->value[at][lane] = result;
    }
    for (int lane = 0; lane < run->lanes; lane++)
        run->value[at][lane].outside |= yes != 0 && yes != run->lanes;
}

static Value run_leaf(const Node *node, const Run *run, int lane)
{
    if (node->op == N_TID_X || node->op == N_TID_Y)
        return from_signed(run->thread[lane][node->op - N_TID_X], 32);
    return from_signed(run->leaf[node->op], node->bits);
}

static Value run_binary(const Program *program, const Node *node, const Value *a, const Value *b)
{
    switch (node->op) {
    case N_ADD:
    case N_SUB:
    case N_MUL: return run_sum(node, a, b);
    case N_SHL: return run_shift_left(node, a, b);
    case N_AND:
    case N_OR:
    case N_XOR: return run_bits(node, a, b, program->node[node->b].op == N_CONSTANT);
    case N_SMIN:
    case N_SMAX:
    case N_UMIN:
    case N_UMAX: return run_clamp(node, a, b);
    default: return run_divide(node, a, b);
    }
}

static void run_node(const Program *program, Run *run, int at)
{
    const Node *node = &program->node[at];
    if (node->op == N_SELECT) {
        run_select(program, node, run, at);
        return;
    }
    for (int lane = 0; lane < run->lanes; lane++) {
        Value *result = &run->value[at][lane];
        if (node->op <= N_CONSTANT) {
            *result = node->op == N_CONSTANT ? from_signed(node->constant, node->bits) : run_leaf(node, run, lane);
            continue;
        }
        const Value *a = &run->value[node->a][lane], *b = node->b >= 0 ? &run->value[node->b][lane] : a;
        *result = node->b >= 0 ? run_binary(program, node, a, b) : run_convert(program, node, a);
        result->poison |= a->poison || b->poison;
        result->outside |= a->outside || b->outside;
        if (node->op >= N_SMIN && node->op <= N_UMAX)
            result->outside |= chooses_oddly(program, run, result->ideal == a->ideal ? node->a : node->b,
                                             result->ideal == a->ideal ? node->b : node->a);
    }
}

static int block_threads(Shape shape) { return shape.extent[0] * shape.extent[1] * shape.extent[2]; }

/* The lanes of one warp: of the block that the kernel asks for, or a row of 32 threads along x. */
static void run_place(Run *run, const Program *program, Random *random, int warp)
{
    Shape shape = program->shape;
    int y = random_below(random, 4), row = random_below(random, 8);
    run->lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int thread = warp * WARP_LANES + lane;
        int64_t *at = run->thread[lane];
        if (!shape.extent[0]) {
            at[0] = row * WARP_LANES + lane, at[1] = y, at[2] = 0;
        } else if (thread < block_threads(shape)) {
            at[0] = thread % shape.extent[0];
            at[1] = thread / shape.extent[0] % shape.extent[1];
            at[2] = thread / shape.extent[0] / shape.extent[1];
        } else {
            break;
        }
        run->lanes++;
    }
    run->leaf[N_NTID] = shape.extent[0] ? shape.extent[0] : 32 * (row + 1 + random_below(random, 4));
}

static int64_t random_argument(Random *random, bool is_small, int bits)
{
    if (is_small)
        return random_below(random, 600);
    return random_chance(random, 2) ? random_constant(random, bits) : sign_of(random_bits(random), bits);
}

static void run_program(Run *run, const Program *program, Random *random, int warp, bool is_small)
{
    run_place(run, program, random, warp);
    run->leaf[N_CTAID] = random_below(random, is_small ? 300 : 0x7fffffff);
    run->leaf[N_ARG_N] = random_argument(random, is_small, 32);
    run->leaf[N_ARG_M] = random_argument(random, is_small, 32);
    run->leaf[N_ARG_K] = random_argument(random, is_small, 64);
    for (int i = 0; i < program->count; i++)
        run_node(program, run, i);
}

/* Bytes from the base, and whether that means anything. */
static bool probe_value(const Program *program, const Run *run, const Probe *probe, int lane, int64_t *at, bool *outside)
{
    const Element *element = &elements[probe->element];
    const Value *value = &run->value[probe->node][lane];
    int width = program->node[probe->node].bits;
    *at = (int64_t)((uint64_t)sign_of(value->bits, width) * (uint64_t)element->size + (uint64_t)element->offset);
    *outside = value->outside || !reads_ideal(value, width, true);
    return !value->poison;
}

/* ---- forms against values ---- */

typedef struct {
    int accesses, opaque, exact, shifted, bounded, uncertain;
    int figures_exact, figures_within;
} Count;

enum { MOST_GIVEN = 64 };

typedef struct {
    Given given[MOST_GIVEN];
    int count;
    bool loose;   /* an unknown that all lanes share is added */
    bool unclear; /* or is part of something else */
} Givens;

static void givens_form(Givens *givens, const Run *run, const Form *form, bool inside);

static bool value_of_symbol(const Symbol *symbol, const Run *run, int64_t *value)
{
    switch (symbol->kind) {
    case SYM_BLOCK: *value = run->leaf[N_CTAID]; return true;
    case SYM_BLOCKDIM: *value = run->leaf[N_NTID]; return true;
    case SYM_BASE: *value = 0; return true;
    default: break;
    }
    static const char names[] = "nmk";
    const char *name = symbol->kind == SYM_UNIFORM && strlen(symbol->name) == 1 ? strchr(names, *symbol->name) : NULL;
    if (name)
        *value = run->leaf[N_ARG_N + (name - names)];
    return name != NULL;
}

static void givens_symbol(Givens *givens, const Run *run, const Symbol *symbol, bool inside)
{
    Given given = {.symbol = symbol};
    if (symbol->kind == SYM_TID || symbol->kind == SYM_LANE)
        return;
    if (symbol->kind == SYM_OP) {
        givens_form(givens, run, symbol->a, true);
        if (symbol->b)
            givens_form(givens, run, symbol->b, true);
        if (symbol->guard) {
            givens_form(givens, run, symbol->guard->left, true);
            givens_form(givens, run, symbol->guard->right, true);
        }
        return;
    }
    if (!value_of_symbol(symbol, run, &given.value)) {
        givens->unclear |= inside;
        givens->loose = true;
    } else if (givens->count < MOST_GIVEN) {
        givens->given[givens->count++] = given;
    }
}

static void givens_form(Givens *givens, const Run *run, const Form *form, bool inside)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            givens_symbol(givens, run, form->term[i].symbol[j], inside || term_varies(&form->term[i]));
}

static void node_needs(const Program *program, int at, bool needed[MOST_NODES])
{
    const Node *node = &program->node[at];
    if (needed[at])
        return;
    needed[at] = true;
    if (node->op <= N_CONSTANT)
        return;
    node_needs(program, node->a, needed);
    if (node->b >= 0)
        node_needs(program, node->b, needed);
    if (node->op == N_SELECT) {
        node_needs(program, node->c, needed);
        node_needs(program, node->d, needed);
    }
}

/* The instructions that one access is made of, and where they go wrong. */
static void describe(const Program *program, const Access *access, int index, const Run *run, int lane)
{
    Arena *arena = arena_new();
    Text text = text_new(arena);
    const Probe *probe = &program->probe[index];
    bool needed[MOST_NODES] = {false};
    node_needs(program, probe->node, needed);
    for (int i = 0; i < program->count; i++)
        if (needed[i])
            node_print(&text, program, i);
    fprintf(
        stderr,
        "%s%s[%%v%d], %d bytes aligned to %d: %s%s\nlane %d: thread %d %d of %d %d %d, ctaid %lld ntid %lld n %lld m %lld k %lld\n",
        text.data, elements[probe->element].type, probe->node, probe->bytes, probe->align, form_text(arena, access->address),
        access->address->bounded ? " (bounded)" : "", lane, (int)run->thread[lane][0], (int)run->thread[lane][1],
        program->shape.extent[0], program->shape.extent[1], program->shape.extent[2], (long long)run->leaf[N_CTAID],
        (long long)run->leaf[N_NTID], (long long)run->leaf[N_ARG_N], (long long)run->leaf[N_ARG_M], (long long)run->leaf[N_ARG_K]);
    for (int i = 0; i < program->count; i++)
        if (needed[i])
            fprintf(stderr, "v%d=%llx%s ", i, (unsigned long long)run->value[i][lane].bits, run->value[i][lane].outside ? "!" : "");
    fprintf(stderr, "\n");
    arena_free(arena);
}

static void check_form(const Program *program, const Run *run, const Access *access, int index, Count *count)
{
    const Form *form = access->address;
    Givens givens = {.count = 0};
    givens_form(&givens, run, form, false);
    if (givens.unclear || givens.count == MOST_GIVEN) {
        count->uncertain++;
        return;
    }
    count->bounded += form->bounded;
    count->exact += !givens.loose;
    count->shifted += givens.loose;
    bool has_shift = !givens.loose;
    int64_t shift = 0;
    for (int lane = 0; lane < run->lanes; lane++) {
        int64_t expected;
        bool outside;
        if (!probe_value(program, run, &program->probe[index], lane, &expected, &outside) || (form->bounded && outside))
            continue;
        Point point = {.thread = {run->thread[lane][0], run->thread[lane][1], run->thread[lane][2]},
                       .lane = lane,
                       .given = givens.given,
                       .count = givens.count};
        int64_t off = (int64_t)((uint64_t)form_eval(form, &point) - (uint64_t)expected);
        if (!has_shift) {
            has_shift = true;
            shift = off;
        }
        if (off != shift) {
            describe(program, access, index, run, lane);
            fail_msg("the form is off by %lld", (long long)(off - shift));
        }
    }
}

/* ---- figures against values ---- */

/* Sectors of all pieces; -1 where a lane's address means nothing or is not aligned as promised. */
static int count_sectors(const Program *program, const Run *run, const Access *access, const Probe *probe)
{
    int sectors = 0;
    for (int from = 0; from < probe->bytes; from += access->piece) {
        int64_t seen[2 * WARP_LANES];
        int count = 0;
        for (int lane = 0; lane < run->lanes; lane++) {
            int64_t at;
            bool outside;
            if (!probe_value(program, run, probe, lane, &at, &outside) || at % probe->align != 0 ||
                (access->address->bounded && outside))
                return -1;
            int last = probe->bytes - from < access->piece ? probe->bytes - from : access->piece;
            for (int b = 0; b < last; b++) {
                int64_t sector = (int64_t)(((uint64_t)at + (uint64_t)(from + b)) / SECTOR_BYTES);
                int i = 0;
                while (i < count && seen[i] != sector)
                    i++;
                if (i == count)
                    seen[count++] = sector;
            }
        }
        sectors += count;
    }
    return sectors;
}

static void check_bounds(const Program *program, const Run *run, const Access *access, int index, Count *count)
{
    int sectors = count_sectors(program, run, access, &program->probe[index]);
    if (sectors < 0 || (access->figure.assumes & ASSUME_INSIDE && !access->address->bounded))
        return;
    count->figures_within++;
    if (sectors >= access->figure.sectors_min && sectors <= access->figure.sectors_max)
        return;
    describe(program, access, index, run, 0);
    fail_msg("%d sectors, not from %d to %d", sectors, access->figure.sectors_min, access->figure.sectors_max);
}

static bool of_threads_and_base(const Form *form)
{
    for (int i = 0; i < form->count; i++) {
        const Term *term = &form->term[i];
        Form *lone = (Form *)(char[sizeof(Form) + sizeof(Term)]){0};
        lone->count = 1;
        memcpy(lone->term, term, sizeof *term);
        bool is_base = term->degree == 1 && term->coefficient == 1 && term->symbol[0]->kind == SYM_BASE;
        if (!is_base && !form_of_threads(lone))
            return false;
    }
    return true;
}

/* Thread indices and constants alone, in a block of known extents: the mean over its warps, to the digit. */
static void check_figure(const Program *program, Run *run, Random *random, const Access *access, int index, Count *count)
{
    if (!program->shape.extent[0] || !of_threads_and_base(access->address) || access->address->bounded)
        return;
    int warps = (block_threads(program->shape) + WARP_LANES - 1) / WARP_LANES, sum = 0;
    for (int warp = 0; warp < warps; warp++) {
        run_program(run, program, random, warp, true);
        int sectors = count_sectors(program, run, access, &program->probe[index]);
        if (sectors < 0)
            return;
        sum += sectors;
    }
    count->figures_exact++;
    if (!access->figure.known || access->figure.sectors * warps - sum > 1e-6 || sum - access->figure.sectors * warps > 1e-6) {
        describe(program, access, index, run, 0);
        fail_msg("%g sectors, not %g", access->figure.sectors, (double)sum / warps);
    }
}

/* ---- one kernel ---- */

static LLVMModuleRef module_parse(LLVMContextRef context, const char *text)
{
    LLVMModuleRef module = NULL;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernel");
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s\n%s", message, text);
    return module;
}

static bool is_known(const Form *form) { return !form_unknown_in(form); }

static void check_kernel(const Program *program, const Kernel *kernel, Random *random, Count *count)
{
    enum { RUNS = 4 };
    static Run run;
    int warps = program->shape.extent[0] ? (block_threads(program->shape) + WARP_LANES - 1) / WARP_LANES : 1;
    assert_int_equal(kernel->found.accesses.count, program->probes);
    for (int k = 0; k < RUNS; k++) {
        run_program(&run, program, random, random_below(random, warps), k % 2 == 0);
        for (int i = 0; i < program->probes; i++) {
            const Access *access = kernel->found.accesses.item[i];
            if (is_known(access->address))
                check_form(program, &run, access, i, count);
            check_bounds(program, &run, access, i, count);
        }
    }
    for (int i = 0; i < program->probes; i++) {
        const Access *access = kernel->found.accesses.item[i];
        count->accesses++;
        count->opaque += !is_known(access->address);
        if (is_known(access->address))
            check_figure(program, &run, random, access, i, count);
    }
}

static void check_program(const Program *program, Random *random, Count *count)
{
    Arena *arena = arena_new();
    Options options = {0};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_parse(context, program_text(arena, program));
    IrModule *ir = ir_module_open();
    Kernel *kernel = kernel_open(arena, ir, module, LLVMGetNamedFunction(module, "k"), &options, NULL);
    access_collect(kernel);
    access_measure(kernel);
    check_kernel(program, kernel, random, count);
    ir_module_close(ir);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    arena_free(arena);
}

static void test_random_kernels(void **state)
{
    (void)state;
    enum { KERNELS = 4200, EXPRESSIONS = 20000 };
    Random random = {20260102};
    Count count = {0};
    for (int i = 0; i < KERNELS; i++) {
        static Program program;
        program_make(&program, &random);
        check_program(&program, &random, &count);
    }
    print_message("%d addresses, %d with unknowns; forms compared: %d exactly, %d from lane to lane, %d of these bounded, "
                  "%d not comparable; figures: %d exact, %d within bounds\n",
                  count.accesses, count.opaque, count.exact, count.shifted, count.bounded, count.uncertain, count.figures_exact,
                  count.figures_within);
    assert_true(count.accesses >= EXPRESSIONS);
    assert_true(2 * count.opaque < count.accesses);
    assert_true(count.figures_exact > 0 && count.figures_within > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
