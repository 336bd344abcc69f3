/* Spares: their names, and what is found of them in fat binaries, whatever those hold. */
#include <string.h>

#include "pass/host/fat_binary.h"
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

static const SpareName *read(const char *text) { return spare_name_read(arena, text, strlen(text)); }

static void assert_none_read(const char *const *others, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_null(read(others[i]));
}

static void test_names(void **state)
{
    (void)state;
    const SpareLaunch launch = {.small = {{.number = {{3, 32}}, .count = 1, .below = 16},
                                          {.number = {{12, 64}}, .count = 1, .below = 1ull << 40},
                                          {.number = {{0, 32, 20, true}, {1, 16}, {2, 64}}, .count = 3, .below = 100},
                                          {.number = {{2, 64}, {0, 8, 0, true}}, .count = 2, .divides = true, .below = 7}},
                                .count = 4};
    const char *text = spare_name(arena, "_Z4sumsPKfPfli", &launch);
    assert_string_equal(text, "_Z4sumsPKfPfli$coalda1$arg3_u32_below_16$arg12_u64_below_1099511627776"
                              "$arg0_at20_u32_times_arg1_u16_times_arg2_u64_below_100$arg2_u64_over_arg0_at0_u8_below_7");
    const SpareName *name = read(text);
    assert_non_null(name);
    assert_int_equal(name->kernel_length, strlen("_Z4sumsPKfPfli"));
    assert_true(name->launch.count == 4 && !name->launch.few.threads && !name->launch.full);
    for (size_t i = 0; i < 4; i++) {
        const SpareCondition *small = &name->launch.small[i];
        assert_true(spare_asks_alike(small, &launch.small[i]) && small->below == launch.small[i].below);
        for (size_t k = 0; k < i; k++)
            assert_false(spare_asks_alike(small, &launch.small[k]));
    }
}

static void test_few_names(void **state)
{
    (void)state;
    SpareLaunch launch = {.small = {{.number = {{2, 32}}, .count = 1, .below = 8}},
                          .count = 1,
                          .few = {.threads = 128,
                                  .odd = 256,
                                  .multiprocessors = 132,
                                  .bytes = 4,
                                  .number = {0, 64, 8, true},
                                  .is_bounded = true,
                                  .least = {.number = {{2, 32}}, .count = 1, .below = 64}},
                          .full = 130000};
    const char *text = spare_name(arena, "dist", &launch);
    assert_string_equal(text, "dist$coalda1$arg2_u32_below_8$few128_odd256_of132_arg0_at8_u64_by4_unless_arg2_u32_below_64"
                              "$full_from_130000");
    const SpareName *name = read(text);
    assert_non_null(name);
    assert_string_equal(spare_name(arena, "dist", &name->launch), text);
    launch.few.bytes = 0;
    text = spare_name(arena, "dist", &launch);
    assert_string_equal(text, "dist$coalda1$arg2_u32_below_8$few128_odd256_of132_unless_arg2_u32_below_64$full_from_130000");
    assert_string_equal(spare_name(arena, "dist", &read(text)->launch), text);
    const char *few = "dist$coalda1$few128_odd128_of132", *full = "heat$coalda1$full_from_1",
               *blocks = "conv$coalda1$full_from_1453_blocks";
    assert_string_equal(spare_name(arena, "dist", &read(few)->launch), few);
    assert_string_equal(spare_name(arena, "heat", &read(full)->launch), full);
    assert_string_equal(spare_name(arena, "conv", &read(blocks)->launch), blocks);
    assert_true(read(blocks)->launch.full == 1453 && read(blocks)->launch.full_blocks && !read(full)->launch.full_blocks);
    static const char *const others[] = {"dist$coalda1$few0_odd128_of132",
                                         "dist$coalda1$few128_odd0_of132",
                                         "dist$coalda1$few128_odd128_of0",
                                         "dist$coalda1$few128_odd128",
                                         "dist$coalda1$few128_of132",
                                         "dist$coalda1$few65537_odd128_of132",
                                         "dist$coalda1$few128_odd128_of132_",
                                         "dist$coalda1$few128_odd128_of132_arg2_u32",
                                         "dist$coalda1$few128_odd128_of132_arg2_u32_by0",
                                         "dist$coalda1$few128_odd128_of132_arg2_u32_by4097",
                                         "dist$coalda1$few128_odd128_of132_unless_arg2_u32",
                                         "dist$coalda1$few128_odd128_of132_param_0",
                                         "dist$coalda1$few128_odd128_of132$arg2_u32_below_8",
                                         "dist$coalda1$few128_odd128_of132$few128_odd128_of132",
                                         "heat$coalda1$full_from_0",
                                         "heat$coalda1$full_from_",
                                         "heat$coalda1$full_from_9_",
                                         "heat$coalda1$full_from_9_block",
                                         "heat$coalda1$full_from_9_blocks_",
                                         "heat$coalda1$full_from_9$full_from_9",
                                         "heat$coalda1$full_from_9$arg2_u32_below_8"};
    assert_none_read(others, sizeof others / sizeof *others);
}

