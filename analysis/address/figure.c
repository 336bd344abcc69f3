/* A form is split into what differs between lanes, evaluated for whole warps, and what all lanes share, which only
 * moves the pattern against the sectors:
 *
 *     4*n*row  +  128*blockIdx.x*k  +  4*iteration  +  4*threadIdx.x + 8
 *     parameter   no effect            sweeps: all     evaluated: 32 addresses
 *     (assumed    (a multiple of       32 places       (and the places of the warps
 *     aligned)    a line)              in a line       of the block) */
#include "analysis/address/figure.h"

enum {
    SAMPLE_BITS = 6,
    SAMPLES = 1 << SAMPLE_BITS, /* of the symbols that operations read */
    PHASES = LINE_BYTES,
    MOST_SYMBOLS = 16,  /* sampled at once; more and the figure stays unknown */
};

static bool sweeps(const Symbol *symbol)
{
    return symbol->kind == SYM_LOOP || symbol->kind == SYM_BLOCK || symbol->kind == SYM_TID;
}

static bool row_is_assumed(const FormSpace *space) { return form_shape(space).extent[0] == 0; }

/* Evaluated warp by warp: what differs between lanes, and what only differs between the warps of a known block. */
static bool is_evaluated(const FormSpace *space, const Term *term)
{
    return term_varies(term) || (!row_is_assumed(space) && term_of_threads(term));
}

/* ---- the sampled symbols ---- */

typedef struct {
    const FormSpace *space;
    Given sampled[MOST_SYMBOLS];
    int count;
    bool overflow;
    bool symbolic;   /* a lane's stride holds a symbol */
    bool mixed;      /* and an operation mixes its bits with others: (n * threadIdx.x) / 3 */
    bool open;       /* an operation reads what no sample stands for */
    bool uses_rows;  /* the figure depends on which threads make a warp */
} Samples;

/* Where a form stands: it is the address itself, wrapped around to its width, mixed with other bits, or in a condition. */
typedef enum { PLACE_ADDRESS, PLACE_WRAPPED, PLACE_MIXED, PLACE_CONDITION } Place;

static void sample_form(Samples *samples, const Form *form, Place place);

static void sample_guard(Samples *samples, const Guard *guard)
{
    sample_form(samples, guard->left, PLACE_CONDITION);
    sample_form(samples, guard->right, PLACE_CONDITION);
}

static void sample_operands(Samples *samples, const Symbol *symbol, Place place)
{
    bool wraps = symbol->op == OP_WRAP_U || symbol->op == OP_WRAP_S;
    Place inside = wraps ? PLACE_WRAPPED : PLACE_MIXED;
    inside = inside < place ? place : inside;
    sample_form(samples, symbol->a, inside);
    if (symbol->b)
        sample_form(samples, symbol->b, inside);
    if (symbol->guard)
        sample_guard(samples, symbol->guard);
}

static void sample_symbol(Samples *samples, const Symbol *symbol, Place place)
{
    if (symbol->kind == SYM_OP) {
        sample_operands(samples, symbol, place);
        return;
    }
    samples->uses_rows |= symbol->kind == SYM_TID;
    if (!sweeps(symbol) && symbol->kind != SYM_BLOCKDIM) {
        samples->open |= symbol->kind != SYM_LANE;
        return;
    }
    if (symbol->kind == SYM_TID && !row_is_assumed(samples->space))
        return;
    for (int i = 0; i < samples->count; i++)
        if (samples->sampled[i].symbol == symbol)
            return;
    if (samples->count == MOST_SYMBOLS)
        samples->overflow = true;
    else
        samples->sampled[samples->count++].symbol = symbol;
}

/* The same for all lanes, and only run time knows what: n, N / P. */
static bool is_runtime_factor(const Symbol *symbol) { return symbol->open && !symbol->varies; }

/* threadIdx.x * threadIdx.x: the pattern depends on the row. */
static bool is_product_of_threads(const Term *term)
{
    int indices = 0;
    for (int i = 0; i < term->degree; i++)
        indices += term->symbol[i]->kind == SYM_TID || (term->symbol[i]->kind == SYM_OP && !is_runtime_factor(term->symbol[i]));
    return indices > 1 && term_varies(term);
}

