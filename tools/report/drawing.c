/* Which lane of a warp touches which sector, as a drawing in the page: of an access as the source has it, and of its request once rewritten. */
#include "drawing.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/address/warp.h"
#include "entries.h"
#include "report.h"

enum {
    STEP = 20,
    LEFT = 4,
    LANE_TOP = 18,
    LANE_SIZE = 16,
    SECTOR_TOP = 84,
    SECTOR_SIZE = 16,
    HEIGHT = 104,
    MOST_SECTORS = 2 * WARP_LANES
};

/* Where lane k begins, and how much it touches. */
typedef struct {
    double first, stride, bytes;
    int lanes;
    const char *says;
} Layout;

/* ---- what there is to draw ---- */

static bool has_word(const Row *row, RowField field, const char *word) { return strcmp(cell_text(row, field), word) == 0; }

static int lanes_of(const Row *row)
{
    double lanes = row_value(row, ROW_lanes, WARP_LANES);
    return lanes < 1 ? 1 : lanes > WARP_LANES ? WARP_LANES : (int)lanes;
}

/* A report that was written by hand may say anything: numbers of sectors have to be whole ones, and few of a lane. */
static bool can_be_drawn(const Layout *layout)
{
    static const double farthest = 1e15;
    return layout->bytes >= 1 && layout->bytes <= MOST_SECTORS * SECTOR_BYTES && layout->stride >= -farthest &&
           layout->stride <= farthest;
}

/* A stride that only run time knows is drawn as longer than a line, as the figures take it. */
static bool layout_before(const Row *row, Layout *layout)
{
    enum { LINE = 128 };
    bool has_stride = row->cell[ROW_stride].text != NULL, is_uniform = has_word(row, ROW_class, "uniform");
    if (!row->cell[ROW_ideal].text || !row->cell[ROW_sectors].text || (!has_stride && !is_uniform))
        return false;
    bool is_known = row->cell[ROW_stride].is_number;
    double stride = is_uniform ? 0 : is_known ? row_value(row, ROW_stride, 0) : LINE;
    double first = stride < 0 ? -stride * (lanes_of(row) - 1) : 0;
    *layout = (Layout){first, stride, row_value(row, ROW_bytes, 1), lanes_of(row),
                       is_known || is_uniform ? "" : ", which lie further apart than a line of 128 bytes"};
    return can_be_drawn(layout);
}

/* The bytes of a request, of those that make up the record. */
static double piece_of(const Row *row)
{
    enum { WIDEST = 16 };
    double record = row_value(row, ROW_record_bytes, 0), requests = row_value(row, ROW_requests_rewritten, 0);
    double piece = row_value(row, ROW_bytes, 4);
    while (piece < WIDEST && requests > 0 && piece * requests < record)
        piece *= 2;
    return piece;
}

/* Each thread keeps its record, and reads it in fewer pieces. */
static bool layout_widened(const Row *row, Layout *layout)
{
    if (!has_word(row, ROW_action, "widen") || !layout_before(row, layout) || piece_of(row) <= layout->bytes)
        return false;
    layout->bytes = piece_of(row);
    layout->says = ", one request of the wider ones";
    return true;
}

/* Records that the warp moves together are read from their first byte on, a piece for each lane; threads that have changed places, and
 * blocks of rows, lie side by side as well. */
static bool layout_after(const Row *row, Layout *layout)
{
    bool turns = has_word(row, ROW_action, "turn");
    bool moves = has_word(row, ROW_action, "exchange") || has_word(row, ROW_action, "copy");
    if (layout_widened(row, layout))
        return true;
    if ((!turns && !moves) || !row->cell[ROW_sectors].text)
        return false;
    double piece = moves ? piece_of(row) : row_value(row, ROW_bytes, 4);
    *layout = (Layout){0, piece, piece, WARP_LANES, moves ? ", one request of those that move the warp's records" : ""};
    return can_be_drawn(layout);
}

/* ---- sectors ---- */

typedef struct {
    long number[MOST_SECTORS]; /* in the order of their addresses */
    int count;
} Sectors;

static long first_sector(const Layout *layout, int lane) { return (long)(layout->first + lane * layout->stride) / SECTOR_BYTES; }

static long last_sector(const Layout *layout, int lane)
{
    return (long)(layout->first + lane * layout->stride + layout->bytes - 1) / SECTOR_BYTES;
}

