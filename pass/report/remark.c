/* What the user is told of each access: one sentence, and the row of the report as arguments. */
#include <stdlib.h>

#include "analysis/explain/explain.h"
#include "analysis/plan/plan.h"
#include "analysis/reductions/reductions.h"
#include "analysis/tally/tally.h"
#include "analysis/walks/walks.h"
#include "pass/report/remark.h"
#include "pass/report/sentence.h"

/* ---- rows ---- */

static void text_or_nothing(Row *row, RowField field, const char *text)
{
    if (text && *text)
        row_text(row, field, text);
}

static void row_place(Row *row, const Access *access)
{
    Arena *arena = access->scope->kernel->arena;
    Location location = location_of(access->scope, access->instruction);
    size_t length;
    row_text(row, ROW_kernel, access->scope->kernel->name);
    row_text(row, ROW_arch, arena_text(arena, "sm_%d", access->scope->kernel->options.arch));
    row_text(row, ROW_function, LLVMGetValueName2(access->scope->function, &length));
    if (!location.line)
        return;
    row_text(row, ROW_file, location.file);
    text_or_nothing(row, ROW_directory, location.directory);
    row_number(row, arena, ROW_line, location.line);
    row_number(row, arena, ROW_column, location.column);
}

static bool in_sectors(const Access *access) { return access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC; }

static const char *assumptions(Arena *arena, unsigned assumes)
{
    static const char *const names[] = {
#define X(flag, name, sentence) name,
        ASSUMPTIONS(X)
#undef X
    };
    Text text = text_new(arena);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (assumes >> i & 1)
            text_add(&text, "%s%s", text.length ? " " : "", names[i]);
    return text.data;
}

static void row_figures(Row *row, const Access *access)
{
    Arena *arena = access->scope->kernel->arena;
    const Figure *figure = &access->figure;
    row_number(row, arena, ROW_requests, figure->requests);
    row_number(row, arena, ROW_lanes, figure->lanes);
    if (in_sectors(access)) {
        if (figure->known) {
            row_number(row, arena, ROW_sectors, figure->sectors);
            row_number(row, arena, ROW_lines, figure->lines);
        }
        row_number(row, arena, ROW_sectors_min, figure->sectors_min);
        row_number(row, arena, ROW_sectors_max, figure->sectors_max);
        row_number(row, arena, ROW_ideal, figure->ideal);
    } else if (access->space == SPACE_SHARED && figure->known && figure->banks_known) {
        row_number(row, arena, ROW_ways, figure->ways);
        row_number(row, arena, ROW_wavefronts, figure->wavefronts);
    }
    text_or_nothing(row, ROW_assumes, assumptions(arena, figure->assumes));
}

static void row_shape(Row *row, const Access *access)
{
    Arena *arena = access->scope->kernel->arena;
    int64_t stride;
    if (access->stride && form_is_constant(access->stride, &stride))
        row_number(row, arena, ROW_stride, (double)stride);
    else if (access->stride)
        row_text(row, ROW_stride, form_text(arena, access->stride));
    if (access->kind == CLASS_WALK)
        row_number(row, arena, ROW_step, (double)access->step);
    row_number(row, arena, ROW_offset, (double)access->address->constant);
    row_number(row, arena, ROW_depth, access->depth);
    if (access->record && access->kind != CLASS_UNIFORM) {
        row_number(row, arena, ROW_record_bytes, (double)access->record->bytes);
        row_number(row, arena, ROW_record_members, access->record->members);
    }
    if (access->tile)
        row_number(row, arena, ROW_tile_line, location_of(access->tile->scope, access->tile->at).line);
}

/* Of a copy to shared memory: why its loop waits for it. */
static void row_staging(Row *row, const Access *access)
{
    const Kernel *kernel = access->scope->kernel;
    const Ring *ring = access->tile ? access->tile->ring : NULL;
    if (ring && ring->why && !ring->made) {
        row_text(row, ROW_tile_refusal, why_text(ring->why)->name);
        text_or_nothing(row, ROW_tile_obstacle, obstacle_text(access->tile->scope, ring->obstacle, access->tile->at));
    }
    for (size_t i = 0; i < kernel->found.fills.count; i++) {
        const Fill *fill = kernel->found.fills.item[i];
        if (fill->at != access->instruction || !fill->why)
            continue;
        row_text(row, ROW_tile_refusal, why_text(fill->why)->name);
        text_or_nothing(row, ROW_tile_obstacle, obstacle_text(kernel->scope, fill->obstacle, fill->at));
    }
}