/* Operations see actual values of what sweeps; a factor of a lane's index that run time alone knows is only taken as large. */
static void sample_form(Samples *samples, const Form *form, Place place)
{
    for (int i = 0; i < form->count; i++) {
        const Term *term = &form->term[i];
        bool varies = term_varies(term), is_product = is_product_of_threads(term);
        for (int j = 0; j < term->degree; j++) {
            const Symbol *symbol = term->symbol[j];
            if (varies && is_runtime_factor(symbol) && place != PLACE_CONDITION) {
                samples->symbolic = true;
                samples->mixed |= place == PLACE_MIXED;
            } else if (place || is_product || symbol->kind == SYM_OP)
                sample_symbol(samples, symbol, place);
            else if (symbol->varies)
                samples->uses_rows |= symbol->kind == SYM_TID;
            else
                samples->symbolic |= varies;
        }
    }
}

/* The k-th of SAMPLES points: digits of k, one a symbol. */
static void sample_set(Samples *samples, int k)
{
    int bits = samples->count ? SAMPLE_BITS / samples->count : 0;
    for (int i = 0; i < samples->count; i++) {
        const Symbol *symbol = samples->sampled[i].symbol;
        int64_t digit = bits ? (k >> (bits * i)) & ((1 << bits) - 1) : (k * (2 * i + 1)) & 3;
        if (symbol->kind == SYM_LOOP && symbol->trips > 0)
            digit %= symbol->trips;
        if (symbol->kind == SYM_BLOCKDIM)
            digit = symbol->axis == 0 ? WARP_LANES * (digit + 1) : digit + 1;
        if (symbol->high != INT64_MAX && digit > symbol->high)
            digit = symbol->high;
        samples->sampled[i].value = digit;
    }
}

/* Do the samples of each symbol take all of its values? */
static bool samples_cover(const Samples *samples)
{
    int bits = samples->count ? SAMPLE_BITS / samples->count : 0;
    for (int i = 0; i < samples->count; i++) {
        const Symbol *symbol = samples->sampled[i].symbol;
        bool is_row = symbol->kind == SYM_TID && symbol->axis == 0;
        int64_t values = is_row ? (symbol->high + WARP_LANES) / WARP_LANES : symbol->high;
        if (symbol->kind == SYM_BLOCKDIM || values >= (INT64_C(1) << bits) + is_row)
            return false;
    }
    return true;
}

static int sample_count(const Samples *samples) { return samples->count ? SAMPLES : 1; }

/* ---- the warps of a block ---- */

static int block_threads(const FormSpace *space)
{
    Shape shape = form_shape(space);
    if (shape.extent[0])
        return shape.extent[0] * shape.extent[1] * shape.extent[2];
    return shape.limit && shape.limit < WARP_LANES ? shape.limit : WARP_LANES;
}

static bool lane_is_here(const Request *request, const Point *point)
{
    for (size_t i = 0; request->guards && i < request->guards->count; i++)
        if (!guard_holds(request->guards->item[i], point))
            return false;
    return true;
}

/* Where lane `lane` of warp `index` stands. An unknown block: row `row` of 32 threads along x. */
static void point_set(Point *point, const Samples *samples, int index, int lane)
{
    Shape shape = form_shape(samples->space);
    int thread = index * WARP_LANES + lane;
    point->lane = lane;
    if (shape.extent[0]) {
        point->thread[0] = thread % shape.extent[0];
        point->thread[1] = thread / shape.extent[0] % shape.extent[1];
        point->thread[2] = thread / (shape.extent[0] * shape.extent[1]);
        return;
    }
    for (int i = 0; i < 3; i++)
        point->thread[i] = 0;
    for (int i = 0; i < samples->count; i++)
        if (samples->sampled[i].symbol->kind == SYM_TID)
            point->thread[samples->sampled[i].symbol->axis] = samples->sampled[i].value;
    int64_t row = point->thread[0];
    int64_t high = shape.limit ? shape.limit / WARP_LANES : 1024 / WARP_LANES;
    point->thread[0] = WARP_LANES * (high > 0 ? row % high : 0) + lane;
}

