/* Products of matrices by a warp. Each sum starts with the number to add to, takes the products by ascending k, in double, and is
 * rounded once at the end: products of halves, bfloats, tf32 and bytes are exact in double, and so are sums of bytes. A GPU adds
 * in an order of its own, with fewer bits. */
#include "tensor.h"

#include <float.h>
#include <string.h>

typedef struct {
    double value[PART_MOST][PART_MOST];
    bool undef[PART_MOST][PART_MOST];
} Matrix;

/* ---- what lanes hold ---- */

uint64_t number_get(const Crew *crew, int lane, const Part *part, unsigned index, uint64_t *undef)
{
    const Ctx *c = crew->lane[lane];
    uint32_t ref = part->ref[index / part->per];
    unsigned shift = index % part->per * part->bits;
    uint64_t ones = width_ones(part->bits);
    *undef = tainted(c, ref, 1u << lane) ? ref_undef(c, ref)[lane] >> shift & ones : 0;
    return ref_value(c, ref)[lane] >> shift & ones;
}

void numbers_put(const Crew *crew, int lane, const Part *part, const uint64_t *bits, const uint64_t *undef)
{
    const Ctx *c = crew->lane[lane];
    for (unsigned slot = 0; slot < part->slots; slot++) {
        uint64_t value = 0, unknown = 0;
        for (unsigned i = 0; i < part->per; i++) {
            unsigned index = (slot * part->per + i) % part_held(part), shift = i * part->bits;
            value |= bits[index] << shift;
            unknown |= undef[index] << shift;
        }
        ref_value(c, part->ref[slot])[lane] = value;
        if (c->sim->check)
            result_taint(c, part->ref[slot], lane, unknown, false);
    }
}

static double from_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double number_value(Number number, uint64_t bits)
{
    switch (number) {
    case NUMBER_f16: return half_to_float(bits);
    case NUMBER_bf16: return from_float((uint32_t)bits << 16);
    case NUMBER_tf32: return from_float((uint32_t)bits & ~0x1fffu);
    case NUMBER_f32: return from_float((uint32_t)bits);
    case NUMBER_s8: return (int8_t)bits;
    case NUMBER_s32: return (int32_t)bits;
    default: return (double)bits;
    }
}

/* PTX .satfinite: what does not fit becomes the number next to it, and NaN 0. */
static double saturated(Number number, double value)
{
    double most = number == NUMBER_f16 ? 65504 : number == NUMBER_f32 ? (double)FLT_MAX : INT32_MAX;
    double least = number == NUMBER_s32 ? INT32_MIN : -most;
    return value != value ? 0 : value > most ? most : value < least ? least : value;
}

static uint64_t number_bits(Number number, double value)
{
    enum { NAN32 = 0x7fffffff };
    if (number == NUMBER_f16)
        return double_to_half(value);
    if (number == NUMBER_s32)
        return (uint32_t)(int64_t)value;
    float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return value != value ? NAN32 : bits;
}

/* ---- products ---- */

static void matrix_read(const Crew *crew, const Part *part, Matrix *matrix)
{
    int lane;
    EACH_LANE(lane, crew->mask)
        for (unsigned i = 0; i < part_held(part); i++) {
            unsigned row, column;
            uint64_t undef;
            part_where(part, lane, i, &row, &column);
            matrix->value[row][column] = number_value(part->number, number_get(crew, lane, part, i, &undef));
            matrix->undef[row][column] = undef != 0;
        }
}

/* c += a * b; b is held as its transpose. */
static void matrix_multiply(Matrix *c, const Matrix *a, const Matrix *b, unsigned rows, unsigned columns, unsigned depth)
{
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++)
            for (unsigned k = 0; k < depth; k++) {
                c->value[i][j] += a->value[i][k] * b->value[j][k];
                c->undef[i][j] |= a->undef[i][k] | b->undef[j][k];
            }
}

static void matrix_write(const Crew *crew, const Part *part, const Matrix *matrix, bool saturates)
{
    int lane;
    EACH_LANE(lane, crew->mask) {
        uint64_t bits[PART_MOST], undef[PART_MOST];
        for (unsigned i = 0; i < part_held(part); i++) {
            unsigned row, column;
            part_where(part, lane, i, &row, &column);
            double value = matrix->value[row][column];
            bits[i] = number_bits(part->number, saturates ? saturated(part->number, value) : value);
            undef[i] = matrix->undef[row][column] ? width_ones(part->bits) : 0;
        }
        numbers_put(crew, lane, part, bits, undef);
    }
}

static void multiply(const Crew *crew, const Tensor *tensor)
{
    Matrix a = {0}, b = {0}, c = {0};
    const Part *part = tensor->part;
    matrix_read(crew, &part[PART_A], &a);
    matrix_read(crew, &part[PART_B], &b);
    matrix_read(crew, &part[PART_C], &c);
    matrix_multiply(&c, &a, &b, part[PART_C].rows, part[PART_C].columns, part[PART_A].columns);
    matrix_write(crew, &part[PART_D], &c, tensor->saturates);
}

void tensor_run(Ctx *come, int count)
{
    Crew crew = {.mask = 0};
    for (int i = 0; i < count; i++) {
        int lane;
        crew.mask |= come[i].mask;
        EACH_LANE(lane, come[i].mask)
            crew.lane[lane] = &come[i];
    }
    const Tensor *tensor = come->inst->ext;
    switch (tensor->kind) {
    case TENSOR_PRODUCT: multiply(&crew, tensor); break;
    case TENSOR_LOAD: tensor_load(&crew, tensor); break;
    case TENSOR_STORE: tensor_store(&crew, tensor);
    }
}