static Action action_of(const Access *access)
{
    if (access->turned)
        return ACTION_TURN;
    if (access->added && addition_is_joined(access->added, access->instruction))
        return ACTION_ADD;
    if (ir_is_marked(access->instruction, TALLY_METADATA))
        return ACTION_KEEP;
    return access->block ? ACTION_EXCHANGE : access->group ? access->group->choice.action : ACTION_NONE;
}

static double shared_out(const Group *group, const Access *access)
{
    double bytes = 0;
    for (size_t i = 0; i < group->members.count; i++)
        bytes += member_at(group, i)->access->bytes;
    return group->cost.sectors * access->bytes / bytes;
}

/* Of an access that moves with the iterations after it, what is its own of the whole sectors that they share, and with it the others of its
 * record: what an unrolled loop reads of a row. */
static double sectors_of_row(const Access *access)
{
    const Figure *figure = &access->figure;
    int members = access->record && access->record->members > 0 ? access->record->members : 1;
    double own = figure->lanes * (double)magnitude(access->step) / SECTOR_BYTES / members;
    return own < figure->ideal ? figure->ideal : own < figure->sectors ? own : figure->sectors;
}

static double sectors_after(const Access *access)
{
    if (access->turned)
        return access->turned->figure.sectors;
    if (access->why == WHY_HANDED_ON)
        return 0;
    if (access->block)
        return sectors_of_row(access);
    bool moves = access->group && access->group->choice.action && access->group->cost.sectors > 0;
    return moves ? shared_out(access->group, access) : access->figure.sectors;
}

static void row_plan(Row *row, const Access *access)
{
    Arena *arena = access->scope->kernel->arena;
    const Group *group = access->group;
    row_text(row, ROW_action, action_text(action_of(access)));
    if (in_sectors(access) && access->figure.known)
        row_number(row, arena, ROW_sectors_after, sectors_after(access));
    if (access->turned && in_sectors(access))
        row_number(row, arena, ROW_sectors_rewritten, access->turned->figure.sectors);
    if (access->refusal)
        row_text(row, ROW_refusal, why_text(access->refusal)->name);
    if (!group || (!group->choice.action && !group->choice.why))
        return;
    row_number(row, arena, ROW_group, group->number);
    if (group->cost.plain > 0) {
        row_number(row, arena, ROW_cost, group->cost.plain);
        row_number(row, arena, ROW_cost_rewritten, group->cost.rewritten);
        row_number(row, arena, ROW_requests_rewritten, group->cost.requests);
        row_number(row, arena, ROW_sectors_rewritten, group->cost.sectors);
    }
}

Row row_of_access(const Access *access)
{
    Row row = {0};
    row_place(&row, access);
    row_text(&row, ROW_op, op_text(access->op));
    row_text(&row, ROW_space, space_text(access->space));
    row_number(&row, access->scope->kernel->arena, ROW_bytes, access->bytes);
    row_text(&row, ROW_class, class_text(access->kind));
    row_shape(&row, access);
    row_staging(&row, access);
    row_figures(&row, access);
    row_plan(&row, access);
    row_text(&row, ROW_reason, why_text(access->why)->name);
    text_or_nothing(&row, ROW_remedy, why_text(access->why)->remedy);
    row_text(&row, ROW_address, form_text(access->scope->kernel->arena, access->address));
    return row;
}

/* ---- sentences ---- */

static void say_figures(Sentence *sentence, const Row *row)
{
    Arena *arena = sentence->arena;
    const Cell *cell = row->cell;
    if (cell[ROW_sectors].text)
        say(sentence, SAY_NEEDED,
            arena_text(arena, ": %s sectors where %s would do", cell[ROW_sectors].text, cell[ROW_ideal].text));
    else if (cell[ROW_ideal].text)
        say(sentence, SAY_NEEDED,
            arena_text(arena, ": between %s and %s sectors, %s at best", cell[ROW_sectors_min].text, cell[ROW_sectors_max].text,
                       cell[ROW_ideal].text));
    else if (cell[ROW_ways].text)
        say(sentence, SAY_NEEDED, arena_text(arena, ": %s-way in its bank", cell[ROW_ways].text));
}

