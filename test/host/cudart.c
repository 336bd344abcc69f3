/* Stands in for libcudart: says which kernels it is told of, which is launched, and of which a program asks. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KERNELS = 64 };

typedef struct {
    unsigned x, y, z;
} Extent;

static struct {
    const void *handle;
    const char *name;
} kernels[MOST_KERNELS];
static size_t count;
static struct {
    Extent grid, block;
    size_t shared;
    void *stream;
} launch;

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **image);
void __cudaUnregisterFatBinary(void **image);
int __cudaRegisterFunction(void **image, const void *handle, char *shown, const char *name, int threads, void *thread, void *block,
                           void *blocks, void *grid, int *warp);
void __cudaRegisterVar(void **image, void *variable, char *shown, const char *name, int external, size_t bytes, int constant,
                       int global);
unsigned __cudaPushCallConfiguration(Extent grid, Extent block, size_t shared, void *stream);
int __cudaPopCallConfiguration(Extent *grid, Extent *block, size_t *shared, void **stream);
int cudaLaunchKernel(const void *handle, Extent grid, Extent block, void **arguments, size_t shared, void *stream);
int cudaLaunchKernel_ptsz(const void *handle, Extent grid, Extent block, void **arguments, size_t shared, void *stream);
int cudaFuncGetAttributes(void *attributes, const void *handle);
int cudaStreamIsCapturing(void *stream, int *status);
int cudaStreamIsCapturing_ptsz(void *stream, int *status);
int cudaFuncSetAttribute(const void *handle, int attribute, int value);

static const char *name_of(const void *handle)
{
    for (size_t i = 0; i < count; i++)
        if (kernels[i].handle == handle)
            return kernels[i].name;
    return "nothing that is known";
}

void **__cudaRegisterFatBinary(void *image) { return image; }
void __cudaRegisterFatBinaryEnd(void **image) { (void)image; }
void __cudaUnregisterFatBinary(void **image) { (void)image; }

void __cudaRegisterVar(void **image, void *variable, char *shown, const char *name, int external, size_t bytes, int constant,
                       int global)
{
    (void)image, (void)variable, (void)shown, (void)name, (void)external, (void)bytes, (void)constant, (void)global;
}

int __cudaRegisterFunction(void **image, const void *handle, char *shown, const char *name, int threads, void *thread, void *block,
                           void *blocks, void *grid, int *warp)
{
    (void)image, (void)threads, (void)thread, (void)block, (void)blocks, (void)grid, (void)warp;
    if (count == MOST_KERNELS || strcmp(shown, name) != 0)
        return 1;
    kernels[count].handle = handle;
    kernels[count++].name = name;
    printf("registered %s\n", name);
    return 0;
}

unsigned __cudaPushCallConfiguration(Extent grid, Extent block, size_t shared, void *stream)
{
    launch.grid = grid;
    launch.block = block;
    launch.shared = shared;
    launch.stream = stream;
    return 0;
}

int __cudaPopCallConfiguration(Extent *grid, Extent *block, size_t *shared, void **stream)
{
    *grid = launch.grid;
    *block = launch.block;
    *shared = launch.shared;
    *stream = launch.stream;
    return 0;
}

/* The number that a kernel is given behind its arguments, where its name says that there is one, and what comes first of those. */
static void say_behind(const char *name, void **arguments, Extent grid)
{
    const char *at = strstr(name, "_args");
    unsigned count;
    if (at && sscanf(at, "_args%u_", &count) == 1)
        printf("behind %u: %u, rows %u, first %d\n", count, *(unsigned *)arguments[count], grid.y,
               count ? *(int *)arguments[0] : 0);
}

int cudaLaunchKernel(const void *handle, Extent grid, Extent block, void **arguments, size_t shared, void *stream)
{
    (void)stream;
    printf("launched %s, %u blocks of %u, %zu bytes\n", name_of(handle), grid.x, block.x, shared);
    say_behind(name_of(handle), arguments, grid);
    return 0;
}

int cudaLaunchKernel_ptsz(const void *handle, Extent grid, Extent block, void **arguments, size_t shared, void *stream)
{
    return cudaLaunchKernel(handle, grid, block, arguments, shared, stream);
}

int cudaFuncGetAttributes(void *attributes, const void *handle)
{
    (void)attributes;
    printf("asked of %s\n", name_of(handle));
    return 0;
}

int cudaFuncSetAttribute(const void *handle, int attribute, int value)
{
    printf("set %d to %d of %s\n", attribute, value, name_of(handle));
    return 0;
}

/* Streams 7 and 8: one that is captured, and one of which that cannot be asked. */
int cudaStreamIsCapturing(void *stream, int *status)
{
    *status = stream == (void *)7;
    return stream == (void *)8;
}

int cudaStreamIsCapturing_ptsz(void *stream, int *status) { return cudaStreamIsCapturing(stream, status); }
