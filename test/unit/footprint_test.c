/* Footprints of random loops against the loops themselves: where a footprint is said to be injective, in all iterations of a thread or,
 * under the test on entry as it is made, in all threads of the block, no two points of it share a byte. */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "transform/rings/make_ring.h"
#include "unit.h"

enum { X, Y, SIDES };

/* for (j = tid.y or 0; j < bound of Y; j += step or blockDim.y)      and inside of it the same along x, with i; they are made at
 *     *(s + i * scale of X + j * scale of Y + base[X] * tid.x + base[Y] * tid.y + 4 * ((i ^ j) & sway) + offset) = ... */
typedef struct {
    int start_at_thread, step, bound; /* step 0: the block's extent, divided; bound 0: what the kernel is told */
    int scale, base;
} Side;

typedef struct {
    Side side[SIDES];
    int width, pitch, column; /* 0, or the sum is a number that is cut into rows */
    int offset[3], copies;
    int sway; /* a mask */
    int divisor[SIDES]; /* of the block's extents, as steps; 0: none */
    int told; /* the bound that the kernel is told */
    bool stops; /* loops may run less often than they are known to: only their bounds count */
} Nest;

enum { BYTES = 4, ROOM = 1 << 17 };

static const char *either(Arena *arena, int number, const char *name) { return number ? arena_text(arena, "%d", number) : name; }

static const char *text_of(Arena *arena, const Nest *nest)
{
    const Side *x = &nest->side[X], *y = &nest->side[Y];
    const char *extents = arena_text(arena, "  %%wx = udiv i32 %%ex, %d\n  %%wy = udiv i32 %%ey, %d\n",
                                     nest->divisor[X] ? nest->divisor[X] : 1, nest->divisor[Y] ? nest->divisor[Y] : 1);
    const char *head = arena_text(
        arena,
        "target triple = \"nvptx64-nvidia-cuda\"\n@s = internal addrspace(3) global [131072 x i8] undef\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()\n"
        "define ptx_kernel void @k(i32 %%n) {\nentry:\n  %%tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %%ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %%ex = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
        "  %%ey = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()\n%s  %%g = icmp ult i32 %s, %s\n  br i1 %%g, label %%y, label %%out\n"
        "y:\n  %%j = phi i32 [ %s, %%entry ], [ %%j2, %%rest ]\n  %%h = icmp ult i32 %s, %s\n  br i1 %%h, label %%x, label %%rest\n"
        "x:\n  %%i = phi i32 [ %s, %%y ], [ %%i2, %%x ]\n",
        extents, y->start_at_thread ? "%ty" : "0", either(arena, y->bound, "%n"), y->start_at_thread ? "%ty" : "0",
        x->start_at_thread ? "%tx" : "0", either(arena, x->bound, "%n"), x->start_at_thread ? "%tx" : "0");
    const char *sum = arena_text(
        arena,
        "  %%si = mul nuw nsw i32 %%i, %d\n  %%sj = mul nuw nsw i32 %%j, %d\n  %%bx = mul nuw nsw i32 %%tx, %d\n"
        "  %%by = mul nuw nsw i32 %%ty, %d\n  %%s1 = add nuw nsw i32 %%si, %%sj\n  %%s2 = add nuw nsw i32 %%bx, %%by\n"
        "  %%s3 = add nuw nsw i32 %%s1, %%s2\n"
        "  %%c1 = xor i32 %%i, %%j\n  %%c2 = and i32 %%c1, %d\n  %%c3 = shl nuw nsw i32 %%c2, 2\n"
        "  %%sum = add nuw nsw i32 %%s3, %%c3\n  %%number = zext i32 %%sum to i64\n",
        x->scale, y->scale, x->base, y->base, nest->sway);
    const char *cut = !nest->width
                          ? "  %a = getelementptr i8, ptr addrspace(3) @s, i64 %number\n"
                          : arena_text(
                                arena,
                                "  %%q = udiv i64 %%number, %d\n  %%r = urem i64 %%number, %d\n  %%pq = mul nuw nsw i64 %%q, %d\n"
                                "  %%cr = mul nuw nsw i64 %%r, %d\n  %%at = add nuw nsw i64 %%pq, %%cr\n"
                                "  %%a = getelementptr i8, ptr addrspace(3) @s, i64 %%at\n",
                                nest->width, nest->width, nest->pitch, nest->column);
    return arena_text(
        arena,
        "%s%s%s  store i32 0, ptr addrspace(3) %%a\n  %%i2 = add nuw nsw i32 %%i, %s\n"
        "  %%u = icmp ult i32 %%i2, %s\n  br i1 %%u, label %%x, label %%rest\n"
        "rest:\n  %%j2 = add nuw nsw i32 %%j, %s\n  %%v = icmp ult i32 %%j2, %s\n  br i1 %%v, label %%y, label %%out\n"
        "out:\n  ret void\n}\n",
        head, sum, cut, either(arena, x->step, "%wx"), either(arena, x->bound, "%n"), either(arena, y->step, "%wy"),
        either(arena, y->bound, "%n"));
}