static Warp warp_at(const Request *request, const Samples *samples, const Form *varying, int index, int threads)
{
    Warp warp = {0};
    Point point = {.given = samples->sampled, .count = samples->count};
    for (int lane = 0; lane < WARP_LANES && index * WARP_LANES + lane < threads; lane++) {
        point_set(&point, samples, index, lane);
        if (!lane_is_here(request, &point) || (request->is_lone && warp.lanes))
            continue;
        warp.lane[warp.lanes] = lane;
        warp.at[warp.lanes++] = form_eval(varying, &point);
    }
    return warp;
}

/* ---- where the pattern lies against the sectors ---- */

typedef struct {
    bool sweeping[PHASES]; /* places that the shared terms put the pattern at while the kernel runs */
    bool any[PHASES];      /* and those that unknown parameters could */
    bool aligned_assumed;
} Phases;

static int64_t gcd(int64_t a, int64_t b)
{
    uint64_t x = magnitude(a), y = magnitude(b);
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return (int64_t)x;
}

static bool is_row_length(const Symbol *symbol) { return symbol->kind == SYM_BLOCKDIM && symbol->axis == 0; }

/* A known divisor of the product of a shared term's symbols and coefficient. */
static int64_t term_divisor(const Term *term)
{
    int64_t divisor = gcd(term->coefficient, PHASES);
    for (int i = 0; i < term->degree; i++)
        if (is_row_length(term->symbol[i]))
            divisor *= WARP_LANES;
        else if (term->symbol[i]->kind == SYM_BASE)
            divisor *= PHASES;
    return gcd(divisor, PHASES);
}

/* blockDim.x alone is one place, which is not known; blockIdx.x * blockDim.x goes through many. */
static bool term_sweeps(const Term *term)
{
    bool any = false;
    for (int i = 0; i < term->degree; i++) {
        any |= sweeps(term->symbol[i]);
        if (!sweeps(term->symbol[i]) && !is_row_length(term->symbol[i]))
            return false;
    }
    return any;
}

/* Every place reachable from the present ones by steps of `step`, `times` of them (0: as many as there are). */
static void phases_spread(bool at[PHASES], int64_t step, int64_t times)
{
    bool from[PHASES];
    for (int i = 0; i < PHASES; i++)
        from[i] = at[i];
    int64_t most = PHASES / gcd(step, PHASES);
    if (times <= 0 || times > most)
        times = most;
    for (int64_t k = 0; k < times; k++)
        for (int i = 0; i < PHASES; i++)
            if (from[i])
                at[(uint64_t)(i + k * step) % PHASES] = true;
}

/* 3 * threadIdx.x: only the first row of 32 threads is evaluated, and each next one lies 96 bytes on. */
static bool term_moves_rows(const Samples *samples, const Term *term)
{
    if (!row_is_assumed(samples->space) || term->degree != 1 || term->symbol[0]->kind != SYM_TID || term->symbol[0]->axis != 0)
        return false;
    for (int i = 0; i < samples->count; i++)
        if (samples->sampled[i].symbol == term->symbol[0])
            return false; /* the samples are of several rows */
    return true;
}

static void phases_spread_rows(Phases *phases, const FormSpace *space, const Term *term)
{
    int64_t rows = (form_shape(space).limit + WARP_LANES - 1) / WARP_LANES;
    int64_t step = term->coefficient % PHASES * WARP_LANES;
    phases_spread(phases->sweeping, step, rows);
    phases_spread(phases->any, step, rows);
}

static Phases phases_of(const FormSpace *space, const Form *address, const Samples *samples)
{
    Phases phases = {.sweeping = {true}, .any = {true}};
    for (int i = 0; i < address->count; i++) {
        const Term *term = &address->term[i];
        int64_t divisor = term_divisor(term);
        if (term_moves_rows(samples, term))
            phases_spread_rows(&phases, space, term);
        if (is_evaluated(space, term) || divisor == PHASES)
            continue;
        if (term_sweeps(term)) {
            const Symbol *lone = term->degree == 1 ? term->symbol[0] : NULL;
            phases_spread(phases.sweeping, lone ? term->coefficient % PHASES : divisor,
                          lone && lone->kind == SYM_LOOP ? lone->trips : 0);
        } else {
            phases.aligned_assumed = true;
        }
        phases_spread(phases.any, divisor, 0);
    }
    return phases;
}

/* ---- sums ---- */

typedef struct {
    double warps, phases;
    double requests, sectors, ideal, lines, wavefronts, wavefronts_ideal, lanes;
    int ways, sectors_min, sectors_max, most_lanes;
    bool dense;
    WarpStride regularity;
    int64_t stride;
} Sum;

