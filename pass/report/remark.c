/* What the user is told of each access: one sentence, and the row of the report as arguments. */
#include <stdlib.h>

#include "analysis/explain/explain.h"
#include "analysis/plan/plan.h"
#include "analysis/reductions/reductions.h"
#include "analysis/tally/tally.h"
#include "analysis/walks/walks.h"
#include "pass/report/remark.h"

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

static void say_figures(Text *text, const Row *row)
{
    const Cell *cell = row->cell;
    if (cell[ROW_sectors].text)
        text_add(text, ": %s sectors where %s would do", cell[ROW_sectors].text, cell[ROW_ideal].text);
    else if (cell[ROW_ideal].text)
        text_add(text, ": between %s and %s sectors, %s at best", cell[ROW_sectors_min].text, cell[ROW_sectors_max].text,
                 cell[ROW_ideal].text);
    else if (cell[ROW_ways].text)
        text_add(text, ": %s-way in its bank", cell[ROW_ways].text);
}

bool figure_is_wasteful(const Figure *figure)
{
    const double least = 1.5;
    return figure->ideal > 0 && figure->sectors >= least * figure->ideal;
}

/* What is there to win by the remedy. */
static void say_gain(Text *text, const Figure *figure)
{
    if (figure->known && figure_is_wasteful(figure))
        text_add(text, ": up to %.1f times fewer sectors", figure->sectors / figure->ideal);
}