/* ---- the loops themselves ---- */

/* Does every loop end, whatever thread runs it? */
static bool ends(const Nest *nest, const int extent[SIDES])
{
    bool all = true;
    for (int s = 0; s < SIDES; s++)
        all &= nest->side[s].step || !nest->divisor[s] || extent[s] >= nest->divisor[s];
    return all;
}

/* Is any of the copies' bytes there already? */
static bool meets(const Nest *nest, uint8_t *bytes, int number)
{
    int at = nest->width ? number / nest->width * nest->pitch + number % nest->width * nest->column : number;
    bool met = false;
    for (int c = 0; c < nest->copies; c++)
        for (int b = 0; b < BYTES; b++) {
            uint8_t *byte = &bytes[at + nest->offset[c] + b];
            met |= *byte;
            *byte = 1;
        }
    return met;
}

static bool thread_meets(const Nest *nest, uint8_t *bytes, const int extent[SIDES], const int tid[SIDES])
{
    int bound[SIDES], step[SIDES], start[SIDES];
    bool met = false;
    for (int s = 0; s < SIDES; s++) {
        const Side *side = &nest->side[s];
        bound[s] = side->bound ? side->bound : nest->told;
        step[s] = side->step ? side->step : extent[s] / (nest->divisor[s] ? nest->divisor[s] : 1);
        start[s] = side->start_at_thread ? tid[s] : 0;
    }
    int base = nest->side[X].base * tid[X] + nest->side[Y].base * tid[Y];
    for (int j = start[Y]; j < bound[Y]; j += step[Y])
        for (int i = start[X]; i < bound[X]; i += step[X])
            met |= meets(nest, bytes, base + nest->side[X].scale * i + nest->side[Y].scale * j + 4 * ((i ^ j) & nest->sway));
    return met;
}

/* Of one thread after the other; or of all that the block has. */
static bool shares_bytes(const Nest *nest, const int extent[SIDES], bool all)
{
    static uint8_t bytes[ROOM];
    bool met = false;
    memset(bytes, 0, sizeof bytes);
    for (int y = 0; y < extent[Y]; y++)
        for (int x = 0; x < extent[X]; x++) {
            met |= thread_meets(nest, bytes, extent, (int[]){x, y});
            if (!all)
                memset(bytes, 0, sizeof bytes);
        }
    return met;
}

/* ---- what is said of them ---- */

typedef struct {
    Arena *arena;
    LLVMContextRef context;
    LLVMModuleRef module;
    IrModule *ir;
    Kernel *kernel;
    LLVMValueRef store;
} Subject;

static Subject subject_open(const Nest *nest)
{
    Subject s = {.arena = arena_new(), .context = LLVMContextCreate(), .ir = ir_module_open()};
    static const Options options;
    const char *text = text_of(s.arena, nest);
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(s.context, buffer, &s.module, &message))
        fail_msg("%s\n%s", message, text);
    LLVMValueRef function = LLVMGetNamedFunction(s.module, "k");
    s.kernel = kernel_open(s.arena, s.ir, s.module, function, &options, NULL);
    access_collect(s.kernel);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i))
                s.store = i;
    return s;
}