bool figure_is_wasteful(const Figure *figure)
{
    const double least = 1.5;
    return figure->ideal > 0 && figure->sectors >= least * figure->ideal;
}

static void say_remedy(Sentence *sentence, SayRank rank, const char *lead, const char *remedy)
{
    if (*remedy)
        say(sentence, rank, arena_text(sentence->arena, "; %s%s", lead, remedy));
}

/* `where` is what stands in the way; "" where nobody knows. */
static void say_refusal(Sentence *sentence, const char *what, Why why, const char *where)
{
    say(sentence, SAY_NEEDED, arena_text(sentence->arena, "; %s: %s", what, why_text(why)->sentence));
    if (*where)
        say(sentence, SAY_WHERE, arena_text(sentence->arena, ": %s", where));
}

static const char *obstacle_of(const Access *access)
{
    LLVMValueRef obstacle = access->added ? access->added->obstacle : NULL;
    return obstacle ? obstacle_text(access->scope, obstacle, access->instruction) : "";
}

/* No advice where nothing is lost. Where two things would help, the one that the rewrite waits for comes first. */
static void say_refusal_of(Sentence *sentence, const Access *access)
{
    const char *remedy = why_text(access->why)->remedy, *first = why_text(access->refusal)->remedy;
    if (action_of(access) != ACTION_NONE) {
        say_refusal(sentence, "rewritten, but not held in registers", access->refusal, obstacle_of(access));
        say_remedy(sentence, SAY_REMEDY, "", first);
        return;
    }
    say_refusal(sentence, "not rewritten", access->refusal, obstacle_of(access));
    if (!*remedy && !access->added)
        return;
    say_remedy(sentence, SAY_REMEDY, "", *first ? first : remedy);
    say_remedy(sentence, SAY_MORE, "or ", *first ? remedy : "");
}

static bool is_held(const Access *access)
{
    const Reuse *reuse = access->block ? access->block->reuse : NULL;
    return ir_is_marked(access->instruction, REUSE_METADATA) || (reuse && !reuse->why && reuse_has(reuse, access));
}

static void say_shelf(Sentence *sentence, const Shelf *shelf)
{
    say(sentence, SAY_DETAIL, ", a block of the row ahead, in shared memory of each warp");
    if (!shelf->sized)
        say(sentence, SAY_REMEDY,
            arena_text(sentence->arena, "; for blocks of more than %d threads: __launch_bounds__", shelf->warps * WARP_LANES));
}

static void say_plan(Sentence *sentence, const Row *row, const Access *access)
{
    Arena *arena = sentence->arena;
    const WhyText *why = why_text(access->why);
    if (access->refusal) {
        say_refusal_of(sentence, access);
    } else {
        say(sentence, SAY_NEEDED, arena_text(arena, "; %s", why->sentence));
        say_remedy(sentence, SAY_REMEDY, "", why->remedy);
    }
    if (row->cell[ROW_sectors_rewritten].text && access->turned)
        say(sentence, SAY_DETAIL, arena_text(arena, " (%s sectors then)", row->cell[ROW_sectors_rewritten].text));
    if (action_of(access) == ACTION_KEEP)
        say(sentence, SAY_NEEDED, "; rewritten: a register holds it while the loop runs, unless a test on entry says no");
    if (is_held(access))
        say(sentence, SAY_MORE, ", and are held in registers");
    if (access->block)
        say(sentence, SAY_DETAIL, arena_text(arena, ", %d iterations of the loop at a time", access->block->factor[0]));
    if (access->group && access->group->choice.shelf)
        say_shelf(sentence, access->group->choice.shelf);
}

/* Longer ones, products of what only run time knows, are an argument of the remark. */
static bool is_readable(const char *stride)
{
    enum { MOST = 24 };
    return stride && strlen(stride) <= MOST;
}

