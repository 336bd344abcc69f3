/* Forms: sums, products and operations by their text, and by their value at every small thread index. */
#include <string.h>

#include "analysis/address/form.h"
#include "unit.h"

static Arena *arena;
static FormSpace *space;

static int open_space(void **state)
{
    (void)state;
    arena = arena_new();
    space = form_space(arena, (Shape){.extent = {64, 4, 1}, .limit = 256});
    return 0;
}

static int close_space(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const Form *tid(int axis) { return form_sreg(space, SYM_TID, axis); }
static const Form *number(int64_t value) { return form_constant(space, value); }

/* scale * threadIdx.x + row * threadIdx.y + constant */
static const Form *linear(int64_t scale, int64_t row, int64_t constant)
{
    const Form *sum = form_add(space, form_scale(space, tid(0), scale), form_scale(space, tid(1), row));
    return form_add(space, sum, number(constant));
}

static void assert_text(const Form *form, const char *text) { assert_string_equal(form_text(arena, form), text); }

static void test_sums(void **state)
{
    (void)state;
    const Form *n = form_unknown(space, SYM_UNIFORM, "n", 0, NULL);
    const Form *index = form_add(space, form_mul(space, n, tid(0)), number(3));
    assert_int_equal(form_weight(index), form_weight(form_add(space, number(3), form_mul(space, tid(0), n))));
    assert_true(form_equal(index, form_add(space, number(3), form_mul(space, tid(0), n))));
    assert_true(form_same_place(index, form_add(space, index, number(8))));
    assert_false(form_equal(index, form_add(space, index, number(8))));
    assert_text(form_sub(space, index, index), "0");
    assert_text(linear(4, 0, 8), "4*threadIdx.x + 8");
    assert_text(form_mul(space, linear(1, 0, 2), linear(1, 0, -2)), "threadIdx.x*threadIdx.x + -4");
    assert_true(form_varies(index) && !form_varies(n));
}

static void test_operations(void **state)
{
    (void)state;
    assert_text(form_op(space, OP_UDIV, 32, linear(16, 16, 7), number(16)), "threadIdx.x + threadIdx.y");
    assert_text(form_op(space, OP_UREM, 32, linear(16, 16, 7), number(16)), "7");
    assert_text(form_op(space, OP_AND, 32, linear(64, 1, 0), number(63)), "threadIdx.y");
    assert_text(form_op(space, OP_SHL, 32, tid(0), number(2)), "4*threadIdx.x");
    assert_text(form_op(space, OP_ASHR, 32, linear(8, 0, -8), number(3)), "threadIdx.x + -1");
    assert_text(form_op(space, OP_ASHR, 64, linear(8, 0, -8), number(63)), "ashr(8*threadIdx.x + -8, 63)");
    assert_text(form_op(space, OP_UDIV, 32, tid(0), number(2)), "udiv(threadIdx.x, 2)");
    assert_text(form_extend(space, number(-1), 32, false), "4294967295");
    assert_text(form_extend(space, number(255), 8, true), "-1");
    /* of 5 bits, a remainder as a difference; and what is none */
    const Form *number_5 = form_flagged(space, linear(3, 0, 1), false, false), *narrow = form_extend(space, number_5, 5, false);
    const Form *rest = form_sub(space, number_5, form_scale(space, form_op(space, OP_UDIV, 5, narrow, number(7)), 7));
    assert_text(form_extend(space, rest, 5, false), "urem(zext(3*threadIdx.x + 1), 7)");
    assert_text(form_extend(space, form_add(space, rest, number(1)), 5, false),
                "zext(3*threadIdx.x + -7*udiv(zext(3*threadIdx.x + 1), 7) + 2)");
}

/* Of two that are equally far apart in every lane, a clamp is as far from either in every lane: so often a pointer moves that
 * ends at a place of its own. */
static void test_clamps(void **state)
{
    (void)state;
    const Form *n = form_unknown(space, SYM_UNIFORM, "n", 0, NULL), *m = form_unknown(space, SYM_UNIFORM, "m", 0, NULL);
    const Form *begin = form_add(space, tid(0), n), *end = form_add(space, begin, m);
    const Form *most = form_op(space, OP_UMAX, 64, begin, end), *least = form_op(space, OP_SMIN, 64, end, begin);
    assert_text(form_sub(space, most, begin), "max(0, m)");
    assert_text(form_sub(space, least, begin), "m + min(0, -1*m)");
    assert_true(most->bounded && least->bounded);
    /* equally far apart in no two lanes */
    assert_null(form_op(space, OP_UMAX, 64, begin, form_add(space, end, tid(0))));
}

/* What was assumed of an operand is still assumed of the result. */
static void test_assumptions(void **state)
{
    (void)state;
    const Form *n = form_unknown(space, SYM_UNIFORM, "n", 0, NULL);
    const Form *sum = form_flagged(space, form_add(space, form_scale(space, n, 16), tid(0)), false, false);
    assert_true(form_extend(space, sum, 32, true)->bounded);
    static const FormOp ops[] = {OP_UDIV, OP_UREM, OP_SDIV, OP_SREM, OP_ASHR};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        assert_true(form_op(space, ops[i], 32, sum, number(4))->bounded);
}

static int64_t expected(FormOp op, int32_t a, int32_t c)
{
    switch (op) {
    case OP_UDIV: return (uint32_t)a / (uint32_t)c;
    case OP_UREM: return (uint32_t)a % (uint32_t)c;
    case OP_SDIV: return a / c;
    case OP_SREM: return a % c;
    case OP_AND: return a & c;
    case OP_OR: return a | c;
    case OP_XOR: return a ^ c;
    case OP_ASHR: return a >> (c & 31);
    case OP_SMIN: return a < c ? a : c;
    case OP_SMAX: return a > c ? a : c;
    case OP_UMIN: return (uint32_t)a < (uint32_t)c ? (uint32_t)a : (uint32_t)c;
    default: return (uint32_t)a > (uint32_t)c ? (uint32_t)a : (uint32_t)c;
    }
}

/* Operations on sums of thread indices are exact in their 32 bits, whatever the sign. */
static void test_random_operations(void **state)
{
    (void)state;
    enum { TRIES = 40000 };
    static const FormOp ops[] = {OP_UDIV, OP_UREM, OP_SDIV, OP_SREM, OP_AND,  OP_OR,
                                 OP_XOR,  OP_ASHR, OP_SMIN, OP_SMAX, OP_UMIN, OP_UMAX};
    Random random = {20260103};
    for (int i = 0; i < TRIES; i++) {
        if (i % 1000 == 0) {
            close_space(NULL);
            open_space(NULL);
        }
        int64_t scale = random_below(&random, 65) - 32, row = random_below(&random, 257) - 128;
        int64_t start = random_below(&random, 2001) - 1000, c = 1 + random_below(&random, 64);
        FormOp op = ops[random_below(&random, sizeof ops / sizeof *ops)];
        c = op == OP_ASHR ? c % 32 : c;
        const Form *form = form_op(space, op, 32, linear(scale, row, start), number(c));
        for (int lane = 0; form && lane < 32; lane++) {
            Point point = {.thread = {random_below(&random, 64), random_below(&random, 4), 0}, .lane = lane};
            int64_t a = scale * point.thread[0] + row * point.thread[1] + start;
            if ((int32_t)form_eval(form, &point) != (int32_t)expected(op, (int32_t)a, (int32_t)c))
                fail_msg("%s is %lld where a = %lld", form_text(arena, form), (long long)form_eval(form, &point), (long long)a);
        }
        assert_true(form && !form->bounded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),        cmocka_unit_test(test_operations),        cmocka_unit_test(test_clamps),
        cmocka_unit_test(test_assumptions), cmocka_unit_test(test_random_operations),
    };
    return cmocka_run_group_tests(tests, open_space, close_space);
}
