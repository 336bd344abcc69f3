/* Places of random expressions against the expressions themselves: a place is what the matrix says, tells what its columns tell, and
 * two places that are said to be apart share no byte. */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "analysis/access/access.h"
#include "analysis/facts/crossing.h"
#include "unit.h"

enum { BITS = 4, VALUES = 1 << BITS, NODES = 7, BYTES = 4 };

/* A number made of two: each node of those before it, the first two being the numbers a and b. */
typedef struct {
    enum { XOR, AND, OR, ADD, SHL, SHR, REST, KINDS } kind;
    int left, right;
    uint32_t by;
} Node;

typedef struct {
    Node node[NODES];
    int count;
    uint32_t flip; /* the second place's bits are crossed with it */
} Expression;

static const char *const words[KINDS] = {"xor", "and", "or", "add", "shl", "lshr", "urem"};

static bool by_number(const Node *node) { return node->kind == AND || node->kind >= SHL; }

static uint32_t value_of(const Expression *e, uint32_t a, uint32_t b)
{
    uint32_t value[NODES + 2] = {a, b};
    for (int i = 0; i < e->count; i++) {
        const Node *node = &e->node[i];
        uint32_t left = value[node->left], right = by_number(node) ? node->by : value[node->right];
        switch (node->kind) {
        case XOR: left ^= right; break;
        case AND: left &= right; break;
        case OR: left |= right; break;
        case ADD: left += right; break;
        case SHL: left <<= right; break;
        case SHR: left >>= right; break;
        default: left %= right; break;
        }
        value[i + 2] = left;
    }
    return value[e->count + 1];
}

static const char *text_of(Arena *arena, const Expression *e)
{
    const char *text = "target triple = \"nvptx64-nvidia-cuda\"\n@s = internal addrspace(3) global [131072 x i8] undef\n"
                       "define ptx_kernel void @k(ptr %p, ptr %q) {\n  %v0 = load i32, ptr %p, !range !0\n"
                       "  %v1 = load i32, ptr %q, !range !0\n";
    for (int i = 0; i < e->count; i++) {
        const Node *node = &e->node[i];
        const char *right = by_number(node) ? arena_text(arena, "%u", node->by) : arena_text(arena, "%%v%d", node->right);
        text = arena_text(arena, "%s  %%v%d = %s i32 %%v%d, %s\n", text, i + 2, words[node->kind], node->left, right);
    }
    return arena_text(arena,
                      "%s  %%f = xor i32 %%v%d, %u\n  %%w = zext i32 %%v%d to i64\n  %%x = zext i32 %%f to i64\n"
                      "  %%m = getelementptr i32, ptr addrspace(3) @s, i64 %%w\n  store i32 0, ptr addrspace(3) %%m\n"
                      "  %%n = getelementptr i32, ptr addrspace(3) @s, i64 %%x\n  store i32 0, ptr addrspace(3) %%n\n"
                      "  ret void\n}\n!0 = !{i32 0, i32 %d}\n",
                      text, e->count + 1, e->flip, e->count + 1, VALUES);
}

/* ---- what is said of it ---- */

/* The bits of a crossing's number, as the expression's numbers have them. */
static uint64_t columns_of(const Crossing *c, uint32_t a, uint32_t b)
{
    uint64_t columns = 0;
    for (int i = 0; i < c->count; i++) {
        const char *name = LLVMGetValueName(c->number[i]);
        if (strcmp(name, "v0") != 0 && strcmp(name, "v1") != 0)
            return UINT64_MAX; /* of something that is made of them */
        columns |= (uint64_t)(name[1] == '0' ? a : b) << (i * CROSSING_BITS);
    }
    return columns;
}

static uint64_t address_of(const Crossing *c, uint64_t columns)
{
    uint64_t address = c->constant;
    for (int i = 0; i < CROSSING_ROWS; i++)
        address ^= (uint64_t)(__builtin_popcountll(c->row[i] & columns) & 1) << i;
    return address;
}

typedef struct {
    int found, tell, apart;
} Answers;