/* `row` has the figures of all fields of a record that the sentence is of, `offsets` where they lie. */
static Sentence access_said(const Access *access, const Row *row, int fields, const char *offsets)
{
    Arena *arena = access->scope->kernel->arena;
    Sentence sentence = sentence_new(arena);
    const char *bytes = row->cell[ROW_bytes].text, *many = fields > 1 ? arena_text(arena, "%d ", fields) : "";
    bool in_all = row_value(row, ROW_bytes, 0) > access->bytes;
    say(&sentence, SAY_NEEDED,
        arena_text(arena, "%s%s%s of %s byte%s%s", many, op_text(access->op), fields > 1 ? "s" : "", bytes,
                   strcmp(bytes, "1") == 0 ? "" : "s", in_all ? " in all" : ""));
    say(&sentence, access->space == SPACE_GLOBAL ? SAY_LEAST : SAY_NEEDED,
        arena_text(arena, " in %s memory", space_text(access->space)));
    say(&sentence, SAY_NEEDED, arena_text(arena, ", %s", class_text(access->kind)));
    if (is_readable(row->cell[ROW_stride].text) && access->kind != CLASS_UNIFORM)
        say(&sentence, SAY_NEEDED, arena_text(arena, " with stride %s", row->cell[ROW_stride].text));
    if (access->record && access->kind != CLASS_UNIFORM && !access->block)
        say(&sentence, SAY_DETAIL, arena_text(arena, " (%s in a record of %s bytes)", offsets, row->cell[ROW_record_bytes].text));
    say_figures(&sentence, row);
    say_plan(&sentence, row, access);
    return sentence;
}

static const char *offsets_of(const Told *told)
{
    enum { MOST = 8 };
    Arena *arena = told->fields.arena;
    Text text = text_new(arena);
    text_add(&text, "offset%s ", told->fields.count > 1 ? "s" : "");
    for (size_t i = 0; i < told->fields.count && i < MOST; i++) {
        const Access *access = told->fields.item[i];
        text_add(&text, "%s%lld", i ? ", " : "",
                 (long long)(access->record ? access->address->constant - access->record->offset : access->address->constant));
    }
    if (told->fields.count > MOST)
        text_add(&text, ", ...");
    return text.data;
}

static double bytes_of(const Told *told)
{
    double bytes = 0;
    for (size_t i = 0; i < told->fields.count; i++)
        bytes += ((const Access *)told->fields.item[i])->bytes;
    return bytes;
}

static bool are_of_one_size(const Told *told)
{
    return bytes_of(told) == (double)told->fields.count * ((const Access *)told->fields.item[0])->bytes;
}

/* The row of the first, with the figures of all. Bytes are those of each, where they are alike. */
static Row row_of_all(const Told *told)
{
    static const RowField sums[] = {ROW_sectors, ROW_sectors_min, ROW_sectors_max, ROW_ideal};
    Arena *arena = told->fields.arena;
    Row all = row_of_access(told->fields.item[0]);
    if (!are_of_one_size(told))
        row_number(&all, arena, ROW_bytes, bytes_of(told));
    for (size_t i = 1; i < told->fields.count; i++) {
        const Row row = row_of_access(told->fields.item[i]);
        for (size_t j = 0; j < sizeof sums / sizeof *sums; j++)
            if (all.cell[sums[j]].text)
                row_number(&all, arena, sums[j], row_value(&all, sums[j], 0) + row_value(&row, sums[j], 0));
    }
    return all;
}

static Sentence told_said(const Told *told)
{
    const Row row = row_of_all(told);
    return access_said(told->fields.item[0], &row, (int)told->fields.count, offsets_of(told));
}

const char *told_sentence(const Told *told)
{
    const Sentence sentence = told_said(told);
    return sentence_text(&sentence);
}

/* A ring's own words: the first clause says most. */
static void say_ring(Sentence *sentence, const char *text)
{
    const char *end;
    for (SayRank rank = SAY_NEEDED; *text; text = end, rank = SAY_DETAIL) {
        end = text + 1 + strcspn(text + 1, ",;");
        say(sentence, rank, arena_copy(sentence->arena, text, (size_t)(end - text)));
    }
}

