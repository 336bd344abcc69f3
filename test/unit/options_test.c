/* Options from text: what is taken, what is refused and what a refusal leaves alone. */
#include <string.h>

#include "pass/base/options.h"

#include "unit.h"

static Arena *arena;

static int arena_open(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}
static int arena_close(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const char *set(Options *options, const char *text) { return option_set(options, text, strlen(text), arena); }
static const char *parse(Options *options, const char *text) { return options_parse(options, text, strlen(text), arena); }

static void test_flags(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool before, after;
    } cases[] = {{"off", false, true},
                 {"off=true", false, true},
                 {"off=1", false, true},
                 {"off=false", true, false},
                 {"off=0", true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Options options = {.off = cases[i].before};
        assert_null(set(&options, cases[i].text));
        assert_int_equal(options.off, cases[i].after);
        assert_false(options.report);
    }
}

static void assert_shape(const char *text, int x, int y, int z)
{
    Options options = {0};
    assert_null(set(&options, text));
    assert_int_equal(options.shape.extent[0], x);
    assert_int_equal(options.shape.extent[1], y);
    assert_int_equal(options.shape.extent[2], z);
    assert_int_equal(options.shape.limit, x * y * z);
}

static void test_shapes(void **state)
{
    (void)state;
    assert_shape("shape=256", 256, 1, 1);
    assert_shape("shape=16x16", 16, 16, 1);
    assert_shape("shape=8x4x4", 8, 4, 4);
    assert_shape("shape=8,4,4", 8, 4, 4);
    assert_shape("shape=1024", 1024, 1, 1);
    assert_shape("shape=1", 1, 1, 1);
}

static void test_arch(void **state)
{
    (void)state;
    Options options = {0};
    assert_null(set(&options, "arch=sm_90"));
    assert_int_equal(options.arch, 90);
    assert_null(set(&options, "arch=sm_90a"));
    assert_null(set(&options, "arch=sm_120f"));
    assert_int_equal(options.arch, 120);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "=",
        "of",
        "offf",
        "Off",
        "off=",
        "off=yes",
        "off=true ",
        "shape",
        "shape=",
        "shape=0",
        "shape=-1",
        "shape=16x",
        "shape=x16",
        "shape=1025",
        "shape=32x33",
        "shape=1024x1024x1024",
        "shape=2x2x2x2",
        "shape=16x16 ",
        "shape=16*16",
        "shape=99999999999999999999",
        "arch",
        "arch=",
        "arch=90",
        "arch=sm_",
        "arch=sm_9",
        "arch=sm_90b",
        "arch=sm_90aa",
        "arch=sm_999",
        "arch=sm_-90",
        "off;report",
        "cost",
        "cost=",
        "cost=/dev/null/absent",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Options options, before;
        memset(&options, 0, sizeof options);
        options.arch = 80;
        options.shape = (Shape){.extent = {32, 2, 1}, .limit = 64};
        before = options;
        const char *message = set(&options, wrong[i]);
        assert_non_null(message);
        assert_non_null(strstr(message, "coalda"));
        assert_memory_equal(&options, &before, sizeof options);
    }
}

/* A name that does not fit would be another's beginning. */
static void test_names(void **state)
{
    (void)state;
    char text[] = "trace=", longest[sizeof text + NAME_BYTES];
    Options options = {0};
    assert_null(set(&options, "trace"));
    assert_true(options.trace.is_given);
    assert_string_equal(options.trace.part, "");
    assert_null(set(&options, "trace=rows"));
    assert_string_equal(options.trace.part, "rows");
    assert_null(set(&options, "trace="));
    assert_string_equal(options.trace.part, "");
    memset(longest, 'a', sizeof longest);
    memcpy(longest, text, strlen(text));
    longest[strlen(text) + NAME_BYTES - 1] = 0;
    assert_null(set(&options, longest));
    assert_int_equal(strlen(options.trace.part), NAME_BYTES - 1);
    longest[strlen(text) + NAME_BYTES - 1] = 'a';
    longest[strlen(text) + NAME_BYTES] = 0;
    assert_non_null(set(&options, longest));
}

static void test_costs(void **state)
{
    (void)state;
    Options options = {0}, own = {0};
    Costs builtin = costs_builtin(), unsaid = costs_for(&options.cost, 80);
    assert_memory_equal(&unsaid, &builtin, sizeof builtin);
    assert_null(set(&options, "cost=/dev/null"));
    assert_memory_equal(&options.cost, &builtin, sizeof builtin);
    options.cost.MARGIN = 7;
    assert_true(costs_for(&options.cost, 80).MARGIN == 7);
    assert_true(options_merge(options, own).cost.MARGIN == 7);
    own.cost = builtin;
    assert_true(options_merge(options, own).cost.MARGIN == builtin.MARGIN);
}

/* Prices by each kernel's architecture, where they are known. */
static void test_costs_by_arch(void **state)
{
    (void)state;
    Options options = {0}, named = {0};
    Costs builtin = costs_builtin();
    assert_null(set(&options, "cost=arch"));
    assert_null(set(&named, "cost=sm_89"));
    Costs of_89 = costs_for(&options.cost, 89), of_90 = costs_for(&options.cost, 90), of_91 = costs_for(&options.cost, 91);
    assert_memory_equal(&of_89, &named.cost, sizeof of_89);
    assert_true(of_89.LINE < builtin.LINE / 4);
    assert_memory_equal(&of_90, &builtin, sizeof builtin);
    assert_memory_equal(&of_91, &builtin, sizeof builtin);
    assert_true(options_merge(named, options).cost.by_arch);
    assert_true(options_merge(options, named).cost.LINE == of_89.LINE);
}

static void test_not_terminated(void **state)
{
    (void)state;
    Options options = {0};
    assert_null(option_set(&options, "shape=16x160", strlen("shape=16x16"), arena));
    assert_int_equal(options.shape.limit, 256);
}

static void test_lists(void **state)
{
    (void)state;
    Options options = {0};
    assert_null(parse(&options, ""));
    assert_null(parse(&options, "report;shape=16x16;arch=sm_80"));
    assert_true(options.report);
    assert_int_equal(options.shape.limit, 256);
    assert_int_equal(options.arch, 80);
    assert_non_null(parse(&options, "off;nothing;arch=sm_90"));
    assert_int_equal(options.arch, 80);
    assert_non_null(parse(&options, ";"));
}

static void test_merge(void **state)
{
    (void)state;
    Options base = {0}, over = {0};
    assert_null(parse(&base, "arch=sm_80;shape=32"));
    assert_null(parse(&over, "shape=16x16;report"));
    Options merged = options_merge(base, over);
    assert_int_equal(merged.arch, 80);
    assert_int_equal(merged.shape.extent[0], 16);
    assert_int_equal(merged.shape.extent[1], 16);
    assert_true(merged.report);
    assert_false(merged.off);
    assert_int_equal(base.shape.extent[0], 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags),         cmocka_unit_test(test_shapes),         cmocka_unit_test(test_arch),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_names),          cmocka_unit_test(test_costs),
        cmocka_unit_test(test_costs_by_arch), cmocka_unit_test(test_not_terminated), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests(tests, arena_open, arena_close);
}