static int compare_numbers(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

static Sectors sectors_of(const Layout *layout)
{
    Sectors sectors = {.count = 0};
    for (int lane = 0; lane < layout->lanes; lane++)
        for (long i = first_sector(layout, lane); i <= last_sector(layout, lane); i++) {
            bool known = false;
            for (int j = 0; j < sectors.count; j++)
                known |= sectors.number[j] == i;
            if (!known && sectors.count < MOST_SECTORS)
                sectors.number[sectors.count++] = i;
        }
    qsort(sectors.number, (size_t)sectors.count, sizeof *sectors.number, compare_numbers);
    return sectors;
}

static int place_of(const Sectors *sectors, long number)
{
    int place = 0;
    while (place < sectors->count && sectors->number[place] != number)
        place++;
    return place;
}

/* Bytes of the sector that some lane asks for. */
static int bytes_touched(const Layout *layout, long sector)
{
    bool touched[SECTOR_BYTES] = {false};
    int count = 0;
    for (int lane = 0; lane < layout->lanes; lane++) {
        double from = layout->first + lane * layout->stride - (double)sector * SECTOR_BYTES;
        for (int i = 0; i < SECTOR_BYTES; i++)
            touched[i] |= i >= from && i < from + layout->bytes;
    }
    for (int i = 0; i < SECTOR_BYTES; i++)
        count += touched[i];
    return count;
}

/* ---- the drawing ---- */

static void draw_lines(FILE *out, const Layout *layout, const Sectors *sectors, double step)
{
    for (int lane = 0; lane < layout->lanes; lane++)
        for (long i = first_sector(layout, lane); i <= last_sector(layout, lane); i++) {
            int place = place_of(sectors, i);
            if (place < sectors->count)
                fprintf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", LEFT + lane * STEP + LANE_SIZE / 2,
                        LANE_TOP + LANE_SIZE, LEFT + (place + .5) * step, SECTOR_TOP);
        }
}

/* As full as it is asked for. */
static void draw_sectors(FILE *out, const Layout *layout, const Sectors *sectors, double step)
{
    for (int i = 0; i < sectors->count; i++) {
        double width = step - 2 < STEP - 4 ? step - 2 : STEP - 4, x = LEFT + (i + .5) * step - width / 2;
        double full = SECTOR_SIZE * (double)bytes_touched(layout, sectors->number[i]) / SECTOR_BYTES;
        fprintf(out, "<rect class=\"vain\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>", x, SECTOR_TOP, width, SECTOR_SIZE);
        fprintf(out, "<rect class=\"used\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x,
                SECTOR_TOP + SECTOR_SIZE - full, width, full);
    }
}

/* What the eye takes from the drawing. */
static void describe(FILE *out, const Layout *layout, const Sectors *sectors)
{
    int asked = 0;
    for (int i = 0; i < sectors->count; i++)
        asked += bytes_touched(layout, sectors->number[i]);
    fprintf(out,
            "<desc>A line from each lane to each sector that it touches; neighbours are %g bytes apart. %d of %d bytes are asked "
            "for.</desc>",
            layout->stride, asked, sectors->count * SECTOR_BYTES);
}

static void draw(FILE *out, const char *when, const Layout *layout)
{
    const Sectors sectors = sectors_of(layout);
    int width = 2 * LEFT + WARP_LANES * STEP;
    double step = sectors.count > WARP_LANES ? (double)WARP_LANES * STEP / sectors.count : STEP;
    fprintf(out, "<figure><figcaption>%s: %d lane%s, %g byte%s each, %d sector%s%s</figcaption>", when, layout->lanes,
            layout->lanes == 1 ? "" : "s", layout->bytes, layout->bytes == 1 ? "" : "s", sectors.count,
            sectors.count == 1 ? "" : "s", layout->says);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s: %d lane%s of a warp touch%s %d sector%s of 32 bytes</title>",
            width, HEIGHT, when, layout->lanes, layout->lanes == 1 ? "" : "s", layout->lanes == 1 ? "es" : "", sectors.count,
            sectors.count == 1 ? "" : "s");
    describe(out, layout, &sectors);
    fprintf(out, "<text x=\"%d\" y=\"12\">lanes</text>", LEFT);
    draw_lines(out, layout, &sectors, step);
    for (int lane = 0; lane < layout->lanes; lane++)
        fprintf(out, "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", LEFT + lane * STEP, LANE_TOP, LANE_SIZE,
                LANE_SIZE);
    draw_sectors(out, layout, &sectors, step);
    fputs("</svg></figure>", out);
}

void drawing_print(FILE *out, const Row *row)
{
    Layout before, after;
    if (!layout_before(row, &before))
        return;
    fputs("<details><summary>lanes and sectors<span class=\"unseen\"> of the ", out);
    html_text(out, cell_text(row, ROW_op));
    fputs(" in line ", out);
    html_text(out, cell_text(row, ROW_line));
    fputs("</span></summary>", out);
    draw(out, "as written", &before);
    if (layout_after(row, &after))
        draw(out, "rewritten", &after);
    fputs("</details>", out);
}