static void sum_shape(Sum *sum, const Warp *warp, int bytes)
{
    int64_t stride;
    WarpStride regularity = warp_stride(warp, &stride);
    if (sum->warps == 0) {
        sum->regularity = regularity;
        sum->stride = stride;
        sum->dense = true;
    } else if (warp->lanes > 1) {
        WarpStride agreed = stride == sum->stride ? regularity : STRIDE_NONE;
        sum->regularity = agreed < sum->regularity ? agreed : sum->regularity;
    }
    sum->dense &= warp_is_dense(warp, bytes);
}

static Warp warp_moved(const Warp *warp, int64_t by)
{
    Warp moved = *warp;
    for (int i = 0; i < moved.lanes; i++)
        moved.at[i] = (int64_t)((uint64_t)moved.at[i] + (uint64_t)by);
    return moved;
}

/* One piece of every lane: all its places against the sectors, whose number is the same from one sector to the next. */
static void sum_piece(Sum *sum, const Warp *warp, int bytes, const Phases *phases, int *low, int *high)
{
    const Spans spans = warp_spans(warp, bytes);
    double sectors = 0, lines = 0, places = 0;
    int least = 1 << 30, most = 0, sectors_at[SECTOR_BYTES] = {0};
    for (int phase = 0; phase < PHASES; phase++) {
        int *count = &sectors_at[phase % SECTOR_BYTES];
        if (!phases->any[phase] || (*count && !phases->sweeping[phase]))
            continue;
        if (!*count)
            *count = spans_units(&spans, phase, SECTOR_BYTES);
        least = *count < least ? *count : least;
        most = *count > most ? *count : most;
        if (!phases->sweeping[phase])
            continue;
        sectors += *count;
        lines += spans_units(&spans, phase, LINE_BYTES);
        places++;
    }
    sum->sectors += sectors / places;
    sum->lines += lines / places;
    *low += least;
    *high += most;
}

static void sum_banks(Sum *sum, const Warp *warp, int bytes)
{
    int ways = warp_ways(warp, bytes);
    sum->wavefronts += warp_wavefronts(warp, bytes);
    sum->wavefronts_ideal += warp_ideal_wavefronts(warp, bytes);
    sum->ways = ways > sum->ways ? ways : sum->ways;
}

static void sum_warp(Sum *sum, const Request *request, const Warp *warp, const Phases *phases)
{
    int low = 0, high = 0;
    sum_shape(sum, warp, request->bytes);
    for (int from = 0; from < request->bytes; from += request->piece) {
        int bytes = request->bytes - from < request->piece ? request->bytes - from : request->piece;
        Warp piece = warp_moved(warp, from);
        sum_piece(sum, &piece, bytes, phases, &low, &high);
        if (request->is_banked)
            sum_banks(sum, &piece, bytes);
        sum->requests++;
    }
    sum->ideal += warp_ideal_sectors(warp, request->bytes);
    sum->lanes += warp->lanes;
    sum->most_lanes = warp->lanes > sum->most_lanes ? warp->lanes : sum->most_lanes;
    sum->sectors_min = sum->warps == 0 || low < sum->sectors_min ? low : sum->sectors_min;
    sum->sectors_max = high > sum->sectors_max ? high : sum->sectors_max;
    sum->warps++;
}