static void subject_close(Subject *s)
{
    ir_module_close(s->ir);
    LLVMDisposeModule(s->module);
    LLVMContextDispose(s->context);
    arena_free(s->arena);
}

/* With its copies and all that moves it; of a place that is cut, of the number. */
static bool footprint_make(const Subject *s, const Nest *nest, bool tested, Footprint *f)
{
    int64_t offset[3];
    Scope *scope = s->kernel->scope;
    IrLoop *loop = ir_loop_of(s->ir, LLVMGetInstructionParent(s->store));
    const Form *place = automaton_form(scope, LLVMGetOperand(s->store, 1));
    Cut cut = cut_of(scope, loop, place);
    for (int c = 0; c < nest->copies; c++)
        offset[c] = nest->offset[c];
    if (place->bounded || (nest->width && (!cut.number || !cut_is_whole(&cut) || !cut_has_rows(&cut, BYTES) || nest->copies > 1)))
        return false;
    *f = nest->width ? footprint_of(scope, cut.number, 1, tested) : footprint_of(scope, place, BYTES, tested);
    return footprint_along_loops(f, loop, NULL, nest->stops) &&
           (!tested || (footprint_along_block(f) && form_is_shared(f->rest))) &&
           footprint_along_copies(f, offset, (size_t)nest->copies) && footprint_is_injective(f);
}

static uint64_t value_of(LLVMValueRef value, const int extent[SIDES])
{
    if (LLVMIsAConstantInt(value))
        return LLVMConstIntGetZExtValue(value);
    if (LLVMIsACallInst(value)) {
        const char *name = LLVMGetValueName(LLVMGetCalledValue(value));
        return name[strlen(name) - 1] == 'z' ? 1 : (uint64_t)extent[name[strlen(name) - 1] - 'x'];
    }
    uint64_t a = value_of(LLVMGetOperand(value, 0), extent);
    uint64_t b = LLVMGetNumOperands(value) > 1 ? value_of(LLVMGetOperand(value, 1), extent) : 0;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt: return a;
    case LLVMAdd: return a + b;
    case LLVMSub: return a - b;
    case LLVMMul: return a * b;
    case LLVMUDiv: return a / b;
    case LLVMAnd: return a & b;
    case LLVMOr: return a | b;
    case LLVMICmp: return LLVMGetICmpPredicate(value) == LLVMIntEQ ? a == b : a <= b;
    default: fail_msg("a test on entry is made of sums and products"); return 0;
    }
}

typedef struct {
    int iterations, threads, refused; /* that are said to be injective, and proved to be by the test on entry; neither */
} Answers;

static void check(const Nest *nest, Answers *answers)
{
    Footprint f;
    Subject s = subject_open(nest);
    bool of_thread = footprint_make(&s, nest, false, &f), of_block = footprint_make(&s, nest, true, &f);
    Emit emit = emit_open(s.arena, s.kernel->function);
    emit_before(&emit, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(s.kernel->function)));
    LLVMValueRef test = of_block ? disjoint_test(&emit, &f) : NULL;
    for (int x = 1; x <= 6; x++)
        for (int y = 1; y <= 4; y++) {
            const int extent[SIDES] = {x, y};
            bool holds = test && value_of(test, extent);
            if (!ends(nest, extent))
                continue;
            answers->iterations += of_thread;
            answers->threads += holds;
            answers->refused += !of_thread && !holds;
            if (of_thread && shares_bytes(nest, extent, false))
                fail_msg("iterations share bytes, in blocks of %d x %d:\n%s", x, y, text_of(s.arena, nest));
            if (holds && shares_bytes(nest, extent, true))
                fail_msg("threads share bytes, in blocks of %d x %d:\n%s", x, y, text_of(s.arena, nest));
        }
    emit_close(&emit);
    subject_close(&s);
}