static void test_near_names(void **state)
{
    (void)state;
    SpareLaunch launch = {.small = {{.number = {{4, 32}}, .count = 1, .below = 32, .pitch = {5, 64}, .near = 16}}, .count = 1};
    const char *text = spare_name(arena, "fir", &launch);
    assert_string_equal(text, "fir$coalda1$arg4_u32_below_32_or_arg5_u64_below_16");
    assert_non_null(read(text));
    assert_string_equal(spare_name(arena, "fir", &read(text)->launch), text);
    const char *all = "fir$coalda1$arg4_u32_below_32_or_arg0_at8_u32_below_16$arg2_u32_times_arg3_u32_below_8_or_arg5_u32_below_1";
    assert_string_equal(spare_name(arena, "fir", &read(all)->launch), all);
    const char *odd = "fir$coalda1$arg4_u32_below_32_or_arg5_u32_below_16_odd25_by8$arg5_u32_below_16_odd25_by8";
    assert_string_equal(spare_name(arena, "fir", &read(odd)->launch), odd);
    assert_int_equal(read(odd)->launch.small[1].odd, 25);
    assert_int_equal(read(odd)->launch.small[1].by, 8);
    SpareCondition alone = launch.small[0], other = launch.small[0];
    alone.near = 0;
    other.pitch.argument = 6;
    assert_true(spare_asks_alike(&launch.small[0], &alone));
    assert_false(spare_pitch_alike(&launch.small[0], &alone));
    assert_false(spare_pitch_alike(&launch.small[0], &other));
    other.pitch.argument = 5;
    other.near = 1;
    assert_true(spare_pitch_alike(&launch.small[0], &other));
    static const char *const others[] = {"fir$coalda1$arg4_u32_below_32_or_",
                                         "fir$coalda1$arg4_u32_below_32_or_arg5_u32",
                                         "fir$coalda1$arg4_u32_below_32_or_arg5_u32_below_0",
                                         "fir$coalda1$arg4_u32_below_32_or_arg5_u32_below_",
                                         "fir$coalda1$arg4_u32_below_32_or_arg5_u32_below_8_or_arg6_u32_below_8",
                                         "fir$coalda1$arg4_u32_below_32_or_arg5_u32_times_arg6_u32_below_8",
                                         "fir$coalda1$arg5_u32_below_16_odd0_by8",
                                         "fir$coalda1$arg5_u32_below_16_odd25",
                                         "fir$coalda1$arg5_u32_below_16_odd25_by1",
                                         "fir$coalda1$arg5_u32_below_16_odd25_by12",
                                         "fir$coalda1$arg4_u32_times_arg5_u32_below_16_odd25_by8"};
    assert_none_read(others, sizeof others / sizeof *others);
}

static void test_straight_names(void **state)
{
    (void)state;
    const char *text = spare_name(arena, "step", &(SpareLaunch){.straight = true});
    assert_string_equal(text, "step$coalda1$straight");
    assert_true(read(text)->launch.straight && !read(text)->launch.count);
    assert_false(read("sums$coalda1$arg3_u32_below_16")->launch.straight);
    static const char *const others[] = {"step$coalda1$straight_", "step$coalda1$straight$full_from_9", "step$coalda1$straigh",
                                         "step$coalda1$arg2_u32_below_8$straight"};
    assert_none_read(others, sizeof others / sizeof *others);
}

