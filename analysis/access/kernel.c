/* What of a module is looked at, and what its functions say of themselves: kernels, launch bounds, annotations. */
#include <stdlib.h>
#include <string.h>

#include "analysis/address/kernel.h"
#include "pass/host/spare_name.h"
#include "pass/profile/profile.h"

enum { PTX_KERNEL_CONVENTION = 71 }; /* llvm::CallingConv::PTX_Kernel */

bool module_is_device(LLVMModuleRef module) { return strncmp(LLVMGetTarget(module), "nvptx", 5) == 0; }

bool function_is_kernel(LLVMValueRef function) { return LLVMGetFunctionCallConv(function) == PTX_KERNEL_CONVENTION; }

static const char *value_name(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

/* ---- launch bounds ---- */

static const char *text_attribute(LLVMValueRef function, const char *name, unsigned *length)
{
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
                                                               (unsigned)strlen(name));
    return attribute ? LLVMGetStringAttributeValue(attribute, length) : NULL;
}

bool kernel_has(const Kernel *kernel, const char *attribute)
{
    unsigned length;
    return text_attribute(kernel->function, attribute, &length) != NULL;
}

int64_t kernel_number(const Kernel *kernel, const char *attribute)
{
    unsigned length;
    const char *text = text_attribute(kernel->function, attribute, &length);
    return text ? strtol(arena_copy(kernel->arena, text, length), NULL, 10) : 0;
}

/* "16,16" -> {16, 16, 1}; false, and the extents as they were, where it is absent or no block can be so */
static bool extents_of(LLVMValueRef function, const char *name, int extent[3])
{
    unsigned length;
    const char *text = text_attribute(function, name, &length);
    if (!text)
        return false;
    char copy[64] = {0};
    memcpy(copy, text, length < sizeof copy - 1 ? length : sizeof copy - 1);
    char *at = copy;
    int found[3] = {1, 1, 1};
    for (int i = 0; i == 0 || (i < 3 && *at); i++) {
        long value = strtol(at, &at, 10);
        if (value < 1 || value > MOST_THREADS)
            return false;
        found[i] = (int)value;
        at += *at == ',';
    }
    if (found[0] * found[1] * found[2] > MOST_THREADS)
        return false;
    memcpy(extent, found, sizeof found);
    return true;
}

static Shape shape_of(LLVMValueRef function, const Options *options)
{
    Shape shape = {0};
    int most[3];
    if (extents_of(function, "nvvm.reqntid", shape.extent))
        shape.limit = shape.extent[0] * shape.extent[1] * shape.extent[2];
    else if (options->shape.extent[0])
        shape = options->shape;
    else if (extents_of(function, "nvvm.maxntid", most))
        shape.limit = most[0] * most[1] * most[2];
    return shape;
}

void kernel_turn(Kernel *kernel)
{
    INVARIANT(!kernel->done.collected && !kernel->found.scopes.count); /* no form was made yet */
    Shape shape = form_shape(kernel->forms);
    Shape turned = {.extent = {shape.extent[1], shape.extent[0], shape.extent[2]}, .limit = shape.limit, .turned = true};
    kernel->forms = form_space(kernel->arena, turned);
}

/* May a block have enough threads for any of what a warp does together? */
static bool kernel_fills_warps(const Kernel *kernel)
{
    Shape shape = form_shape(kernel->forms);
    int threads = shape.extent[0] ? shape.extent[0] * shape.extent[1] * shape.extent[2] : shape.limit;
    return threads == 0 || threads >= kernel->options.cost.EDGE;
}

static bool spare_is_to(LLVMValueRef function, const char *how)
{
    unsigned length;
    const char *text = text_attribute(function, SPARE_ATTRIBUTE, &length);
    return text && length == strlen(how) && memcmp(text, how, length) == 0;
}