static void say_nor(Sentence *sentence, const Tile *tile, const Ring *nor)
{
    const WhyText *why = why_text(nor->why);
    const char *where = obstacle_text(tile->scope, nor->obstacle, tile->at);
    say(sentence, SAY_MORE,
        arena_text(sentence->arena, "; nor held in registers: %s%s%s%s%s", why->sentence, *where ? ": " : "", where,
                   *why->remedy ? "; " : "", why->remedy));
}

static Sentence tile_said(Arena *arena, const Tile *tile)
{
    Sentence sentence = sentence_new(arena);
    const Ring *ring = tile->ring;
    say(&sentence, SAY_NEEDED, "loop stages global memory in shared memory");
    if (ring && (ring->made || !ring->why)) {
        say_ring(&sentence, arena_text(arena, "; %s", ring->made ? ring->made->text : ring_text(ring)));
        return sentence;
    }
    say(&sentence, SAY_DETAIL, arena_text(arena, " between barriers: %s", tile_facts(arena, tile)));
    if (!ring)
        return sentence;
    say_refusal(&sentence, "not rewritten", ring->why, obstacle_text(tile->scope, ring->obstacle, tile->at));
    say_remedy(&sentence, SAY_REMEDY, "", why_text(ring->why)->remedy);
    if (ring->nor)
        say_nor(&sentence, tile, ring->nor);
    return sentence;
}

const char *tile_sentence(Arena *arena, const Tile *tile)
{
    const Sentence sentence = tile_said(arena, tile);
    return sentence_text(&sentence);
}

static Sentence fill_said(const Kernel *kernel, const Fill *fill)
{
    Sentence sentence = sentence_new(kernel->arena);
    if (fill->once) {
        say(&sentence, SAY_NEEDED,
            "loop stages global memory in shared memory, the same in every iteration; rewritten: this is done "
            "once, in front of the loop");
        return sentence;
    }
    say(&sentence, SAY_NEEDED, "a loop fills shared memory from global memory");
    say(&sentence, SAY_DETAIL, ", and waits for each element");
    if (!fill->why) {
        say(&sentence, SAY_NEEDED, "; rewritten: asynchronous copies, which are all under way at once");
        return sentence;
    }
    say_refusal(&sentence, "not rewritten", fill->why, obstacle_text(kernel->scope, fill->obstacle, fill->at));
    say_remedy(&sentence, SAY_REMEDY, "", why_text(fill->why)->remedy);
    return sentence;
}

const char *fill_sentence(const Kernel *kernel, const Fill *fill)
{
    const Sentence sentence = fill_said(kernel, fill);
    return sentence_text(&sentence);
}

/* ---- remarks ---- */

typedef struct {
    IrRemarkKind kind;
    LLVMValueRef at;
    LLVMMetadataRef where;
    const char *name;
    bool is_silent; /* for the file of remarks alone */
} Remark;

bool access_is_rewritten(const Access *access) { return action_of(access) != ACTION_NONE || access->why == WHY_JAMMED; }

static IrRemarkKind kind_of(const Access *access)
{
    return access_is_rewritten(access) ? REMARK_PASSED : access->refusal ? REMARK_MISSED : REMARK_ANALYSIS;
}

enum { MOST_PARTS = ROW_FIELDS + 1 };

/* What the sentence has no room for is one more argument. */
static void remark(const Remark *remark, const Sentence *sentence, const IrRemarkPart *given, size_t count)
{
    IrRemarkPart parts[MOST_PARTS];
    const char *rest = sentence_rest(sentence);
    INVARIANT(count < MOST_PARTS);
    memcpy(parts, given, count * sizeof *given);
    if (*rest)
        parts[count++] = (IrRemarkPart){"Rest", rest};
    (remark->is_silent ? ir_remark_filed : ir_remark)(remark->kind, remark->at, remark->where, remark->name,
                                                      sentence_text(sentence), parts, count);
}