static void test_coarse_names(void **state)
{
    (void)state;
    const SpareCoarse coarse = {.blocks = 4, .arguments = 3, .from = 2400000};
    const char *text = spare_name_coarse(arena, "_Z4grayPK6uchar3Phi", &coarse);
    assert_string_equal(text, "_Z4grayPK6uchar3Phi$coalda1$blocks4_args3_from_2400000");
    const SpareName *name = read(text);
    assert_non_null(name);
    assert_int_equal(name->kernel_length, strlen("_Z4grayPK6uchar3Phi"));
    assert_true(!name->launch.count && name->coarse.blocks == 4 && name->coarse.arguments == 3 && name->coarse.from == 2400000);
    assert_int_equal(name->coarse.wide, 0);
    const SpareCoarse wide = {.blocks = 2, .arguments = 5, .from = 9, .wide = 32};
    text = spare_name_coarse(arena, "heat", &wide);
    assert_string_equal(text, "heat$coalda1$blocks2_args5_from_9_wide32");
    assert_true(read(text)->coarse.wide == 32 && read(text)->coarse.from == 9);
    assert_int_equal(read("sums$coalda1$arg3_u32_below_16")->coarse.blocks, 0);
    static const char *const others[] = {"gray$coalda1$blocks1_args3_from_9",
                                         "gray$coalda1$blocks65_args3_from_9",
                                         "gray$coalda1$blocks4_args4097_from_9",
                                         "gray$coalda1$blocks4_args3_from_",
                                         "gray$coalda1$blocks4_args3_from_9_param_0",
                                         "gray$coalda1$blocks_args3_from_9",
                                         "gray$coalda1$blocks4_from_9",
                                         "gray$coalda1$blocks4_args3_from_9_wide",
                                         "gray$coalda1$blocks4_args3_from_9_wide1025",
                                         "gray$coalda1$blocks4_args3_from_9$arg3_u32_below_16"};
    assert_none_read(others, sizeof others / sizeof *others);
}

static void test_other_names(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",
        "sums",
        "$coalda1$arg3_u32_below_16",
        "sums$coalda1$",
        "sums$coalda1$arg3_u32_below_16$",
        "sums$coalda1$arg3_u32_below_",
        "sums$coalda1$arg3_u32_below_-1",
        "sums$coalda1$arg_u32_below_16",
        "sums$coalda1$arg99999_u32_below_16",
        "sums$coalda1$arg3_u33_below_16",
        "sums$coalda1$arg3_i32_below_16",
        "sums$coalda2$arg3_u32_below_16",
        "sums$coalda1$arg3_u32_below_16_param_0",
        "sums$coalda1$arg3_at_u32_below_16",
        "sums$coalda1$arg3_at-4_u32_below_16",
        "sums$coalda1$arg3_at65536_u32_below_16",
        "sums$coalda1$arg3_at99999999999999999999_u32_below_16",
        "sums$coalda1$arg3_u32_times_below_16",
        "sums$coalda1$arg3_u32_times_arg4_u32_times_arg5_u32_times_arg6_u32_below_16",
        "sums$coalda1$arg3_u32_over_arg4_u32_over_arg5_u32_below_16",
        "sums$coalda1$arg3_u32_over_arg4_u32_times_arg5_u32_below_16",
        "sums$coalda1$arg3_u32_times_arg4_u32_below_2147483648",
        "sums$coalda1$arg3_u32_over_arg4_u32_below_2147483648",
        "sums$coalda1$arg3_u32_over_below_16",
        "sums$coalda1$arg3_u32_plus_arg4_u32_below_16",
        "sums$coalda1$arg3_u32_below_16$arg3_u32_below_16$arg3_u32_below_16$arg3_u32_below_16$arg3_u32_below_16"};
    assert_none_read(others, sizeof others / sizeof *others);
    assert_null(spare_name_read(arena, "sums$coalda1$arg3_u32_below_16\0", strlen("sums$coalda1$arg3_u32_below_16") + 1));
}

