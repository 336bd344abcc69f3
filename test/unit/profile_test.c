/* Profiles from text and back: what is taken, what is refused and in which words, how two become one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/profile/launched.h"

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

static const char *parse(Profile *profile, const char *text)
{
    *profile = profile_new(arena, "file");
    return profile_parse(profile, text, strlen(text));
}

static const char *text_of(const Profile *profile)
{
    Text text = text_new(arena);
    profile_text(profile, &text);
    return text.data;
}

static const char whole[] = "coalda-profile 1\n"
                            "# of an NVIDIA H200\n"
                            "\nkernel a\n"
                            "decide off\n"
                            "\n# by hand\n"
                            "kernel b 00000000000000ff\n"
                            "decide without=rings+shelves;block=64\n"
                            "launch grid 1x1x1 block 32x1x1 shared 0 count 1 median 0.001\n"
                            "launch grid 4294967295x1x1 block 16x16x1 shared 49152 count 9223372036854775807 median 12.345\n"
                            "\nkernel b a000000000000000\n";

static const char later[] = "coalda-profile 2\n"
                            "\nkernel a\n"
                            "decide launches;bounds;stages=2\n"
                            "part arg0 without=exchanges\n"
                            "part arg0:load without=walks\n"
                            "part arg0:store without=widening+banks\n"
                            "argument 0 -9223372036854775808 9223372036854775807\n"
                            "argument 7 -1 -1\n"
                            "argument 18446744073 0 0\n"
                            "launch grid 1x1x1 block 32x1x1 shared 0 count 1 median 0.001\n";

static void test_round_trip(void **state)
{
    (void)state;
    Profile profile;
    assert_null(parse(&profile, whole));
    assert_string_equal(text_of(&profile), whole);
    const ProfileKernel *b = profile_find(&profile, "b", 255);
    assert_int_equal(b->launches.count, 2);
    assert_int_equal(((const ProfileLaunch *)b->launches.item[1])->median, 12345);
    assert_null(parse(&profile, later));
    assert_string_equal(text_of(&profile), later);
}

/* Order, blanks, decimals and where comments stand are the writer's. */
static void test_normal_form(void **state)
{
    (void)state;
    Profile profile;
    assert_null(parse(&profile,
                      "coalda-profile 1\r\n"
                      "# here\n"
                      "kernel b a000000000000000 # last\n\n\n"
                      "kernel  b\t00000000000000ff\n"
                      "  launch grid 4294967295 block 16x16 shared 49152 count 9223372036854775807 median 12.345 # by hand\n"
                      "  launch grid 1 block 32 shared 0 count 1 median 0.001\n"
                      "  decide without=rings+shelves;block=64\n"
                      "kernel a\ndecide off"));
    assert_string_equal(text_of(&profile),
                        "coalda-profile 1\n"
                        "\nkernel a\n"
                        "decide off\n"
                        "\n# by hand\n"
                        "kernel b 00000000000000ff\n"
                        "decide without=rings+shelves;block=64\n"
                        "launch grid 1x1x1 block 32x1x1 shared 0 count 1 median 0.001\n"
                        "launch grid 4294967295x1x1 block 16x16x1 shared 49152 count 9223372036854775807 median 12.345\n"
                        "\n# here\n"
                        "# last\n"
                        "kernel b a000000000000000\n");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "file:1: this is no profile: its first line is to be 'coalda-profile 2'"},
        {"coalda-profile", "file:1: this is no profile"},
        {"coalda-profile 1 2", "file:1: this is no profile"},
        {"coalda-profile 3\n", "file:1: this is a profile of version 3, and coalda"},
        {"coalda-profile 0\n", "reads versions 1 to 2"},
        {"\nlanch", "file:2: no line begins with 'lanch': there are kernel, decide, part, argument and launch"},
        {"\ndecide off", "file:2: decide says something of a kernel: write 'kernel'"},
        {"\nlaunch", "file:2: launch says something of a kernel"},
        {"\nkernel", "file:2: kernel takes its linked name, and the hash"},
        {"\nkernel a 1", "file:2: the hash of a body has 16 digits of 0-9 and a-f"},
        {"\nkernel a 00000000000000001", "not '00000000000000001'"},
        {"\nkernel a 000000000000000g", "16 digits"},
        {"\nkernel a 000000000000000A", "16 digits"},
        {"\nkernel a 0000000000000000", "16 digits"},
        {"\nkernel a 0000000000000001 b", "file:2: kernel takes its linked name"},
        {"\nkernel a\nkernel b\nkernel a\n", "file:4: kernel a is there already with the same body, in line 2"},
        {"\nkernel a\ndecide", "file:3: decide takes one word"},
        {"\nkernel a\ndecide off on", "file:3: decide takes one word"},
        {"\nkernel a\ndecide of", "file:3: nothing is decided by 'of'; what may be, several parted by ';', is default, off,"},
        {"\nkernel a\ndecide report", "nothing is decided by 'report'"},
        {"\nkernel a\ndecide off;", "nothing is decided by ''"},
        {"\nkernel a\ndecide default;off", "nothing is decided by 'default'"},
        {"\nkernel a\ndecide without=ring", "file:3: coalda option 'without': there is no feature 'ring'"},
        {"\nkernel a\ndecide block=48", "file:3: coalda option 'block' takes 0, 32, 64, 128 or 256, not '48'"},
        {"\nkernel a\ndecide bounds", "file:3: bounds is of version 2: write 'coalda-profile 2' in the first line"},
        {"\nkernel a\ndecide off;launches", "file:3: off;launches is of version 2"},
        {"\nkernel a\nargument 0 1 2", "file:3: argument is of version 2"},
        {"\npart arg0 without=rings", "file:2: part is of version 2"},
        {"coalda-profile 2\nargument 0 1 2", "file:2: argument says something of a kernel"},
        {"coalda-profile 2\nkernel a\nargument 0 1", "file:3: argument takes its number, from 0, and the least and the most"},
        {"coalda-profile 2\nkernel a\nargument 0 2 1", "argument takes"},
        {"coalda-profile 2\nkernel a\nargument -1 1 2", "argument takes"},
        {"coalda-profile 2\nkernel a\nargument 0 1 9223372036854775808", "argument takes"},
        {"coalda-profile 2\nkernel a\nargument 0 -9223372036854775809 1", "argument takes"},
        {"coalda-profile 2\nkernel a\nargument 0 - 1", "argument takes"},
        {"coalda-profile 2\nkernel a\nargument 0 1 2 3", "argument takes"},
        {"coalda-profile 2\nkernel a\nargument 1 1 2\nargument 0 1 1\nargument 1 1 3",
         "file:5: that argument is there already, in line 3"},
        {"coalda-profile 2\nkernel a\npart arg0", "file:3: part takes an array and what is left out there"},
        {"coalda-profile 2\nkernel a\npart arg0 off", "file:3: nothing is decided of a part by 'off'"},
        {"coalda-profile 2\nkernel a\npart arg0 without=rings;off", "nothing is decided of a part by"},
        {"coalda-profile 2\nkernel a\npart arg0 without=turns", "file:3: of a part of a kernel exchanges, widening, walks,"},
        {"coalda-profile 2\nkernel a\npart arg0 without=", "file:3: coalda option 'without'"},
        {"coalda-profile 2\nkernel a\npart arg0:add without=rings", "file:3: part takes"},
        {"coalda-profile 2\nkernel a\npart :load without=rings", "file:3: part takes"},
        {"coalda-profile 2\nkernel a\npart arg0 without=rings\npart arg0 without=rings",
         "file:4: arg0 is decided already, in line 3"},
        {"\nkernel a\ndecide off\ndecide off", "file:4: a is decided already, in line 3: leave one of the lines"},
        {"\nkernel a\nlaunch", "file:3: here 'grid' and 1 to 3 extents, as in 4096x1x1 are to stand"},
        {"\nkernel a\nlaunch grid 1x0", "file:3: grid takes 1 to 3 extents, as in 4096x1x1, not '1x0'"},
        {"\nkernel a\nlaunch grid 4294967296", "not '4294967296'"},
        {"\nkernel a\nlaunch grid 1x1x1x1", "not '1x1x1x1'"},
        {"\nkernel a\nlaunch grid 1x", "not '1x'"},
        {"\nkernel a\nlaunch grid 1 block", "here 'block'"},
        {"\nkernel a\nlaunch grid 1 blocks 1", "here 'block'"},
        {"\nkernel a\nlaunch grid 1 block 1 shared -1", "shared takes a number of bytes, not '-1'"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 0", "count takes a number of launches, not '0'"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 9223372036854775808", "count takes"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 1 median 1.2345", "median takes microseconds"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 1 median 1,2", "median takes microseconds"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 1 median nan", "median takes microseconds"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 1 median 99999999999999999", "median takes microseconds"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 1 median 1 us", "file:3: there is something behind the median: 'us'"},
        {"\nkernel a\nlaunch grid 1 block 1 shared 0 count 1 median 1\n\nlaunch grid 1x1 block 1 shared 0 count 1 median 1",
         "file:5: launches of that shape are there already, in line 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Profile profile;
        const char *text = cases[i].text[0] == '\n' ? arena_text(arena, "coalda-profile 1%s", cases[i].text) : cases[i].text;
        const char *wrong = parse(&profile, text);
        assert_non_null(wrong);
        if (!strstr(wrong, cases[i].says))
            fail_msg("'%s' is refused by '%s', not by '%s'", text, wrong, cases[i].says);
    }
    Profile profile = profile_new(arena, "file");
    static const char zero[] = "coalda-profile 1\n\0";
    assert_string_equal(profile_parse(&profile, zero, sizeof zero), "file:2: this is no text: there is a byte that is 0");
}

