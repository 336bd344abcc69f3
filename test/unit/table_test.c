/* Rows and the report's table: numbers, totals, order and text. */
#include <string.h>

#include "pass/report/table.h"
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

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{4, "4"}, {0, "0"}, {-12, "-12"}, {4.5, "4.5"}, {1.0 / 3, "0.333333"}, {123456789, "123456789"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Row row = {0};
        row_number(&row, arena, ROW_sectors, cases[i].value);
        assert_string_equal(row.cell[ROW_sectors].text, cases[i].text);
        assert_true(row.cell[ROW_sectors].is_number);
    }
    Row row = {0};
    assert_true(row_value(&row, ROW_line, -7) == -7);
    row_text(&row, ROW_stride, "4*n");
    assert_true(row_value(&row, ROW_stride, -7) == -7);
    row_number(&row, arena, ROW_line, 12);
    assert_true(row_value(&row, ROW_line, -7) == 12);
}

static void test_fields(void **state)
{
    (void)state;
    for (int i = 0; i < ROW_FIELDS; i++) {
        const char *key = row_remark_key((RowField)i);
        assert_int_equal(row_field_of_remark(key, strlen(key)), i);
        assert_true(strlen(row_key((RowField)i)) > 0 && strlen(row_meaning((RowField)i)) > 0);
    }
    assert_int_equal(row_field_of_remark("Nothing", 7), ROW_FIELDS);
    assert_int_equal(row_field_of_remark("", 0), ROW_FIELDS);
    assert_int_equal(row_field_of_remark("SectorsMinimum", 7), ROW_sectors);
}

/* sectors < 0: known only at run time. */
static void add(Table *table, const char *kernel, int line, double sectors, double ideal)
{
    Row row = {0};
    char name[16];
    strcpy(name, kernel);
    row_text(&row, ROW_kernel, name);
    row_text(&row, ROW_file, "/src/a.cu");
    row_number(&row, arena, ROW_line, line);
    row_number(&row, arena, ROW_column, 3);
    if (sectors >= 0)
        row_number(&row, arena, ROW_sectors, sectors);
    if (ideal >= 0)
        row_number(&row, arena, ROW_ideal, ideal);
    table_add(table, &row);
    memset(name, '?', sizeof name); /* the table has a copy */
}

static int line_of(const Table *table, size_t at) { return (int)row_value(table->rows.item[at], ROW_line, 0); }

static void test_order(void **state)
{
    (void)state;
    Table table = table_new(arena);
    add(&table, "good", 1, 4, 4);
    add(&table, "bad", 2, 8, 4);
    add(&table, "bad", 3, 32, 4);
    add(&table, "bad", 4, 8, 4);
    add(&table, "bad", 5, -1, 4);
    add(&table, "bad", 6, -1, -1);
    table_finish(&table);
    assert_int_equal(table.totals.count, 2);
    const Total *bad = table.totals.item[0], *good = table.totals.item[1];
    assert_string_equal(bad->kernel, "bad");
    assert_string_equal(good->kernel, "good");
    assert_int_equal(bad->accesses, 5);
    assert_int_equal(bad->unknown, 1);
    assert_int_equal(bad->count, 5);
    assert_true(bad->sectors == 48 && bad->ideal == 12 && total_ratio(bad) == 4);
    assert_true(total_ratio(good) == 1);
    static const int lines[] = {3, 2, 4, 5, 6, 1};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(line_of(&table, i), lines[i]);
    assert_int_equal(good->first, 5);
}

static void test_ratios(void **state)
{
    (void)state;
    Row row = {0};
    assert_true(row_ratio(&row) == 0);
    row_number(&row, arena, ROW_sectors, 32);
    assert_true(row_ratio(&row) == 0);
    row_number(&row, arena, ROW_ideal, 4);
    assert_true(row_ratio(&row) == 8);
    Total nothing = {0};
    assert_true(total_ratio(&nothing) == 1);
}

static void test_text(void **state)
{
    (void)state;
    Table table = table_new(arena);
    add(&table, "k", 7, 32, 4);
    add(&table, "k", 7, 32, 4); /* unrolled */
    add(&table, "k", 9, -1, 4);
    table_finish(&table);
    Text text = text_new(arena);
    table_text(&table, &text);
    assert_non_null(strstr(text.data, "k: 3 accesses, 64 sectors where 8 would do, ratio 8.00, 1 more known only at run time\n"));
    assert_non_null(strstr(text.data, "  a.cu:7:3 "));
    assert_non_null(strstr(text.data, " x2\n"));
    assert_non_null(strstr(text.data, "?"));
}

static void test_empty(void **state)
{
    (void)state;
    Table table = table_new(arena);
    Text text = text_new(arena);
    table_finish(&table);
    table_text(&table, &text);
    assert_string_equal(text.data, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_fields), cmocka_unit_test(test_order),
        cmocka_unit_test(test_ratios),  cmocka_unit_test(test_text),   cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, arena_open, arena_close);
}