/* An address that depends on data: its bytes are known, its place is not. */
static Figure figure_unknown(const FormSpace *space, const Request *request)
{
    int threads = block_threads(space);
    int lanes = request->is_lone ? 1 : threads < WARP_LANES ? threads : WARP_LANES;
    int pieces = (request->bytes + request->piece - 1) / request->piece;
    double ideal = (lanes * request->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    return (Figure){
        .known = request->is_lone,
        .requests = pieces,
        .sectors = request->is_lone ? ideal : 0,
        .ideal = ideal,
        .lines = request->is_lone,
        .sectors_min = pieces,
        .sectors_max = lanes * pieces,
        .lanes = lanes,
    };
}

/* The part of the address that is evaluated, with the constant. */
static const Form *varying_of(const FormSpace *space, const Form *address, Form *room)
{
    room->constant = address->constant;
    room->count = 0;
    for (int i = 0; i < address->count; i++)
        if (is_evaluated(space, &address->term[i]))
            room->term[room->count++] = address->term[i];
    return room;
}

/* A number that was put for what run time alone knows is in it. */
static bool is_invented(const Samples *samples, int64_t stride) { return samples->symbolic && magnitude(stride) >= FORM_LARGE; }

static Figure figure_mean(const Request *request, const Sum *sum, const Samples *samples, const Phases *phases)
{
    double warps = sum->warps;
    Figure figure = {
        .known = true,
        .requests = sum->requests / warps,
        .sectors = sum->sectors / warps,
        .ideal = sum->ideal / warps,
        .lines = sum->lines / warps,
        .sectors_min = sum->sectors_min,
        .sectors_max = sum->sectors_max,
        .banks_known = request->is_banked && !samples->symbolic,
        .wavefronts = sum->wavefronts / warps,
        .wavefronts_ideal = sum->wavefronts_ideal / warps,
        .ways = sum->ways,
        .regularity = is_invented(samples, sum->stride) ? STRIDE_NONE : sum->regularity,
        .stride = sum->stride,
        .dense = sum->dense,
        .lanes = sum->lanes / warps,
    };
    figure.assumes |= phases->aligned_assumed && sum->sectors_min != sum->sectors_max ? ASSUME_ALIGNED : 0;
    figure.assumes |= samples->symbolic ? ASSUME_WIDE : 0;
    figure.assumes |= samples->uses_rows && row_is_assumed(samples->space) ? ASSUME_ROWS : 0;
    return figure;
}

static void samples_open(Samples *samples, const FormSpace *space, const Request *request, const Form *varying)
{
    *samples = (Samples){.space = space};
    sample_form(samples, varying, PLACE_ADDRESS);
    for (size_t i = 0; request->guards && i < request->guards->count; i++)
        sample_guard(samples, request->guards->item[i]);
}

/* A long copy in single bytes has more pieces, places, samples and warps than it is worth: then one warp in so many
 * is looked at. Odd, so that powers of two do not fall in step with it. */
static int warp_interval(const Request *request, const Phases *phases, const Samples *samples, int threads)
{
    enum { MOST_PLACES = SAMPLES * PHASES * 1024 / WARP_LANES }; /* all of one piece, in the largest block */
    int64_t places = 0;
    for (int i = 0; i < PHASES; i++)
        places += phases->any[i];
    places *= (request->bytes + request->piece - 1) / request->piece;
    places *= (int64_t)sample_count(samples) * ((threads + WARP_LANES - 1) / WARP_LANES);
    return places <= MOST_PLACES ? 1 : (int)(places / MOST_PLACES) | 1;
}

Figure figure_of(const FormSpace *space, const Request *request)
{
    _Alignas(Form) char room[sizeof(Form) + FORM_TERMS * sizeof(Term)] = {0};
    const Form *varying = varying_of(space, request->address, (Form *)room);
    Samples samples;
    if (form_unknown_in(varying))
        return figure_unknown(space, request);
    samples_open(&samples, space, request, varying);
    if (samples.overflow || samples.mixed)
        return figure_unknown(space, request);

    Phases phases = phases_of(space, request->address, &samples);
    int threads = block_threads(space);
    Sum sum = {0};
    int interval = warp_interval(request, &phases, &samples, threads), active = 0;
    for (int k = 0; k < sample_count(&samples); k++) {
        sample_set(&samples, k);
        for (int index = 0; index * WARP_LANES < threads; index++) {
            Warp warp = warp_at(request, &samples, varying, index, threads);
            if (warp.lanes > 0 && active++ % interval == 0)
                sum_warp(&sum, request, &warp, &phases);
        }
    }
    if (sum.warps == 0)
        return figure_unknown(space, request);
    Figure figure = figure_mean(request, &sum, &samples, &phases);
    if (request->address->bounded)
        figure.assumes |= ASSUME_INSIDE;
    if (samples.open)
        figure.assumes |= ASSUME_ALIGNED;
    if (samples.symbolic || samples.open || !samples_cover(&samples)) { /* the pattern could be another */
        int pieces = (request->bytes + request->piece - 1) / request->piece;
        figure.sectors_min = pieces;
        figure.sectors_max = sum.most_lanes * pieces;
    }
    return figure;
}