static void test_find(void **state)
{
    (void)state;
    Profile profile;
    assert_null(parse(&profile, "coalda-profile 1\n"
                                "kernel a 0000000000000001\ndecide off\nkernel a 0000000000000002\nkernel aa\n"
                                "kernel b\ndecide off\nkernel b 0000000000000001\ndecide always\n"));
    assert_string_equal(profile_find(&profile, "a", 1)->decision, "off");
    assert_null(profile_find(&profile, "a", 2)->decision);
    assert_null(profile_find(&profile, "a", 3));
    assert_null(profile_find(&profile, "", 3));
    assert_null(profile_find(&profile, "c", 3));
    assert_int_equal(profile_stale(&profile, "a", 3)->body, 1);
    assert_null(profile_stale(&profile, "a", 1));
    assert_null(profile_stale(&profile, "a", 2));
    assert_null(profile_stale(&profile, "aa", 1));
    assert_string_equal(profile_find(&profile, "b", 1)->decision, "always");
    assert_string_equal(profile_find(&profile, "b", 2)->decision, "off");
    assert_null(profile_stale(&profile, "b", 2));
}

/* A file's own kernels, as clang names them under -fgpu-rdc. */
static void test_names(void **state)
{
    (void)state;
    assert_string_equal(profile_name(arena, "_ZL4statPf__intern__cb1a8c7920edf37"), "_ZL4statPf");
    assert_string_equal(profile_name(arena, "_ZL4statPf__static__0"), "_ZL4statPf");
    assert_string_equal(profile_name(arena, "_ZL4statPf__intern__"), "_ZL4statPf__intern__");
    assert_string_equal(profile_name(arena, "a__intern__kernel"), "a__intern__kernel");
    assert_string_equal(profile_name(arena, "_Z4sumsPfi$coalda1$arg1_u32_below_16"), "_Z4sumsPfi"); /* a kernel's spare */
    assert_string_equal(profile_name(arena, "_ZL4statPf__static__0$coalda1$arg1_u32_below_16"), "_ZL4statPf");
    assert_string_equal(profile_name(arena, "_ZL4statPf__static__2__intern__00ff"), "_ZL4statPf");
    Profile profile;
    assert_null(parse(&profile, "coalda-profile 1\nkernel a__static__12\ndecide off\n"));
    assert_non_null(profile_find(&profile, "a", 1));
}