static void remark_access(const Access *access, const Sentence *sentence, bool is_silent)
{
    Row row = row_of_access(access);
    IrRemarkPart parts[ROW_FIELDS];
    size_t count = 0;
    for (int i = 0; i < ROW_FIELDS; i++)
        if (row.cell[i].text)
            parts[count++] = (IrRemarkPart){row_remark_key((RowField)i), row.cell[i].text};
    const Remark about = {kind_of(access), access->instruction, location_of(access->scope, access->instruction).metadata,
                          why_text(access->why)->name, is_silent};
    remark(&about, sentence, parts, count);
}

/* Copies that were made of an access of the source are told once, where there is the same to say. */
static bool is_said(Map *of_place, const Access *access, const char *sentence)
{
    const LLVMMetadataRef place = location_of(access->scope, access->instruction).metadata;
    const List *said = place ? map_get(of_place, place) : NULL;
    for (size_t i = 0; said && i < said->count; i++)
        if (strcmp(said->item[i], sentence) == 0)
            return true;
    if (place)
        map_add(of_place, place, (void *)sentence);
    return false;
}

/* One sentence for the fields of a record; the file of remarks has them all. */
static void remark_told(Map *of_place, const Told *told)
{
    const Sentence sentence = told_said(told);
    remark_access(told->fields.item[0], &sentence, is_said(of_place, told->fields.item[0], sentence_text(&sentence)));
    for (size_t i = 1; i < told->fields.count; i++) {
        const Access *access = told->fields.item[i];
        const Told alone = told_alone(access);
        const Sentence own = told_said(&alone);
        remark_access(access, &own, true);
    }
}

static Resident resident_of(const Ring *ring)
{
    return !ring ? (Resident){0} : ring->made ? ring->made->resident : ring->why ? (Resident){0} : ring->choice.resident;
}

static void remark_tile(const Kernel *kernel, const Tile *tile)
{
    enum { OF_RESIDENT = 2 };
    Arena *arena = kernel->arena;
    Resident resident = resident_of(tile->ring);
    const IrRemarkPart parts[] = {
        {"Kernel", kernel->name},
        {"Copies", arena_text(arena, "%d", tile->copies)},
        {"Converting", arena_text(arena, "%d", tile->converting)},
        {"Barriers", arena_text(arena, "%d", tile->barriers)},
        {"Trips", arena_text(arena, "%lld", (long long)tile->trips)},
        {"Refusal", tile->ring && !tile->ring->made ? why_text(tile->ring->why)->name : "None"},
        {"Obstacle", tile->ring ? obstacle_text(tile->scope, tile->ring->obstacle, tile->at) : ""},
        {"ResidentBefore", arena_text(arena, "%d", resident.before)},
        {"ResidentAfter", arena_text(arena, "%d", resident.after)},
    };
    IrRemarkKind kind = !tile->ring ? REMARK_ANALYSIS : tile->ring->why && !tile->ring->made ? REMARK_MISSED : REMARK_PASSED;
    const Remark about = {kind, tile->at, location_of(tile->scope, tile->at).metadata, "TileLoop", false};
    const Sentence sentence = tile_said(arena, tile);
    remark(&about, &sentence, parts, sizeof parts / sizeof *parts - (resident.before ? 0 : OF_RESIDENT));
}

static void remark_fill(const Kernel *kernel, const Fill *fill)
{
    const IrRemarkPart parts[] = {{"Kernel", kernel->name},
                                  {"Refusal", why_text(fill->why)->name},
                                  {"Obstacle", obstacle_text(kernel->scope, fill->obstacle, fill->at)}};
    const Remark about = {fill->why ? REMARK_MISSED : REMARK_PASSED, fill->at, location_of(kernel->scope, fill->at).metadata,
                          "Filling", false};
    const Sentence sentence = fill_said(kernel, fill);
    remark(&about, &sentence, parts, sizeof parts / sizeof *parts);
}

void remark_emit(const Kernel *kernel)
{
    const List told = told_of(kernel, NULL);
    Map *of_place = map_new(kernel->arena);
    for (size_t i = 0; i < told.count; i++)
        remark_told(of_place, told.item[i]);
    for (size_t i = 0; i < kernel->found.tiles.count; i++)
        remark_tile(kernel, kernel->found.tiles.item[i]);
    for (size_t i = 0; i < kernel->found.fills.count; i++)
        remark_fill(kernel, kernel->found.fills.item[i]);
    remark_transfers(kernel);
}

