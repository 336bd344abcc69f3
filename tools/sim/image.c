/* From a file to an Image: the module is read, variables get addresses, the kernel is found, every function it can reach is
 * decoded. After that LLVM is not asked again. */
#include "decode.h"

#include <llvm-c/IRReader.h>
#include <string.h>

static uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

/* A module that was read, in a context of its own. */
typedef struct {
    const char *path;
    LLVMModuleRef module;
} Known;

static LLVMModuleRef module_known(const List *modules, const char *path)
{
    for (size_t i = 0; i < modules->count; i++) {
        const Known *known = modules->item[i];
        if (strcmp(known->path, path) == 0)
            return known->module;
    }
    return NULL;
}

static void module_free(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

static bool module_read(Image *image)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(image->path, &buffer, &message)) {
        image->error = arena_text(image->arena, "cannot read %s: %s", image->path, message);
        LLVMDisposeMessage(message);
        return false;
    }
    LLVMContextRef context = LLVMContextCreate();
    if (LLVMParseIRInContext(context, buffer, &image->module, &message)) {
        image->error = arena_text(image->arena, "%s is not LLVM IR: %s", image->path, message);
        LLVMDisposeMessage(message);
        LLVMContextDispose(context);
        return false;
    }
    if (strncmp(LLVMGetTarget(image->module), "nvptx64", 7) != 0) {
        image->error = arena_text(image->arena, "%s is not device code: its target is '%s', not nvptx64", image->path,
                                  LLVMGetTarget(image->module));
        module_free(image->module);
        return false;
    }
    return true;
}

/* ---- variables ---- */

static bool is_kernel(LLVMValueRef function)
{
    enum { PTX_KERNEL = 71 };
    return LLVMGetFunctionCallConv(function) == PTX_KERNEL && !LLVMIsDeclaration(function);
}

/* Is it used in the kernel that runs, or in a function that the kernel may call? */
static bool is_used(const Decoder *d, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef in = LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
        if (in ? in == d->kernel || !is_kernel(in) : is_used(d, user))
            return true;
    }
    return false;
}

static void variable_place(Decoder *d, Variable *variable, LLVMValueRef global)
{
    Image *image = d->image;
    if (variable->space == 3) {
        if (variable->dynamic)
            return;
        variable->address = round_up(image->shared_static, variable->align < 128 ? 128 : variable->align);
        image->shared_static = variable->address + variable->bytes + SHARED_REDZONE;
        return;
    }
    unsigned window = image->first_window + image->variable_count;
    variable->address = GLOBAL_BASE + ((uint64_t)window << WINDOW_SHIFT) + WINDOW_MARGIN;
    variable->readonly = variable->space == 4 || LLVMIsGlobalConstant(global);
}

static void variable_add(Decoder *d, LLVMValueRef global)
{
    Image *image = d->image;
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    const char *name = LLVMGetValueName(global);
    if (strncmp(name, "llvm.", 5) == 0 || !LLVMTypeIsSized(type))
        return;
    Variable *variable = &image->variable[image->variable_count];
    variable->name = name;
    variable->space = (uint8_t)LLVMGetPointerAddressSpace(LLVMTypeOf(global));
    variable->bytes = LLVMABISizeOfType(image->layout, type);
    variable->align = LLVMGetAlignment(global) ? LLVMGetAlignment(global) : LLVMABIAlignmentOfType(image->layout, type);
    variable->dynamic = variable->space == 3 && LLVMIsDeclaration(global);
    LLVMValueRef initial = LLVMGetInitializer(global);
    variable->undefined = variable->space == 3 || !initial || LLVMIsUndef(initial);
    variable_place(d, variable, global);
    map_put(d->variables, global, variable);
    image->variable_count++;
}

static void variables_collect(Decoder *d)
{
    Image *image = d->image;
    unsigned count = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(image->module); g; g = LLVMGetNextGlobal(g))
        count++;
    image->variable = ARENA_ARRAY(d->arena, Variable, count + 1);
    image->shared_static = SHARED_FIRST;
    for (LLVMValueRef g = LLVMGetFirstGlobal(image->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 3 || is_used(d, g)) /* other kernels' arrays take no room */
            variable_add(d, g);
    image->shared_dynamic = round_up(image->shared_static, 1024);
    for (unsigned i = 0; i < image->variable_count; i++)
        if (image->variable[i].dynamic)
            image->variable[i].address = image->shared_dynamic;
}