/* Whose annotations say what is wanted of it: a spare's kernel's. */
static LLVMValueRef annotated_for(Arena *arena, LLVMModuleRef module, LLVMValueRef function)
{
    unsigned length;
    const char *name = value_name(function);
    const char *mark = text_attribute(function, SPARE_ATTRIBUTE, &length) ? strstr(name, SPARE_MARK) : NULL;
    LLVMValueRef kernel = mark ? LLVMGetNamedFunction(module, arena_copy(arena, name, (size_t)(mark - name))) : NULL;
    return kernel ? kernel : function;
}

/* A kernel that stands beside another one: nothing is asked or made of it but what its attribute says. */
static void spare_leave_out(LLVMValueRef function, Options *options)
{
    static const Feature of_records[] = {FEATURE_EXCHANGES, FEATURE_WIDENING,   FEATURE_CHAINS,
                                         FEATURE_BARRIERS,  FEATURE_FORWARDING, FEATURE_EDGES};
    unsigned length;
    if (!text_attribute(function, SPARE_ATTRIBUTE, &length))
        return;
    OptionFeatures others = ~(OptionFeatures)0;
    for (size_t i = 0; i < sizeof of_records / sizeof *of_records; i++)
        others &= ~((OptionFeatures)1 << of_records[i]);
    options->off |= spare_is_to(function, SPARE_STAY);
    options->without |= spare_is_to(function, SPARE_SHUFFLES) ? (OptionFeatures)1 << FEATURE_SHELVES : others;
    options->spares = false;
    options->require = 0;
}

/* ---- annotations ---- */

/* The text of one annotation of `function`, NULL where the entry is about something else. */
static const char *annotation_text(LLVMValueRef entry, LLVMValueRef function, size_t *length)
{
    if (LLVMGetNumOperands(entry) < 2 || stripped(LLVMGetOperand(entry, 0)) != function)
        return NULL;
    LLVMValueRef global = LLVMIsAGlobalVariable(stripped(LLVMGetOperand(entry, 1)));
    LLVMValueRef text = global ? LLVMGetInitializer(global) : NULL;
    if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
        return NULL;
    const char *data = LLVMGetAsString(text, length);
    if (*length && data[*length - 1] == 0)
        (*length)--;
    return data;
}

static Options annotated(Arena *arena, LLVMModuleRef module, LLVMValueRef function, const Options *options)
{
    static const char prefix[] = "coalda.";
    Options own = *options; /* what is said to be false is, whatever was said before */
    LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global.annotations");
    LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
    for (int i = 0; entries && i < LLVMGetNumOperands(entries); i++) {
        size_t length;
        const char *text = annotation_text(LLVMGetOperand(entries, (unsigned)i), function, &length);
        size_t skip = sizeof prefix - 1;
        if (!text || length < skip || strncmp(text, prefix, skip) != 0)
            continue;
        const char *wrong = option_set(&own, text + skip, length - skip, arena);
        if (wrong)
            ir_error(module, arena_text(arena, "%s: %s", value_name(function), wrong));
    }
    return own;
}

/* What a profile decided: more than what is said of all kernels, and less than what the kernel says of itself. */
static Options decided(Arena *arena, LLVMValueRef function, const Options *options)
{
    unsigned length;
    const char *text = text_attribute(function, DECIDED_ATTRIBUTE, &length);
    Options own = {0};
    if (text)
        decision_read(&own, arena_copy(arena, text, length), arena); /* whoever decided has read it already */
    return options_merge(*options, own);
}

Options function_options(Arena *arena, LLVMModuleRef module, LLVMValueRef function, const Options *options)
{
    LLVMValueRef owner = annotated_for(arena, module, function);
    const Options measured = decided(arena, function, options);
    Options own = annotated(arena, module, owner, &measured);
    spare_leave_out(function, &own);
    return own;
}

static const char *attribute_copy(Arena *arena, LLVMValueRef function, const char *name)
{
    unsigned length;
    const char *text = text_attribute(function, name, &length);
    return text ? arena_copy(arena, text, length) : NULL;
}