const char *array_name(Arena *arena, LLVMValueRef array)
{
    static const char nothing[] = "void ";
    size_t length;
    char *readable = ir_demangled(LLVMGetValueName2(array, &length));
    char *scope = strrchr(readable, ':');
    const char *name = arena_copy(arena, readable, strlen(readable));
    if (scope && scope > readable) {
        const char *of = arena_copy(arena, readable, (size_t)(scope - 1 - readable));
        of += text_begins(of, nothing) ? strlen(nothing) : 0;
        name = arena_text(arena, "%.*s::%s", (int)strcspn(of, "<("), of, scope + 1);
    }
    free(readable);
    return name;
}

void remark_padding(const Kernel *kernel, const Padding *padding)
{
    Arena *arena = kernel->arena;
    long long row = padding->row, pad = padding->pad;
    long long more = padded_bytes(padding, row, pad) - padding->bytes;
    Sentence sentence = sentence_new(arena);
    say(&sentence, SAY_NEEDED, why_text(WHY_BANKS)->sentence);
    say(&sentence, SAY_NEEDED,
        arena_text(arena, "; rewritten: rows of %lld bytes in %s become %lld bytes longer", row, array_name(arena, padding->array),
                   pad));
    say(&sentence, SAY_DETAIL, arena_text(arena, ": %lld bytes more", more));
    say(&sentence, SAY_DETAIL, arena_text(arena, ", %.3g passes over the banks instead of %.3g", padding->after, padding->before));
    const IrRemarkPart parts[] = {
        {"Kernel", kernel->name},
        {"Row", arena_text(arena, "%lld", row)},
        {"Pad", arena_text(arena, "%lld", pad)},
        {"More", arena_text(arena, "%lld", more)},
    };
    const Remark about = {REMARK_PASSED, padding->at, location_of(kernel->scope, padding->at).metadata, "Padded", false};
    remark(&about, &sentence, parts, sizeof parts / sizeof *parts);
}

/* Of a loop whose loads wait: what was made of that, or why nothing was. */
static void remark_loads(const Kernel *kernel, LLVMValueRef at, const char *name, Sentence *sentence, Why why, const char *made,
                         int words, size_t tests)
{
    Arena *arena = kernel->arena;
    if (why)
        say_refusal(sentence, "left as it is", why, "");
    else
        say(sentence, SAY_NEEDED,
            arena_text(arena, "; rewritten: %s, %d word%s held in registers", made, words, words == 1 ? "" : "s"));
    if (why)
        say_remedy(sentence, SAY_REMEDY, "", why_text(why)->remedy);
    const IrRemarkPart parts[] = {{"Kernel", kernel->name},
                                  {"Words", arena_text(arena, "%d", words)},
                                  {"Tests", arena_text(arena, "%zu", tests)},
                                  {"Refusal", why ? why_text(why)->name : ""}};
    const Remark about = {why ? REMARK_MISSED : REMARK_PASSED, at, location_of(kernel->scope, at).metadata, name, false};
    remark(&about, sentence, parts, sizeof parts / sizeof *parts);
}

void remark_lookahead(const Kernel *kernel, const Lookahead *ahead)
{
    Sentence sentence = sentence_new(kernel->arena);
    LLVMValueRef at = ahead->why ? LLVMGetBasicBlockTerminator(ahead->latch) : ahead->loads.item[0];
    say(&sentence, SAY_NEEDED, "loop waits in every iteration for what it loads");
    remark_loads(kernel, at, "Ahead", &sentence, ahead->why,
                 arena_text(kernel->arena, "%s%zu load%s one iteration ahead",
                            ahead->beside ? "four iterations side by side, " : "", ahead->loads.count,
                            ahead->loads.count == 1 ? "" : "s"),
                 ahead->words, 0);
}

void remark_batch(const Kernel *kernel, const Batch *batch)
{
    Sentence sentence = sentence_new(kernel->arena);
    LLVMValueRef at = batch->why || !batch->loads.count ? LLVMGetBasicBlockTerminator(batch->latch) : batch->loads.item[0];
    say(&sentence, SAY_NEEDED, "loads of the loop wait for its stores");
    remark_loads(kernel, at, "Batch", &sentence, batch->why, arena_text(kernel->arena, "%zu loads come first", batch->loads.count),
                 batch->words, batch->tests.count);
}

