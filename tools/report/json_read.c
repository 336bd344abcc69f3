/* Rows from a report that --format=json wrote: what is no such report is told of by its line. */
#include <stdlib.h>
#include <string.h>

#include "pass/report/table.h"
#include "report.h"

typedef struct {
    Arena *arena;
    const char *start, *at; /* ends with a NUL */
    const char *wrong;      /* the first that was; all that read after it read nothing */
    Table *table;
} Json;

static void expect_failed(Json *json, const char *what)
{
    int line = 1;
    for (const char *c = json->start; c < json->at; c++)
        line += *c == '\n';
    if (!json->wrong)
        json->wrong = arena_text(json->arena, "no report of coalda-report --format=json: line %d: %s expected", line, what);
}

static char next(Json *json)
{
    json->at += strspn(json->at, " \t\r\n");
    return json->wrong ? 0 : *json->at;
}

static bool takes(Json *json, char c)
{
    bool there = next(json) == c && c;
    json->at += there;
    return there;
}

static void expect(Json *json, char c, const char *what)
{
    if (!takes(json, c))
        expect_failed(json, what);
}

/* ---- strings and numbers ---- */

static void put_code(Text *text, unsigned code)
{
    enum { ONE = 0x80, TWO = 0x800, TAIL = 0x3f, LEAD_TWO = 0xc0, LEAD_THREE = 0xe0, FOLLOWS = 0x80, SHIFT = 6 };
    char bytes[3];
    if (code < ONE) {
        bytes[0] = (char)code;
        text_put(text, bytes, 1);
    } else if (code < TWO) {
        bytes[0] = (char)(LEAD_TWO | code >> SHIFT);
        bytes[1] = (char)(FOLLOWS | (code & TAIL));
        text_put(text, bytes, 2);
    } else { /* halves of a pair stay halves: what we write has none */
        bytes[0] = (char)(LEAD_THREE | code >> 2 * SHIFT);
        bytes[1] = (char)(FOLLOWS | (code >> SHIFT & TAIL));
        bytes[2] = (char)(FOLLOWS | (code & TAIL));
        text_put(text, bytes, 3);
    }
}

static void read_code(Json *json, Text *text)
{
    enum { DIGITS = 4, HEXADECIMAL = 16 };
    char digits[DIGITS + 1] = {0};
    if (strspn(json->at, "0123456789abcdefABCDEF") < DIGITS) {
        expect_failed(json, "four hexadecimal digits");
        return;
    }
    memcpy(digits, json->at, DIGITS);
    json->at += DIGITS;
    unsigned code = (unsigned)strtoul(digits, NULL, HEXADECIMAL);
    put_code(text, code ? code : '?');
}

static void read_escape(Json *json, Text *text)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = *json->at;
    const char *name = c ? strchr(names, c) : NULL;
    json->at += c != 0;
    if (c == 'u')
        read_code(json, text);
    else if (name)
        text_put(text, &meant[name - names], 1);
    else
        expect_failed(json, "an escape");
}

static const char *read_string(Json *json)
{
    Text text = text_new(json->arena);
    expect(json, '"', "a string");
    while (!json->wrong) {
        size_t plain = strcspn(json->at, "\"\\\n");
        text_put(&text, json->at, plain);
        json->at += plain;
        if (*json->at == '"') {
            json->at++;
            break;
        }
        if (*json->at != '\\') {
            expect_failed(json, "the end of a string");
            break;
        }
        json->at++;
        read_escape(json, &text);
    }
    return text.data;
}

static const char *read_number(Json *json)
{
    size_t length = strspn(json->at, "-+.0123456789eE");
    const char *text = arena_copy(json->arena, json->at, length);
    if (!json_is_number(text))
        expect_failed(json, "a value");
    json->at += length;
    return text;
}

static bool takes_word(Json *json, const char *word)
{
    size_t length = strlen(word);
    bool there = strncmp(json->at, word, length) == 0;
    json->at += there ? length : 0;
    return there;
}

/* ---- what is no row ---- */

static void skip_value(Json *json, int depth);

static void skip_member(Json *json, char close, int depth)
{
    if (close == '}') {
        read_string(json);
        expect(json, ':', "':'");
    }
    skip_value(json, depth);
}

static void skip_value(Json *json, int depth)
{
    enum { DEEPEST = 64 };
    char open = next(json), close = open == '{' ? '}' : ']';
    if (open == '"')
        read_string(json);
    else if (open != '{' && open != '[') {
        if (!takes_word(json, "null") && !takes_word(json, "true") && !takes_word(json, "false"))
            read_number(json);
    } else if (depth > DEEPEST)
        expect_failed(json, "less depth");
    else {
        json->at++;
        if (takes(json, close))
            return;
        do
            skip_member(json, close, depth + 1);
        while (takes(json, ','));
        expect(json, close, close == '}' ? "',' or '}'" : "',' or ']'");
    }
}

/* ---- rows ---- */

static void read_cell(Json *json, Row *row)
{
    const char *key = read_string(json);
    RowField field = json->wrong ? ROW_FIELDS : row_field_of_key(key);
    expect(json, ':', "':'");
    char first = next(json);
    bool is_text = first == '"', is_number = first && strchr("-0123456789", first);
    if (field == ROW_FIELDS || (!is_text && !is_number))
        skip_value(json, 0); /* null is an empty cell */
    else
        row->cell[field] = (Cell){.text = is_text ? read_string(json) : read_number(json), .is_number = is_number};
}

static void read_row(Json *json)
{
    Row row = {0};
    expect(json, '{', "an access");
    do
        read_cell(json, &row);
    while (takes(json, ','));
    expect(json, '}', "',' or '}'");
    if (!row.cell[ROW_kernel].text || !row.cell[ROW_op].text)
        expect_failed(json, "an access with a kernel and an op");
    if (!json->wrong)
        table_add(json->table, &row);
}

static void read_accesses(Json *json)
{
    expect(json, '[', "a list of accesses");
    if (takes(json, ']'))
        return;
    do
        read_row(json);
    while (takes(json, ','));
    expect(json, ']', "',' or ']'");
}

const char *report_read_json(const char *text, Table *table)
{
    Json json = {.arena = table->arena, .start = text, .at = text, .table = table};
    bool any = false;
    expect(&json, '{', "'{'");
    do {
        const char *key = read_string(&json);
        bool is_accesses = !json.wrong && strcmp(key, "accesses") == 0;
        expect(&json, ':', "':'");
        if (is_accesses)
            read_accesses(&json);
        else
            skip_value(&json, 0);
        any |= is_accesses;
    } while (takes(&json, ','));
    expect(&json, '}', "',' or '}'");
    if (next(&json) || !any)
        expect_failed(&json, any ? "nothing more" : "\"accesses\"");
    return json.wrong;
}