static Answers asked(Nest nest)
{
    Answers answers = {0};
    check(&nest, &answers);
    return answers;
}

enum { ALL = 24 }; /* blocks of 1 x 1 to 6 x 4 */

/* Axes of one kind and their steps: long enough, and not. */
static void test_axes(void **state)
{
    (void)state;
    const Nest loops = {{{0, 1, 8, 4, 0}, {0, 1, 4, 32, 0}}, .copies = 1, .told = 7};
    Nest nest = loops;
    assert_int_equal(asked(nest).iterations, ALL);
    nest.side[Y].scale = 28; /* and rows that reach into the next ones */
    assert_int_equal(asked(nest).iterations, 0);
    nest = loops, nest.side[X].scale = 2; /* a step that is shorter than the place */
    assert_int_equal(asked(nest).iterations, 0);
    nest = loops, nest.side[X].bound = 0; /* nobody knows how many */
    assert_int_equal(asked(nest).iterations, 0);
    nest = loops, nest.side[Y].bound = 0; /* of the longest that is no matter */
    assert_int_equal(asked(nest).iterations, ALL);
    nest = loops, nest.copies = 2, nest.offset[1] = 128; /* copies behind all rows, and within them */
    assert_int_equal(asked(nest).iterations, ALL);
    nest.offset[1] = 16;
    assert_int_equal(asked(nest).iterations, 0);
}

/* Threads: the block's extents are known to the test alone. */
static void test_threads(void **state)
{
    (void)state;
    const Nest rows = {{{0, 1, 1, 4, 4}, {0, 1, 1, 4, 16}}, .copies = 1};
    assert_int_equal(asked(rows).threads, 18); /* blocks up to 4 threads wide, or one high */
    const Nest strides = {{{1, 0, 32, 4, 0}, {1, 0, 3, 128, 0}},
                          .copies = 1,
                          .stops = true}; /* i = tid.x; i < 32; i += blockDim.x */
    assert_int_equal(asked(strides).threads, ALL);
    assert_int_equal(asked(strides).iterations, ALL);
    Nest shared = strides;
    shared.side[Y].start_at_thread = 0, shared.side[Y].step = 1; /* all threads along y have the same places */
    assert_int_equal(asked(shared).threads, 6);
}

/* Steps by what the block's extent is when it is divided, such as warps: the test knows whether lanes are left over. */
static void test_divided(void **state)
{
    (void)state;
    const Nest warps = {{{1, 0, 32, 4, 0}, {0, 1, 1, 256, 0}},
                        .copies = 1,
                        .stops = true,
                        .divisor = {2}}; /* i = tid.x; i < 32; i += blockDim.x / 2 */
    assert_int_equal(asked(warps).threads, 0); /* two threads' steps meet; one alone never ends */
    assert_int_equal(asked(warps).iterations, 20);
    Nest rows = warps;
    rows.side[X].scale = 8; /* as long as two threads' places */
    rows.side[X].start_at_thread = 0, rows.side[X].base = 4;
    rows.side[Y].scale = 1, rows.stops = false;
    assert_int_equal(asked(rows).threads, 3); /* blocks of 2, 4 and 6, one thread high */
}

/* What sways within bounds. */
static void test_sways(void **state)
{
    (void)state;
    Nest nest = {{{0, 1, 1, 512, 0}, {0, 1, 8, 32, 0}}, .sway = 7, .copies = 1};
    assert_int_equal(asked(nest).iterations, ALL);
    nest.side[Y].scale = 28; /* a row is shorter */
    assert_int_equal(asked(nest).iterations, 0);
    nest.side[Y].scale = 64, nest.copies = 2, nest.offset[1] = 32; /* beside each other, and too near */
    assert_int_equal(asked(nest).iterations, ALL);
    nest.offset[1] = 28;
    assert_int_equal(asked(nest).iterations, 0);
}