void remark_sought(const Kernel *kernel, const SoughtRows *sought)
{
    Sentence sentence = sentence_new(kernel->arena);
    const SoughtRow *row = sought->rows.item[0];
    say(&sentence, SAY_NEEDED, "loop is left by what it loads of its rows");
    remark_loads(kernel, row->loads.item[0], "Sought", &sentence, WHY_NONE,
                 arena_text(kernel->arena, "pieces of %zu row%s for %d iteration%s are loaded at once", sought->rows.count,
                            sought->rows.count == 1 ? "" : "s", sought->iterations, sought->iterations == 1 ? "" : "s"),
                 sought->words, sought->rows.count);
}

static bool is_same_place(Location a, Location b)
{
    return a.line && a.line == b.line && a.column == b.column && strcmp(a.file, b.file) == 0;
}

static bool is_told_of(const Kernel *kernel, const List *copies, size_t number)
{
    Location location = location_of(kernel->scope, copies->item[number]);
    for (size_t i = 0; i < number; i++)
        if (is_same_place(location, location_of(kernel->scope, copies->item[i])))
            return true;
    return false;
}

void remark_unoptimized(Kernel *kernel)
{
    const WhyText *why = why_text(WHY_UNOPTIMIZED);
    const IrRemarkPart parts[] = {{"Kernel", kernel->name}, {"Refusal", why->name}};
    LLVMMetadataRef program = LLVMGetSubprogram(kernel->function), where = NULL;
    if (program)
        where = LLVMDIBuilderCreateDebugLocation(LLVMGetModuleContext(kernel->module), LLVMDISubprogramGetLine(program), 1, program,
                                                 NULL);
    ir_remark(REMARK_MISSED, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->function)), where, why->name,
              arena_text(kernel->arena, "%s %s; %s", name_said(kernel->arena, kernel->name), why->sentence, why->remedy), parts,
              sizeof parts / sizeof *parts);
}

/* What is wrong with the program's own copies, at their lines. */
static const struct {
    List (*find)(Kernel *kernel);
    Why why;
    const char *does, *what;
} wrong_copies[] = {
    {unawaited_find, WHY_COPY_UNAWAITED, "copies to shared memory asynchronously", "asynchronous copy to shared memory"},
    {refilled_find, WHY_COPY_REFILLED, "copies to shared memory asynchronously", "asynchronous copy to shared memory"},
    {idle_waits_find, WHY_COPY_IDLE, "waits for copies to shared memory", "wait for copies to shared memory"},
};
enum { WRONG_COPIES = sizeof wrong_copies / sizeof *wrong_copies };

void warn_copies(Kernel *kernel)
{
    for (size_t w = 0; w < WRONG_COPIES; w++) {
        const List copies = wrong_copies[w].find(kernel);
        const WhyText *why = why_text(wrong_copies[w].why);
        for (size_t i = 0; i < copies.count; i++)
            if (!is_told_of(kernel, &copies, i))
                ir_warning_at(kernel->function, location_of(kernel->scope, copies.item[i]).metadata,
                              arena_text(kernel->arena, "%s %s: %s; %s", name_said(kernel->arena, kernel->name),
                                         wrong_copies[w].does, why->sentence, why->remedy));
    }
}

void remark_copies(Kernel *kernel)
{
    for (size_t w = 0; w < WRONG_COPIES; w++) {
        const List copies = wrong_copies[w].find(kernel);
        const WhyText *why = why_text(wrong_copies[w].why);
        const IrRemarkPart parts[] = {{"Kernel", kernel->name}, {"Refusal", why->name}};
        for (size_t i = 0; i < copies.count; i++)
            if (!is_told_of(kernel, &copies, i))
                ir_remark(REMARK_MISSED, copies.item[i], location_of(kernel->scope, copies.item[i]).metadata, "Copying",
                          arena_text(kernel->arena, "%s: %s; %s", wrong_copies[w].what, why->sentence, why->remedy), parts,
                          sizeof parts / sizeof *parts);
    }
}