static void say_assumptions(Text *text, unsigned assumes)
{
    static const char *const sentences[] = {
#define X(flag, name, sentence) sentence,
        ASSUMPTIONS(X)
#undef X
    };
    const char *lead = " [assuming that ";
    for (unsigned i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (assumes >> i & 1) {
            text_add(text, "%s%s", lead, sentences[i]);
            lead = ", that ";
        }
    text_add(text, "%s", assumes ? "]" : "");
}

static void say_cause(Text *text, const char *what, Why why) { text_add(text, "; %s: %s", what, why_text(why)->sentence); }

/* `where` is what stands in the way; "" where nobody knows. */
static void say_refusal(Text *text, const char *what, Why why, const char *where)
{
    say_cause(text, what, why);
    text_add(text, "%s%s", *where ? ": " : "", where);
    if (*why_text(why)->remedy)
        text_add(text, "; %s", why_text(why)->remedy);
}

static const char *obstacle_of(const Access *access)
{
    LLVMValueRef obstacle = access->added ? access->added->obstacle : NULL;
    return obstacle ? obstacle_text(access->scope, obstacle, access->instruction) : "";
}

/* No advice where nothing is lost. */
static void say_refusal_of(Text *text, const Access *access)
{
    bool rewritten = action_of(access) != ACTION_NONE;
    if (rewritten || access->added || *why_text(access->why)->remedy)
        say_refusal(text, rewritten ? "not held in registers" : "not rewritten", access->refusal, obstacle_of(access));
    else
        say_cause(text, "not rewritten", access->refusal);
}

static bool is_held(const Access *access)
{
    const Reuse *reuse = access->block ? access->block->reuse : NULL;
    return ir_is_marked(access->instruction, REUSE_METADATA) || (reuse && !reuse->why && reuse_has(reuse, access));
}

static void say_shelf(Text *text, const Shelf *shelf)
{
    text_add(text, ", a block of the row ahead, in shared memory of each warp");
    if (!shelf->sized)
        text_add(text, "; blocks of more than %d threads go without, unless launch bounds say that they are larger",
                 shelf->warps * WARP_LANES);
}

static void say_plan(Text *text, const Row *row, const Access *access)
{
    if (access->refusal)
        say_refusal_of(text, access);
    if (row->cell[ROW_sectors_rewritten].text && access->turned)
        text_add(text, " (%s sectors then)", row->cell[ROW_sectors_rewritten].text);
    if (access->block)
        text_add(text, ", %d iterations of the loop at a time", access->block->factor[0]);
    if (access->group && access->group->choice.shelf)
        say_shelf(text, access->group->choice.shelf);
    if (action_of(access) == ACTION_KEEP)
        text_add(text, "; rewritten: a register holds it while the loop runs, where a test on entry shows that nothing that the "
                       "loop reads lies there");
    if (is_held(access))
        text_add(text, ", held in registers while the loop around meets them again");
    if (row->cell[ROW_cost].text)
        text_add(text, " (estimated cost %s, rewritten %s)", row->cell[ROW_cost].text, row->cell[ROW_cost_rewritten].text);
}

const char *access_sentence(const Access *access, const Row *row)
{
    Text text = text_new(access->scope->kernel->arena);
    const WhyText *why = why_text(access->why);
    text_add(&text, "%s of %d byte%s in %s memory, %s", op_text(access->op), access->bytes, access->bytes == 1 ? "" : "s",
             space_text(access->space), class_text(access->kind));
    if (row->cell[ROW_stride].text && access->kind != CLASS_UNIFORM)
        text_add(&text, " with stride %s", row->cell[ROW_stride].text);
    if (access->record && access->kind != CLASS_UNIFORM)
        text_add(&text, " (offset %s in a record of %s bytes)",
                 arena_text(text.arena, "%lld", (long long)(access->address->constant - access->record->offset)),
                 row->cell[ROW_record_bytes].text);
    say_figures(&text, row);
    text_add(&text, "; %s", why->sentence);
    if (*why->remedy) {
        text_add(&text, "; %s", why->remedy);
        say_gain(&text, &access->figure);
    }
    say_plan(&text, row, access);
    say_assumptions(&text, access->figure.assumes);
    return text.data;
}

const char *tile_sentence(Arena *arena, const Tile *tile)
{
    Text text = text_new(arena);
    const Ring *ring = tile->ring;
    const char *facts = !ring || ring->why ? tile_facts(arena, tile) : ring_text(ring);
    text_add(&text, "loop stages global memory in shared memory between barriers: %s",
             ring && ring->made ? ring->made->text : facts);
    if (ring && ring->why && !ring->made)
        say_refusal(&text, "not rewritten", ring->why, obstacle_text(tile->scope, ring->obstacle, tile->at));
    if (ring && ring->nor && !ring->made)
        say_refusal(&text, "nor held in registers", ring->nor->why, obstacle_text(tile->scope, ring->nor->obstacle, tile->at));
    return text.data;
}

const char *fill_sentence(const Kernel *kernel, const Fill *fill)
{
    Text text = text_new(kernel->arena);
    if (fill->once)
        return "loop stages global memory in shared memory between barriers, the same in every iteration; rewritten: this is "
               "done once, in front of the loop";
    text_add(&text, "a loop fills shared memory from global memory, and waits for each element");
    if (fill->why)
        say_refusal(&text, "not rewritten", fill->why, obstacle_text(kernel->scope, fill->obstacle, fill->at));
    else
        text_add(&text, "; rewritten: asynchronous copies, which are all under way at once");
    return text.data;
}

/* ---- remarks ---- */

bool access_is_rewritten(const Access *access) { return action_of(access) != ACTION_NONE || access->why == WHY_JAMMED; }

static IrRemarkKind kind_of(const Access *access)
{
    return access_is_rewritten(access) ? REMARK_PASSED : access->refusal ? REMARK_MISSED : REMARK_ANALYSIS;
}

static void remark_access(const Access *access)
{
    Row row = row_of_access(access);
    IrRemarkPart parts[ROW_FIELDS];
    size_t count = 0;
    for (int i = 0; i < ROW_FIELDS; i++)
        if (row.cell[i].text)
            parts[count++] = (IrRemarkPart){row_remark_key((RowField)i), row.cell[i].text};
    Location location = location_of(access->scope, access->instruction);
    ir_remark(kind_of(access), access->instruction, location.metadata, why_text(access->why)->name, access_sentence(access, &row),
              parts, count);
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
    ir_remark(kind, tile->at, location_of(tile->scope, tile->at).metadata, "TileLoop", tile_sentence(arena, tile), parts,
              sizeof parts / sizeof *parts - (resident.before ? 0 : OF_RESIDENT));
}

static void remark_fill(const Kernel *kernel, const Fill *fill)
{
    const IrRemarkPart parts[] = {{"Kernel", kernel->name},
                                  {"Refusal", why_text(fill->why)->name},
                                  {"Obstacle", obstacle_text(kernel->scope, fill->obstacle, fill->at)}};
    ir_remark(fill->why ? REMARK_MISSED : REMARK_PASSED, fill->at, location_of(kernel->scope, fill->at).metadata, "Filling",
              fill_sentence(kernel, fill), parts, sizeof parts / sizeof *parts);
}

void remark_emit(const Kernel *kernel)
{
    const Speakers speakers = speakers_of(kernel);
    for (size_t i = 0; i < kernel->found.accesses.count; i++)
        if (is_speaker(&speakers, kernel->found.accesses.item[i]))
            remark_access(kernel->found.accesses.item[i]);
    for (size_t i = 0; i < kernel->found.tiles.count; i++)
        remark_tile(kernel, kernel->found.tiles.item[i]);
    for (size_t i = 0; i < kernel->found.fills.count; i++)
        remark_fill(kernel, kernel->found.fills.item[i]);
}

void remark_padding(const Kernel *kernel, const Padding *padding)
{
    size_t length;
    const char *name = LLVMGetValueName2(padding->array, &length);
    char *readable = ir_demangled(name);
    long long row = padding->row, pad = padding->pad;
    long long more = padded_bytes(padding, row, pad) - padding->bytes;
    Text text = text_new(kernel->arena);
    text_add(
        &text,
        "several threads want different words of one shared-memory bank; rewritten: rows of %lld bytes in %s become %lld bytes "
        "longer, which takes %lld bytes of shared memory, and %.3g passes over the banks instead of %.3g",
        row, readable ? readable : name, pad, more, padding->after, padding->before);
    free(readable);
    const IrRemarkPart parts[] = {
        {"Kernel", kernel->name},
        {"Row", arena_text(kernel->arena, "%lld", row)},
        {"Pad", arena_text(kernel->arena, "%lld", pad)},
        {"More", arena_text(kernel->arena, "%lld", more)},
    };
    ir_remark(REMARK_PASSED, padding->at, location_of(kernel->scope, padding->at).metadata, "Padded", text.data, parts,
              sizeof parts / sizeof *parts);
}

void remark_lookahead(const Kernel *kernel, const Lookahead *ahead)
{
    Text text = text_new(kernel->arena);
    LLVMValueRef at = ahead->why ? LLVMGetBasicBlockTerminator(ahead->latch) : ahead->loads.item[0];
    const WhyText *why = why_text(ahead->why);
    text_add(&text, "loop waits in every iteration for what it loads; ");
    if (ahead->why)
        text_add(&text, "left as it is: %s%s%s", why->sentence, *why->remedy ? "; " : "", why->remedy);
    else
        text_add(&text, "rewritten: %s%zu load%s one iteration ahead, %d word%s held in registers",
                 ahead->beside ? "four iterations side by side, " : "", ahead->loads.count, ahead->loads.count == 1 ? "" : "s",
                 ahead->words, ahead->words == 1 ? "" : "s");
    const IrRemarkPart parts[] = {{"Kernel", kernel->name},
                                  {"Words", arena_text(kernel->arena, "%d", ahead->words)},
                                  {"Refusal", ahead->why ? why->name : ""}};
    ir_remark(ahead->why ? REMARK_MISSED : REMARK_PASSED, at, location_of(kernel->scope, at).metadata, "Ahead", text.data, parts,
              sizeof parts / sizeof *parts);
}

void remark_batch(const Kernel *kernel, const Batch *batch)
{
    Text text = text_new(kernel->arena);
    LLVMValueRef at = batch->why || !batch->loads.count ? LLVMGetBasicBlockTerminator(batch->latch) : batch->loads.item[0];
    const WhyText *why = why_text(batch->why);
    text_add(&text, "loads of the loop wait for its stores; ");
    if (batch->why)
        text_add(&text, "left as it is: %s%s%s", why->sentence, *why->remedy ? "; " : "", why->remedy);
    else
        text_add(&text, "rewritten: %zu loads come first, %d words held in registers", batch->loads.count, batch->words);
    const IrRemarkPart parts[] = {{"Kernel", kernel->name},
                                  {"Words", arena_text(kernel->arena, "%d", batch->words)},
                                  {"Tests", arena_text(kernel->arena, "%zu", batch->tests.count)},
                                  {"Refusal", batch->why ? why->name : ""}};
    ir_remark(batch->why ? REMARK_MISSED : REMARK_PASSED, at, location_of(kernel->scope, at).metadata, "Batch", text.data, parts,
              sizeof parts / sizeof *parts);
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
              arena_text(kernel->arena, "%s %s; %s", kernel->name, why->sentence, why->remedy), parts,
              sizeof parts / sizeof *parts);
}