static bool is_own_record(Nest nest, int64_t bytes)
{
    Subject s = subject_open(&nest);
    Footprint f = footprint_of(s.kernel->scope, automaton_form(s.kernel->scope, LLVMGetOperand(s.store, 1)), bytes, false);
    bool own = footprint_along_block(&f) && f.axes > 0 && footprint_is_injective(&f);
    subject_close(&s);
    return own;
}

/* Without a test, threads that differ along what moves the place have places of their own, in blocks of whatever shape. */
static void test_records(void **state)
{
    (void)state;
    assert_true(is_own_record((Nest){{{0, 1, 1, 4, 16}, {0, 1, 1, 4, 0}}, .copies = 1}, 16));
    assert_true(is_own_record((Nest){{{0, 1, 1, 4, 0}, {0, 1, 1, 4, 16}}, .copies = 1}, 16));
    assert_false(is_own_record((Nest){{{0, 1, 1, 4, 16}, {0, 1, 1, 4, 0}}, .copies = 1}, 17));
    assert_false(is_own_record((Nest){{{0, 1, 1, 4, 16}, {0, 1, 1, 4, 8}}, .copies = 1}, 4));
    assert_false(is_own_record((Nest){{{0, 1, 1, 4, 0}, {0, 1, 1, 4, 0}}, .copies = 1}, 4));
}

/* Numbers that are cut into rows. */
static void test_cuts(void **state)
{
    (void)state;
    Nest cut = {{{1, 0, 30, 1, 0}, {0, 1, 1, 0, 0}}, .width = 9, .pitch = 40, .column = 4, .copies = 1};
    cut.side[Y].scale = 30;
    assert_int_equal(asked(cut).iterations, ALL);
    cut.pitch = 32;
    assert_int_equal(asked(cut).iterations, 0);
}

static int chosen(Random *random, const int *from, int count) { return from[random_below(random, count)]; }

static void test_random_nests(void **state)
{
    (void)state;
    enum { NESTS = 4000 };
    static const int steps[] = {0, 1, 1, 2, 3}, bounds[] = {0, 1, 2, 4, 5, 8}, scales[] = {1, 2, 4, 4, 8, 12, 16, 20, 32, 64},
                     bases[] = {0, 0, 4, 4, 8, 16, 20, 64, 128}, offsets[] = {4, 8, 16, 64, 256};
    Random random = {20261123};
    Answers answers = {0};
    for (int i = 0; i < NESTS; i++) {
        Nest nest = {.copies = 1 + random_chance(&random, 4),
                     .told = 1 + random_below(&random, 9),
                     .stops = random_chance(&random, 2)};
        for (int s = 0; s < SIDES; s++) {
            bool at_thread = random_chance(&random, 2);
            nest.side[s] = (Side){at_thread, chosen(&random, steps, 5), chosen(&random, bounds, 6), chosen(&random, scales, 10),
                                  at_thread ? 0 : chosen(&random, bases, 9)};
            nest.divisor[s] = random_below(&random, 4);
        }
        nest.sway = random_chance(&random, 4) ? (1 << random_below(&random, 5)) - 1 : 0;
        nest.copies += nest.copies > 1 && random_chance(&random, 2);
        for (int c = 1; c < nest.copies; c++)
            nest.offset[c] = nest.offset[c - 1] + chosen(&random, offsets, 5);
        if (random_chance(&random, 4))
            nest.width = 1 + random_below(&random, 9), nest.column = 4,
            nest.pitch = nest.width * 4 + 4 * random_below(&random, 3) - 4;
        check(&nest, &answers);
    }
    print_message("injective over iterations: %d, over threads: %d, neither: %d\n", answers.iterations, answers.threads,
                  answers.refused);
    assert_true(answers.iterations >= NESTS && answers.threads >= NESTS / 2 && answers.refused >= NESTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),         cmocka_unit_test(test_threads), cmocka_unit_test(test_records),
        cmocka_unit_test(test_divided),      cmocka_unit_test(test_sways),   cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_random_nests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