static Launched launched_at(Arena *arena, LLVMValueRef function)
{
    const char *text = attribute_copy(arena, function, LAUNCHED_ATTRIBUTE);
    return text ? launched_read(text) : (Launched){0};
}

/* ---- kernel ---- */

static int arch_of(LLVMValueRef function)
{
    enum { OLDEST_SUPPORTED = 75 };
    unsigned length;
    const char *cpu = text_attribute(function, "target-cpu", &length);
    return cpu && length > 3 && strncmp(cpu, "sm_", 3) == 0 ? atoi(cpu + 3) : OLDEST_SUPPORTED;
}

bool kernel_has_mma(const Kernel *kernel)
{
    enum { AMPERE = 80 }; /* Turing's, too, but the backend writes an older version of PTX for that */
    return arch_of(kernel->function) >= AMPERE;
}

static bool is_hopper_by(const Kernel *kernel, int ptx)
{
    enum { HOPPER = 90 };
    return arch_of(kernel->function) >= HOPPER && ir_ptx_version(kernel->ir, kernel->function) >= ptx;
}

bool kernel_has_vector_reductions(const Kernel *kernel)
{
    enum { PTX = 81 }; /* PTX ISA, "red" */
    return is_hopper_by(kernel, PTX);
}

bool kernel_has_barrier_fences(const Kernel *kernel)
{
    enum { PTX = 80 }; /* PTX ISA, "fence.mbarrier_init" */
    return is_hopper_by(kernel, PTX);
}

/* ---- kernels that gain nothing ---- */

/* Of the namespaces cub and thrust, which choose the pieces that they move for each architecture; but those that do nothing but run
 * a function of the user's for every element. */
static bool is_tuned(const char *name)
{
    bool is_library = text_begins(name, "_ZN3cub") || text_begins(name, "_ZN6thrust");
    return is_library && !strstr(name, "for_each") && !strstr(name, "ParallelFor");
}

static Why left_because(const Kernel *kernel)
{
    if (kernel->options.always)
        return WHY_NONE;
    if (!kernel->is_entry)
        return WHY_UNRUN;
    if (is_tuned(kernel->name))
        return WHY_TUNED;
    return kernel_fills_warps(kernel) ? WHY_NONE : WHY_NO_WARP;
}

Kernel *kernel_open(Arena *arena, IrModule *ir, LLVMModuleRef module, LLVMValueRef function, const Options *options, Plan *plan)
{
    Kernel *kernel = ARENA_NEW(arena, Kernel);
    kernel->arena = arena;
    kernel->ir = ir;
    kernel->module = module;
    kernel->layout = LLVMGetModuleDataLayout(module);
    kernel->function = function;
    kernel->name = value_name(function);
    kernel->plan = plan;
    kernel->is_entry = function_is_kernel(function);
    kernel->options = function_options(arena, module, function, options);
    kernel->launched = launched_at(arena, function);
    kernel->parts = attribute_copy(arena, function, PARTS_ATTRIBUTE);
    if (!kernel->options.arch)
        kernel->options.arch = arch_of(function);
    kernel->options.cost = costs_for(&kernel->options.cost, kernel->options.arch);
    if (spare_is_to(function, SPARE_RECORDS))
        kernel->options.cost.TRIPS = kernel->options.cost.SHORT_TRIPS;
    kernel->forms = form_space(arena, shape_of(function, &kernel->options));
    kernel->left = left_because(kernel);
    kernel->asked.stray = map_new(arena);
    kernel->asked.pressures = map_new(arena);
    kernel->found.scopes = list_new(arena);
    kernel->found.accesses = list_new(arena);
    kernel->found.records = list_new(arena);
    kernel->found.tiles = list_new(arena);
    kernel->found.fills = list_new(arena);
    return kernel;
}