static void variables_fill(Decoder *d)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->image->module); g; g = LLVMGetNextGlobal(g)) {
        Variable *variable = map_get(d->variables, g);
        LLVMValueRef initial = LLVMGetInitializer(g);
        if (!variable || variable->space == 3 || !initial || LLVMIsNull(initial) || LLVMIsUndef(initial))
            continue;
        variable->data = ARENA_ARRAY(d->arena, uint8_t, variable->bytes + 8);
        if (!constant_bytes(d, initial, variable->data, 0))
            d->image->error = arena_text(d->arena,
                                         "%s: the initial value of '%s' is a constant expression that is not "
                                         "supported",
                                         d->image->path, variable->name);
    }
}

/* ---- the kernel ---- */

/* The plain name inside an Itanium mangled one: _Z3foo..., _ZN1a3fooE...; copies the last component. */
static bool name_matches(const char *mangled, const char *name)
{
    if (strcmp(mangled, name) == 0)
        return true;
    if (strncmp(mangled, "_Z", 2) != 0)
        return false;
    const char *at = mangled + 2, *plain = NULL;
    size_t length = 0;
    bool nested = *at == 'N';
    for (at += nested; *at == 'L'; at++)
        ;
    while (*at >= '0' && *at <= '9') {
        length = 0;
        for (; *at >= '0' && *at <= '9'; at++)
            length = length * 10 + (size_t)(*at - '0');
        if (length > strlen(at))
            return false;
        plain = at;
        at += length;
        if (!nested)
            break;
    }
    return plain && strlen(name) == length && strncmp(plain, name, length) == 0;
}

static LLVMValueRef kernel_find(Image *image, const char *name)
{
    LLVMValueRef found = NULL, second = NULL;
    Text names = text_new(image->arena);
    for (LLVMValueRef f = LLVMGetFirstFunction(image->module); f; f = LLVMGetNextFunction(f)) {
        if (!is_kernel(f))
            continue;
        text_add(&names, " %s", LLVMGetValueName(f));
        if (strcmp(LLVMGetValueName(f), name) == 0)
            return f;
        if (!name_matches(LLVMGetValueName(f), name))
            continue;
        second = found;
        found = f;
    }
    if (!found)
        image->error = arena_text(image->arena, "%s has no kernel '%s'; its kernels are:%s", image->path, name,
                                  names.length ? names.data : " none");
    else if (second)
        image->error = arena_text(image->arena, "kernel name '%s' is ambiguous in %s: %s and %s at least; give the exact name",
                                  name, image->path, LLVMGetValueName(second), LLVMGetValueName(found));
    return second ? NULL : found;
}

static void module_keep(List *modules, const char *path, LLVMModuleRef module)
{
    Known *known = ARENA_NEW(modules->arena, Known);
    *known = (Known){arena_copy(modules->arena, path, strlen(path)), module};
    list_add(modules, known);
}

void modules_free(List *modules)
{
    for (size_t i = 0; i < modules->count; i++)
        module_free(((const Known *)modules->item[i])->module);
}

Image *image_load(Arena *arena, const char *path, const Options *options)
{
    Image *image = ARENA_NEW(arena, Image);
    image->arena = arena;
    image->path = path;
    image->first_window = options->arg_count;
    image->module = module_known(options->modules, path);
    if (!image->module) {
        if (!module_read(image))
            return image;
        module_keep(options->modules, path, image->module);
    }
    image->layout = LLVMGetModuleDataLayout(image->module);
    Decoder d = {.image = image,
                 .arena = arena,
                 .shapes = map_new(arena),
                 .wheres = map_new(arena),
                 .funcs = map_new(arena),
                 .variables = map_new(arena),
                 .constants = map_new(arena),
                 .queue = list_new(arena)};
    image->where = array_room(arena, NULL, 0, &d.where_capacity, sizeof *image->where);
    image->where[image->where_count++] = (Where){.file = ""};
    constant_ref(&d, 0, 0);
    LLVMValueRef kernel = kernel_find(image, options->kernel);
    if (!kernel)
        return image;
    d.kernel = kernel;
    variables_collect(&d);
    image->kernel = func_get(&d, kernel);
    variables_fill(&d);
    for (size_t i = 0; i < d.queue.count; i++)
        func_decode(&d, d.queue.item[i]);
    if (image->kernel->params != image->kernel->arguments)
        image->error = arena_text(arena, "kernel %s takes a struct that is not passed byval", image->kernel->name);
    return image;
}
