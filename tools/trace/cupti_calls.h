/* What is used of CUPTI and of the CUDA driver, as their headers declare it: neither is needed to build, and both are found at run time.
 * Numbers never change their meaning there, and records grow at their ends alone; test/trace/layout.c holds all of it against the headers. */
#ifndef COALDA_TRACE_CUPTI_H
#define COALDA_TRACE_CUPTI_H

#include <stddef.h>
#include <stdint.h>

enum { CUPTI_OK = 0, CUDA_OK = 0 };

/* CUpti_ActivityKind. Kernels of several streams still run side by side while this one is recorded. */
enum { ACTIVITY_CONCURRENT_KERNEL = 10, FLUSH_ALL = 1 };

/* The beginning of CUpti_ActivityKernel4 and all later ones. Times are nanoseconds. */
typedef struct {
    uint32_t kind;
    uint8_t cacheConfig, sharedMemoryConfig;
    uint16_t registersPerThread;
    uint32_t partitionedGlobalCacheRequested, partitionedGlobalCacheExecuted;
    uint64_t start, end, completed;
    uint32_t deviceId, contextId, streamId;
    int32_t gridX, gridY, gridZ, blockX, blockY, blockZ;
    int32_t staticSharedMemory, dynamicSharedMemory;
    uint32_t localMemoryPerThread, localMemoryTotal, correlationId;
    int64_t gridId;
    const char *name; /* as linked */
} KernelRecord;

/* CUpti_CallbackData, as far as it is read; the domain and the site of a call to the driver that is about to return. */
typedef struct {
    int callbackSite;
    const char *functionName;
    const void *functionParams;
    const int *functionReturnValue;
    const char *symbolName; /* of launches: the kernel, as linked */
    void *context;
    uint32_t contextUid;
    uint64_t *correlationData;
    uint32_t correlationId; /* as its record has it */
} CallData;

enum { DOMAIN_DRIVER = 1, SITE_ENTER = 0, SITE_EXIT = 1 };

/* CUpti_driver_api_trace_cbid: launches; those of programs whose default stream is the thread's; with attributes; of grids that wait for themselves. */
enum {
    CALL_LAUNCH = 307,
    CALL_LAUNCH_PTSZ = 442,
    CALL_LAUNCH_COOPERATIVE = 477,
    CALL_LAUNCH_COOPERATIVE_PTSZ = 478,
    CALL_LAUNCH_EX = 652,
    CALL_LAUNCH_EX_PTSZ = 653,
};

/* The same: how graphs come to be and are launched, and launches as they were before CUDA 4, or on several devices at once. */
enum {
    CALL_OLD_LAUNCH = 115,
    CALL_OLD_LAUNCH_GRID = 116,
    CALL_OLD_LAUNCH_GRID_ASYNC = 117,
    CALL_LAUNCH_DEVICES = 480,
    CALL_CAPTURE = 495,
    CALL_CAPTURE_PTSZ = 496,
    CALL_GRAPH = 501,
    CALL_GRAPH_LAUNCH = 514,
    CALL_GRAPH_LAUNCH_PTSZ = 515,
    CALL_CAPTURE_V2 = 539,
    CALL_CAPTURE_V2_PTSZ = 540,
    CALL_CAPTURE_TO_GRAPH = 720,
    CALL_CAPTURE_TO_GRAPH_PTSZ = 721,
};

/* cuLaunchKernel_params, and cuLaunchCooperativeKernel_params, which ends there; cuLaunchKernelEx_params. */
typedef struct {
    void *function;
    uint32_t gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
    void *stream;
    void **arguments; /* the address of each; NULL where they are handed over otherwise */
} LaunchCall;

/* The beginning of CUlaunchConfig. */
typedef struct {
    uint32_t gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
} LaunchConfig;

typedef struct {
    const LaunchConfig *config;
    void *function;
    void **arguments;
} LaunchCallEx;

/* CUpti_driver_api_trace_cbid: copies that may lead from the device to the host, and those of programs whose default stream is the thread's. */
enum {
    CALL_MEMCPY_DTOH = 278,
    CALL_MEMCPY_DTOH_ASYNC = 279,
    CALL_MEMCPY_2D = 287,
    CALL_MEMCPY_2D_UNALIGNED = 288,
    CALL_MEMCPY_2D_ASYNC = 289,
    CALL_MEMCPY = 305,
    CALL_MEMCPY_ASYNC = 306,
    CALL_MEMCPY_DTOH_PTDS = 398,
    CALL_MEMCPY_2D_PTDS = 405,
    CALL_MEMCPY_2D_UNALIGNED_PTDS = 406,
    CALL_MEMCPY_PTDS = 408,
    CALL_MEMCPY_ASYNC_PTSZ = 418,
    CALL_MEMCPY_DTOH_ASYNC_PTSZ = 422,
    CALL_MEMCPY_2D_ASYNC_PTSZ = 424,
};

/* cuMemcpyDtoHAsync_v2_params and cuMemcpyAsync_params; those of the synchronous ones end before the stream. */
typedef struct {
    uint64_t to, from;
    size_t bytes;
    void *stream;
} CopyCall;

/* CUmemorytype */
enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

/* CUDA_MEMCPY2D */
typedef struct {
    size_t srcXInBytes, srcY;
    int srcMemoryType;
    const void *srcHost;
    uint64_t srcDevice;
    void *srcArray;
    size_t srcPitch, dstXInBytes, dstY;
    int dstMemoryType;
    void *dstHost;
    uint64_t dstDevice;
    void *dstArray;
    size_t dstPitch, WidthInBytes, Height;
} Copy2D;

typedef struct {
    const Copy2D *copy;
    void *stream;
} CopyCall2D;

/* CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_STREAM_CAPTURE_STATUS_NONE, CU_STREAM_PER_THREAD */
enum { ATTRIBUTE_MEMORY_TYPE = 2, CAPTURE_NONE = 0, STREAM_PER_THREAD = 2 };

typedef void (*BufferRequested)(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void (*BufferCompleted)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
typedef void (*Callback)(void *user, int domain, uint32_t call, const void *data);

typedef struct {
    int (*register_buffers)(BufferRequested, BufferCompleted);
    int (*enable)(int kind);
    int (*disable)(int kind); /* or NULL */
    int (*next_record)(uint8_t *buffer, size_t valid, void **record);
    int (*flush)(uint32_t flag);
    int (*subscribe)(void **subscriber, Callback callback, void *user);
    int (*enable_call)(uint32_t enable, void *subscriber, int domain, uint32_t call);
} Cupti;

typedef struct {
    int (*synchronize)(void *stream);
    int (*capture_of)(void *stream, int *status);
    int (*attribute_of)(void *value, int attribute, uint64_t pointer);
    int (*name_of_device)(char *name, int length, int device);
    /* From CUDA 12.4 on, else NULL: of a CUfunction, and of a CUkernel, which launches take as well. */
    int (*parameter_of)(void *function, size_t index, size_t *offset, size_t *size);
    int (*parameter_of_kernel)(void *kernel, size_t index, size_t *offset, size_t *size);
} Driver;

/* ---- cupti_load.c ---- */

/* NULL, or what is missing. */
const char *cupti_load(Cupti *cupti);
/* Of the driver that the process has loaded. False where it lacks any of them. */
int driver_load(Driver *driver);

#endif