static void test_decisions(void **state)
{
    (void)state;
    Options options = {0}, none = {0};
    assert_null(decision_read(&options, "default", arena));
    assert_memory_equal(&options, &none, sizeof none);
    assert_null(decision_read(&options, "block=64;stages=3;batch=2;straight;always;off", arena));
    assert_true(options.off && options.always && options.straight && options.block == 64 && options.stages == 3 &&
                options.batch == 2);
}

static void test_merge(void **state)
{
    (void)state;
    Profile one, other, again;
    const char
        *first = "coalda-profile 1\n# one\n\nkernel a 0000000000000001\ndecide off\n"
                 "launch grid 1 block 32 shared 0 count 1 median 10\nlaunch grid 3 block 32 shared 0 count 1 median 5\nkernel c\n";
    const char *second = "coalda-profile 1\n# one\n# other\n\nkernel a 0000000000000001\n# fast\n\n"
                         "launch grid 1 block 32 shared 0 count 3 median 2\nlaunch grid 2 block 32 shared 0 count 1 median "
                         "7\nkernel b\ndecide always\n";
    const char
        *both = "coalda-profile 1\n# one\n# other\n"
                "\n# fast\nkernel a 0000000000000001\ndecide off\nlaunch grid 1x1x1 block 32x1x1 shared 0 count 4 median 4.000\n"
                "launch grid 2x1x1 block 32x1x1 shared 0 count 1 median 7.000\nlaunch grid 3x1x1 block 32x1x1 shared 0 count 1 "
                "median 5.000\n"
                "\nkernel b\ndecide always\n\nkernel c\n";
    assert_null(parse(&one, first));
    assert_null(parse(&other, second));
    assert_null(profile_merge(&one, &other, false));
    assert_string_equal(text_of(&one), both);
    assert_null(parse(&one, first));
    assert_null(parse(&other, second));
    assert_null(profile_merge(&other, &one, false));
    assert_string_equal(text_of(&other), both); /* in either order */

    assert_null(parse(&one, "coalda-profile 1\nkernel a\ndecide off\n"));
    assert_null(parse(&other, "coalda-profile 1\n\nkernel a\ndecide always\n"));
    assert_null(parse(&again, "coalda-profile 1\nkernel a 0000000000000001\ndecide always\n"));
    assert_null(profile_merge(&one, &again, false)); /* another body */
    assert_string_equal(profile_merge(&one, &other, false),
                        "file:4: a is decided to be 'always', and in file:3 'off': leave one of them, or take the last by --last");
    assert_null(profile_merge(&one, &other, true));
    assert_string_equal(profile_find(&one, "a", 2)->decision, "always");
}