/* ---- fat binaries ---- */

enum { ELF = 2, PTX = 1 };
static const uint64_t PLAIN = 0x11, SMALL = 0x8011, SPECIFIC = 0x100011;

static void put_number(Text *text, uint64_t number, int width)
{
    for (int i = 0; i < width; i++)
        text_put(text, (const char[]){(char)(number >> 8 * i)}, 1);
}

static void put_code(Text *text, unsigned kind, unsigned architecture, uint64_t flags, const char *bytes)
{
    put_number(text, kind, 2);
    put_number(text, 0x101, 2);
    put_number(text, 64, 4);
    put_number(text, strlen(bytes), 8);
    put_number(text, 0, 8);
    put_number(text, 0, 4);
    put_number(text, architecture, 4);
    put_number(text, 0, 8);
    put_number(text, flags, 8);
    put_number(text, 0, 8);
    put_number(text, 0, 8);
    text_put(text, bytes, strlen(bytes));
}

static Text image_of(const Text *codes)
{
    Text image = text_new(arena);
    put_number(&image, 0xBA55ED50, 4);
    put_number(&image, 1, 2);
    put_number(&image, 16, 2);
    put_number(&image, codes->length, 8);
    text_put(&image, codes->data, codes->length);
    return image;
}

static size_t found(const Text *codes)
{
    Text image = image_of(codes);
    return fat_binary_spares(arena, image.data, image.length).count;
}

#define ONE "_Z3onePfi$coalda1$arg1_u32_below_16"
#define TWO "_Z3twoPfi$coalda1$arg1_u32_below_8"
static const char both[] = "\177ELF\n_Z3onePfi\n.text." ONE "\n.nv.info." ONE "\n" ONE "\n" TWO "\n",
                  one[] = "\177ELF\n.text." ONE "\n";

static void test_images(void **state)
{
    (void)state;
    Text codes = text_new(arena);
    put_code(&codes, ELF, 90, PLAIN, both);
    assert_int_equal(found(&codes), 2); /* each once */
    put_code(&codes, PTX, 90, SMALL, "compressed");
    assert_int_equal(found(&codes), 2);
    put_code(&codes, ELF, 80, PLAIN, one);
    assert_int_equal(found(&codes), 1); /* of both architectures */
    put_code(&codes, ELF, 100, PLAIN, "\177ELF\n");
    assert_int_equal(found(&codes), 0);
}

static void test_unknown_code(void **state)
{
    (void)state;
    static const struct {
        unsigned kind, architecture;
        uint64_t flags;
        const char *bytes;
    } others[] = {{PTX, 75, SMALL, "compressed"},
                  {PTX, 90, SPECIFIC, "compressed"},
                  {ELF, 80, SMALL, "compressed"},
                  {8, 90, PLAIN, both}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Text codes = text_new(arena);
        put_code(&codes, ELF, 90, PLAIN, both);
        put_code(&codes, others[i].kind, others[i].architecture, others[i].flags, others[i].bytes);
        assert_int_equal(found(&codes), 0);
    }
}

/* Cut anywhere, or with a byte of another value: nothing is read that is not there. */
static void test_damaged_images(void **state)
{
    (void)state;
    Text codes = text_new(arena);
    put_code(&codes, ELF, 90, PLAIN, both);
    Text image = image_of(&codes);
    for (size_t length = 0; length < image.length; length++) {
        char *cut = arena_copy(arena, image.data, length);
        assert_int_equal(fat_binary_spares(arena, cut, length).count, 0);
    }
    for (size_t at = 0; at < 80; at++) {
        char *other = arena_copy(arena, image.data, image.length);
        other[at] = (char)0xFF;
        assert_true(fat_binary_spares(arena, other, image.length).count <= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_near_names),     cmocka_unit_test(test_few_names),
        cmocka_unit_test(test_coarse_names), cmocka_unit_test(test_straight_names), cmocka_unit_test(test_other_names),
        cmocka_unit_test(test_images),       cmocka_unit_test(test_unknown_code),   cmocka_unit_test(test_damaged_images),
    };
    return cmocka_run_group_tests(tests, arena_open, arena_close);
}
