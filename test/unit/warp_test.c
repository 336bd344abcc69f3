/* The figures of a warp against known values, and against a count of every byte. */
#include "unit.h"
#include "analysis/address/warp.h"

#include <string.h>

static Warp warp_of(int64_t start, int64_t stride, int lanes)
{
    Warp warp = {.lanes = lanes};
    for (int i = 0; i < lanes; i++) {
        warp.lane[i] = i;
        warp.at[i] = start + stride * i;
    }
    return warp;
}

/* ---- known values ---- */

static void test_sectors(void **state)
{
    (void)state;
    static const struct {
        int64_t start, stride;
        int bytes, sectors, lines, ideal;
    } cases[] = {
        {0, 4, 4, 4, 1, 4},    {0, 8, 8, 8, 2, 8},     {0, 16, 16, 16, 4, 16},   {4, 4, 4, 5, 2, 4},    {0, 8, 4, 8, 2, 4},
        {0, 12, 4, 12, 3, 4},  {0, 32, 4, 32, 8, 4},   {0, 128, 4, 32, 32, 4},   {0, 0, 4, 1, 1, 1},    {30, 0, 4, 2, 1, 1},
        {126, 0, 4, 2, 2, 1},  {0, 1, 1, 1, 1, 1},     {0, 2, 2, 2, 1, 2},       {-128, 4, 4, 4, 1, 4}, {-4, 4, 4, 5, 2, 4},
        {124, -4, 4, 4, 1, 4}, {-136, -4, 4, 5, 2, 4}, {0, -1024, 4, 32, 32, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Warp warp = warp_of(cases[i].start, cases[i].stride, WARP_LANES);
        assert_int_equal(warp_sectors(&warp, cases[i].bytes), cases[i].sectors);
        assert_int_equal(warp_lines(&warp, cases[i].bytes), cases[i].lines);
        assert_int_equal(warp_ideal_sectors(&warp, cases[i].bytes), cases[i].ideal);
    }
}

static void test_banks(void **state)
{
    (void)state;
    static const struct {
        int64_t start, stride;
        int bytes, wavefronts, ideal, ways;
    } cases[] = {
        {0, 4, 4, 1, 1, 1},     {0, 0, 4, 1, 1, 1},    {0, 128, 4, 32, 1, 32},    {0, 8, 4, 2, 1, 2}, {0, 132, 4, 1, 1, 1},
        {0, 16, 4, 4, 1, 4},    {0, 8, 8, 2, 2, 1},    {0, 16, 16, 4, 4, 1},      {0, 1, 1, 1, 1, 1}, {0, 2, 2, 1, 1, 1},
        {0, 256, 8, 32, 2, 16}, {-128, 4, 4, 1, 1, 1}, {-256, 128, 4, 32, 1, 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Warp warp = warp_of(cases[i].start, cases[i].stride, WARP_LANES);
        assert_int_equal(warp_wavefronts(&warp, cases[i].bytes), cases[i].wavefronts);
        assert_int_equal(warp_ideal_wavefronts(&warp, cases[i].bytes), cases[i].ideal);
        assert_int_equal(warp_ways(&warp, cases[i].bytes), cases[i].ways);
    }
}

static void test_shape(void **state)
{
    (void)state;
    int64_t stride;
    Warp regular = warp_of(8, -12, WARP_LANES);
    assert_int_equal(warp_stride(&regular, &stride), STRIDE_REGULAR);
    assert_int_equal(stride, -12);
    assert_false(warp_is_dense(&regular, 4));
    assert_true(warp_is_dense(&regular, 12));

    Warp same = warp_of(64, 0, WARP_LANES);
    assert_int_equal(warp_stride(&same, &stride), STRIDE_REGULAR);
    assert_int_equal(stride, 0);
    assert_true(warp_is_dense(&same, 1));

    Warp rows = warp_of(0, 4, WARP_LANES); /* two rows of sixteen */
    for (int i = 16; i < WARP_LANES; i++)
        rows.at[i] += 4096;
    assert_int_equal(warp_stride(&rows, &stride), STRIDE_COMMON);
    assert_int_equal(stride, 4);
    assert_false(warp_is_dense(&rows, 4));

    Warp scattered = warp_of(0, 0, WARP_LANES);
    for (int i = 0; i < WARP_LANES; i++)
        scattered.at[i] = (int64_t)i * i * 40;
    assert_int_equal(warp_stride(&scattered, &stride), STRIDE_NONE);
}

static void test_one_lane(void **state)
{
    (void)state;
    Warp one = warp_of(100, 0, 1);
    assert_int_equal(warp_sectors(&one, 4), 1);
    assert_int_equal(warp_wavefronts(&one, 4), 1);
    assert_true(warp_is_dense(&one, 4));
}

/* ---- every byte counted ---- */

enum { MOST_BYTES = WARP_LANES * REQUEST_BYTES };

typedef struct {
    int64_t byte[MOST_BYTES];
    int count;
} Bytes;

static bool add_distinct(Bytes *set, int64_t value)
{
    for (int i = 0; i < set->count; i++)
        if (set->byte[i] == value)
            return false;
    set->byte[set->count++] = value;
    return true;
}

/* Moved far up, so that plain division is right for negative places: a multiple of every unit. */
static uint64_t block_of(int64_t address, int unit) { return ((uint64_t)address + (UINT64_C(1) << 62)) / (uint64_t)unit; }

static int count_units(const Warp *warp, int bytes, int unit)
{
    Bytes set = {.count = 0};
    for (int i = 0; i < warp->lanes; i++)
        for (int b = 0; b < bytes; b++)
            add_distinct(&set, (int64_t)block_of(warp->at[i] + b, unit));
    return set.count;
}

/* Wavefronts, and the worst of them in *ways: by threads of a pass, bank by bank. */
static int count_wavefronts(const Warp *warp, int bytes, int *ways)
{
    int passes = bytes > 8 ? 4 : bytes > 4 ? 2 : 1, sum = 0;
    *ways = 0;
    for (int pass = 0; pass < passes; pass++) {
        Bytes words = {.count = 0};
        int load[BANKS] = {0}, worst = 0;
        for (int i = 0; i < warp->lanes; i++)
            for (int b = 0; b < bytes && warp->lane[i] * passes / WARP_LANES == pass; b++) {
                uint64_t word = block_of(warp->at[i] + b, BANK_BYTES);
                if (add_distinct(&words, (int64_t)word) && ++load[word % BANKS] > worst)
                    worst = load[word % BANKS];
            }
        sum += worst;
        *ways = worst > *ways ? worst : *ways;
    }
    return sum;
}

static bool count_dense(const Warp *warp, int bytes)
{
    int64_t low = warp->at[0], high = low;
    for (int i = 0; i < warp->lanes; i++) {
        low = warp->at[i] < low ? warp->at[i] : low;
        high = warp->at[i] > high ? warp->at[i] : high;
    }
    return high - low + bytes == count_units(warp, bytes, 1);
}

static Warp warp_random(Random *random)
{
    static const int64_t reach[] = {16, 128, 512, 4096, 1 << 20};
    int64_t span = reach[random_below(random, 5)];
    int64_t start = random_below(random, 4096) - 2048, stride = random_below(random, 65) - 32;
    bool linear = random_chance(random, 2);
    int holes = random_chance(random, 2) ? random_below(random, 32) : 0;
    Warp warp = {0};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (random_below(random, 32) < holes && !(lane == 31 && warp.lanes == 0))
            continue;
        warp.lane[warp.lanes] = lane;
        warp.at[warp.lanes++] = start + (linear ? stride * lane : random_below(random, (int)span));
    }
    return warp;
}

static void test_every_byte(void **state)
{
    (void)state;
    enum { PATTERNS = 6000 };
    static const int widths[] = {1, 2, 3, 4, 8, 12, 16};
    Random random = {20260101};
    for (int i = 0; i < PATTERNS; i++) {
        Warp warp = warp_random(&random);
        int bytes = widths[random_below(&random, 7)], ways;
        assert_int_equal(warp_sectors(&warp, bytes), count_units(&warp, bytes, SECTOR_BYTES));
        assert_int_equal(warp_lines(&warp, bytes), count_units(&warp, bytes, LINE_BYTES));
        assert_int_equal(warp_ideal_sectors(&warp, bytes), (count_units(&warp, bytes, 1) + 31) / 32);
        assert_int_equal(warp_wavefronts(&warp, bytes), count_wavefronts(&warp, bytes, &ways));
        assert_int_equal(warp_ways(&warp, bytes), ways);
        assert_int_equal(warp_ideal_wavefronts(&warp, bytes), (count_units(&warp, bytes, BANK_BYTES) + 31) / 32);
        assert_int_equal(warp_is_dense(&warp, bytes), count_dense(&warp, bytes));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sectors),  cmocka_unit_test(test_banks),      cmocka_unit_test(test_shape),
        cmocka_unit_test(test_one_lane), cmocka_unit_test(test_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