static void check_places(const Expression *e, const Crossing *c, const Crossing *d, Answers *answers, const char *text)
{
    static int first[VALUES * VALUES], second[VALUES * VALUES];
    uint64_t all = crossing_columns(c, NULL);
    bool tells = crossing_tells(c, all, BYTES), both = c->count == 2, apart = crossing_is_apart(c, d, all, BYTES);
    for (int i = 0; i < VALUES * VALUES; i++) {
        uint32_t a = (uint32_t)i % VALUES, b = (uint32_t)i / VALUES;
        uint64_t columns = columns_of(c, a, b);
        first[i] = (int)value_of(e, a, b);
        second[i] = (int)(value_of(e, a, b) ^ e->flip);
        if (columns != UINT64_MAX && address_of(c, columns) != (uint64_t)first[i] * BYTES)
            fail_msg("%u and %u make another place:\n%s", a, b, text);
    }
    for (int i = 0; i < VALUES * VALUES; i++)
        for (int j = 0; j < VALUES * VALUES; j++) {
            if (tells && both && i != j && columns_of(c, 0, 0) != UINT64_MAX && first[i] == first[j])
                fail_msg("it does not tell %d from %d:\n%s", i, j, text);
            if (apart && first[i] == second[j])
                fail_msg("places meet, of %d and %d:\n%s", i, j, text);
        }
    answers->found++;
    answers->tell += tells && both;
    answers->apart += apart;
}

static void check(const Expression *e, Answers *answers)
{
    static const Options options;
    Arena *arena = arena_new();
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    IrModule *ir = ir_module_open();
    Crossing crossing[2];
    const char *text = text_of(arena, e);
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s\n%s", message, text);
    LLVMValueRef function = LLVMGetNamedFunction(module, "k");
    Kernel *kernel = kernel_open(arena, ir, module, function, &options, NULL);
    bool found = true;
    int stores = 0;
    access_collect(kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i))
            found &= crossing_of(kernel->scope, LLVMGetOperand(i, 1), &crossing[stores++]);
    if (found)
        check_places(e, &crossing[0], &crossing[1], answers, text);
    ir_module_close(ir);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    arena_free(arena);
}

/* s[a * 16 + (b ^ a)] and what is like it. */
static void test_swizzles(void **state)
{
    (void)state;
    Answers answers = {0};
    Expression e = {{{SHL, 0, 0, 4}, {XOR, 0, 1, 0}, {OR, 2, 3, 0}}, 3, 1};
    check(&e, &answers);
    assert_int_equal(answers.tell, 1); /* each place is one choice of a and b ... */
    assert_int_equal(answers.apart, 0); /* ... and so the other's */
    e.flip = 256; /* behind all of them */
    check(&e, &answers);
    assert_int_equal(answers.apart, 1);
    e.node[0].by = 3; /* rows that reach into each other */
    check(&e, &answers);
    assert_int_equal(answers.tell, 2);
    e = (Expression){{{XOR, 0, 1, 0}}, 1, 0};
    check(&e, &answers);
    assert_int_equal(answers.tell, 2);
    assert_int_equal(answers.apart, 1);
}

static Expression random_expression(Random *random)
{
    Expression e = {.count = 2 + random_below(random, NODES - 1), .flip = 1U << random_below(random, 10)};
    for (int n = 0; n < e.count; n++) {
        Node *node = &e.node[n];
        *node = (Node){(unsigned)random_below(random, KINDS), random_below(random, n + 2), random_below(random, n + 2), 0};
        node->left = n && random_chance(random, 2) ? n + 1 : node->left;
        node->by = node->kind == AND    ? (uint32_t)random_below(random, 64)
                   : node->kind == REST ? 1U << random_below(random, 6)
                                        : (uint32_t)random_below(random, 4);
    }
    return e;
}

/* Rows of a, in which columns of b are crossed with what is left of a. */
static Expression random_swizzle(Random *random)
{
    Expression e = {{{SHL, 0, 0, (uint32_t)(2 + random_below(random, 4))},
                     {SHR, 0, 0, (uint32_t)random_below(random, 3)},
                     {XOR, 1, 3, 0},
                     {AND, 4, 0, random_chance(random, 2) ? 15 : 31},
                     {random_chance(random, 2) ? ADD : XOR, 2, 5, 0}},
                    5,
                    1U << random_below(random, 10)};
    return e;
}

static void test_random_expressions(void **state)
{
    (void)state;
    enum { EXPRESSIONS = 3000 };
    Random random = {20261124};
    Answers answers = {0};
    for (int i = 0; i < EXPRESSIONS; i++) {
        Expression e = i % 4 ? random_expression(&random) : random_swizzle(&random);
        check(&e, &answers);
    }
    print_message("of %d, made of bits: %d, that tell both numbers: %d, apart: %d\n", EXPRESSIONS, answers.found, answers.tell,
                  answers.apart);
    assert_true(answers.found >= EXPRESSIONS / 2 && answers.tell >= EXPRESSIONS / 10 && answers.apart >= EXPRESSIONS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_swizzles), cmocka_unit_test(test_random_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