static void test_merge_ranges(void **state)
{
    (void)state;
    Profile one, other;
    const char *first = "coalda-profile 2\nkernel a\nargument 0 1 2\nargument 2 -5 9\npart arg0 without=rings\n";
    const char *second = "coalda-profile 2\nkernel a\nargument 1 4 4\nargument 2 0 12\npart arg1 without=rings\n";
    const char *both = "coalda-profile 2\n\nkernel a\npart arg0 without=rings\npart arg1 without=rings\n"
                       "argument 0 1 2\nargument 1 4 4\nargument 2 -5 12\n";
    assert_null(parse(&one, first));
    assert_null(parse(&other, second));
    assert_null(profile_merge(&one, &other, false));
    assert_string_equal(text_of(&one), both);
    assert_null(parse(&one, first));
    assert_null(parse(&other, second));
    assert_null(profile_merge(&other, &one, false));
    assert_string_equal(text_of(&other), both);
    assert_null(parse(&one, first));
    assert_null(parse(&other, "coalda-profile 2\nkernel a\npart arg0 without=walks\n"));
    assert_string_equal(
        profile_merge(&one, &other, false),
        "file:3: arg0 of a is decided to be 'without=walks', and in file:5 'without=rings': leave one of them, or take "
        "the last by --last");
    assert_null(profile_merge(&one, &other, true));
    assert_string_equal(((const ProfilePart *)profile_find(&one, "a", 1)->parts.item[0])->decision, "without=walks");
}

static Launched launched_in(const char *lines)
{
    Profile profile;
    assert_null(parse(&profile, arena_text(arena, "coalda-profile 2\nkernel a\n%s", lines)));
    Launched launched = launched_of(arena, profile_find(&profile, "a", 1)), again = launched_read(launched_text(arena, &launched));
    assert_string_equal(launched_text(arena, &again), launched_text(arena, &launched));
    assert_int_equal(again.known, launched.known);
    return again;
}