void warn_unawaited(Kernel *kernel)
{
    const List copies = unawaited_find(kernel);
    for (size_t i = 0; i < copies.count; i++)
        if (!is_told_of(kernel, &copies, i))
            ir_warning_at(kernel->function, location_of(kernel->scope, copies.item[i]).metadata,
                          arena_text(kernel->arena, "%s copies to shared memory asynchronously: %s; %s", kernel->name,
                                     why_text(WHY_COPY_UNAWAITED)->sentence, why_text(WHY_COPY_UNAWAITED)->remedy));
}

void remark_unawaited(Kernel *kernel)
{
    const List copies = unawaited_find(kernel);
    const IrRemarkPart parts[] = {{"Kernel", kernel->name}, {"Refusal", why_text(WHY_COPY_UNAWAITED)->name}};
    for (size_t i = 0; i < copies.count; i++) {
        Text text = text_new(kernel->arena);
        if (is_told_of(kernel, &copies, i))
            continue;
        text_add(&text, "asynchronous copy to shared memory: %s; %s", why_text(WHY_COPY_UNAWAITED)->sentence,
                 why_text(WHY_COPY_UNAWAITED)->remedy);
        ir_remark(REMARK_MISSED, copies.item[i], location_of(kernel->scope, copies.item[i]).metadata, "Copying", text.data, parts,
                  sizeof parts / sizeof *parts);
    }
}