/* What takes most of the time counts, and where nothing took any, what was launched most often. */
static void test_launched(void **state)
{
    (void)state;
    Launched none = launched_in("argument 3 -7 9\n");
    assert_false(none.known);
    assert_int_equal(none.ranges, 1);
    assert_true(none.range[0].index == 3 && none.range[0].least == -7 && none.range[0].most == 9);
    Launched most = launched_in(
        "launch grid 8 block 256 shared 0 count 10 median 3\nlaunch grid 4096 block 16x16 shared 0 count 1 median 29.6\n"
        "launch grid 1 block 1024 shared 0 count 1 median 0.5\n");
    assert_true(most.known && most.threads == 256 && most.blocks == 8 && most.most == 1024);
    assert_true(most.extent[0] == 0); /* no shape has more than half */
    most = launched_in(
        "launch grid 8 block 256 shared 0 count 10 median 3\nlaunch grid 4096 block 16x16 shared 0 count 1 median 31\n");
    assert_true(most.blocks == 4096 && most.extent[0] == 16 && most.extent[1] == 16 && most.extent[2] == 1 && most.most == 256);
    most = launched_in("launch grid 8 block 64 shared 0 count 9 median 0\nlaunch grid 1 block 32 shared 0 count 2 median 0\n");
    assert_true(most.blocks == 8 && most.threads == 64 && most.extent[0] == 64);
    most = launched_in("launch grid 4294967295x65535x65535 block 1024 shared 0 count 1 median 1\n");
    assert_true(launched_in_flight(&most) > 0);
    assert_false(launched_in("launch grid 1 block 1024x2 shared 0 count 1 median 1\n").known); /* no GPU launches it */
    assert_true(decision_prices(NULL) && decision_prices("bounds") && decision_prices("off;launches") &&
                !decision_prices("default") && !decision_prices("bounds;without=rings"));
}

/* Whatever a file holds, it is read or refused with its name; what is read is written so that it says the same. */
static void mutate(const char *from, size_t size)
{
    enum { MUTANTS = 20000, MOST_CHANGES = 4, MULTIPLIER = 1103515245, INCREMENT = 12345, ROOM = 1024 };
    static const char bytes[] = "\n\n #;=x.019af\tkerneldecidelaunchpartargument:-\r\x80";
    unsigned seed = 1, taken = 0;
    for (int i = 0; i < MUTANTS; i++) {
        char mutant[ROOM];
        assert_true(size <= sizeof mutant);
        memcpy(mutant, from, size);
        for (int k = 0; k <= i % MOST_CHANGES; k++) {
            seed = seed * MULTIPLIER + INCREMENT;
            unsigned place = (seed >> 8) % (unsigned)(size - 1);
            seed = seed * MULTIPLIER + INCREMENT;
            mutant[place] = bytes[(seed >> 8) % (sizeof bytes - 1)];
        }
        Arena *own = arena_new();
        Profile profile = profile_new(own, "file"), again = profile_new(own, "again");
        const char *wrong = profile_parse(&profile, mutant, size - 1 - (size_t)(i % 3));
        if (wrong) {
            assert_memory_equal(wrong, "file:", strlen("file:"));
        } else {
            Text text = text_new(own), same = text_new(own);
            profile_text(&profile, &text);
            assert_null(profile_parse(&again, text.data, text.length));
            profile_text(&again, &same);
            assert_string_equal(same.data, text.data);
            for (size_t k = 0; k < profile.kernels.count; k++)
                (void)launched_of(own, profile.kernels.item[k]);
            taken++;
        }
        arena_free(own);
    }
    assert_true(taken > MUTANTS / 100);
}

static void test_mutants(void **state)
{
    (void)state;
    mutate(whole, sizeof whole);
}

static void test_later_mutants(void **state)
{
    (void)state;
    mutate(later, sizeof later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_normal_form, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_refused, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_find, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_names, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_decisions, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_merge, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_merge_ranges, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_launched, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_mutants, arena_open, arena_close),
        cmocka_unit_test_setup_teardown(test_later_mutants, arena_open, arena_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
