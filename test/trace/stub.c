/* Stands in for libcupti.so and libcuda.so: keeps kernels until it is told to flush, and copies until a stream is waited for. */
#include "stub.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_KERNELS = 100000, RECORDS_A_BUFFER = 3, MOST_CALLS = 64, DEVICE_BYTES = 1 << 20, REFUSED = 1 };

static BufferRequested request;
static BufferCompleted complete;
static KernelRecord kernels[MOST_KERNELS];
static size_t launched;
static int enabled, captures;
static atomic_bool is_switching;
static Callback callback;
static uint32_t watched[MOST_CALLS], correlation;
static int calls;
static const char *device;
static const size_t *parameter_sizes;
static size_t parameters_known;
static struct {
    void *to;
    const void *from;
    size_t bytes;
} later;

int cuptiActivityRegisterCallbacks(BufferRequested, BufferCompleted);
int cuptiActivityEnable(int kind);
int cuptiActivityDisable(int kind);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record);
int cuptiActivityFlushAll(uint32_t flag);
int cuptiSubscribe(void **subscriber, Callback given, void *user);
int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t call);
int cuStreamSynchronize(void *stream);
int cuStreamIsCapturing(void *stream, int *status);
int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer);
int cuDeviceGetName(char *name, int length, int ordinal);
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size);
int cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *size);

/* ---- CUPTI ---- */

int cuptiActivityRegisterCallbacks(BufferRequested requested, BufferCompleted completed)
{
    request = requested;
    complete = completed;
    return getenv("STUB_REFUSES") ? REFUSED : CUPTI_OK;
}

int cuptiActivityEnable(int kind)
{
    enabled |= kind == ACTIVITY_CONCURRENT_KERNEL;
    return CUPTI_OK;
}

/* A buffer is completed by whoever switches recording off, a while after it began to. */
static void complete_slowly(void)
{
    const struct timespec while_others_end = {.tv_nsec = 300000000};
    uint8_t *buffer;
    size_t size, most;
    atomic_store(&is_switching, true);
    nanosleep(&while_others_end, NULL);
    request(&buffer, &size, &most);
    complete(NULL, 0, buffer, size, 0);
}

int cuptiActivityDisable(int kind)
{
    enabled &= kind != ACTIVITY_CONCURRENT_KERNEL;
    if (getenv("STUB_COMPLETES"))
        complete_slowly();
    return CUPTI_OK;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof(KernelRecord) : buffer;
    if (next + sizeof(KernelRecord) > buffer + valid)
        return REFUSED;
    *record = next;
    return CUPTI_OK;
}

int cuptiActivityFlushAll(uint32_t flag)
{
    for (size_t from = 0; flag == FLUSH_ALL && from < launched; from += RECORDS_A_BUFFER) {
        uint8_t *buffer;
        size_t size, most, count = launched - from < RECORDS_A_BUFFER ? launched - from : RECORDS_A_BUFFER;
        request(&buffer, &size, &most);
        memcpy(buffer, &kernels[from], count * sizeof *kernels);
        complete(NULL, 0, buffer, size, count * sizeof *kernels);
    }
    launched = 0;
    return CUPTI_OK;
}

int cuptiSubscribe(void **subscriber, Callback given, void *user)
{
    (void)user;
    callback = given;
    *subscriber = &callback;
    return CUPTI_OK;
}

int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t call)
{
    if (subscriber != &callback || domain != DOMAIN_DRIVER || calls == MOST_CALLS)
        return REFUSED;
    for (int i = 0; !enable && i < calls; i++)
        watched[i] = watched[i] == call ? 0 : watched[i];
    if (!enable)
        return CUPTI_OK;
    watched[calls++] = call;
    return CUPTI_OK;
}

/* ---- the driver ---- */

int cuStreamSynchronize(void *stream)
{
    (void)stream;
    if (later.bytes)
        memcpy(later.to, later.from, later.bytes);
    later.bytes = 0;
    return captures ? REFUSED : CUDA_OK;
}

int cuStreamIsCapturing(void *stream, int *status)
{
    (void)stream;
    *status = captures;
    return CUDA_OK;
}

int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer)
{
    const char *at = (const char *)(uintptr_t)pointer;
    if (attribute != ATTRIBUTE_MEMORY_TYPE || at < device || at >= device + DEVICE_BYTES)
        return REFUSED;
    *(int *)value = MEMORY_DEVICE;
    return CUDA_OK;
}

int cuDeviceGetName(char *name, int length, int ordinal)
{
    strncpy(name, "A GPU of paper", (size_t)length);
    return ordinal ? REFUSED : CUDA_OK;
}

/* Odd handles are those of kernels. */
static int size_of(size_t index, size_t *offset, size_t *size)
{
    if (index >= parameters_known || getenv("STUB_IS_OLD"))
        return REFUSED;
    *offset = 0;
    *size = parameter_sizes[index];
    return CUDA_OK;
}

int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size)
{
    return (uintptr_t)function % 2 ? REFUSED : size_of(index, offset, size);
}

int cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *size)
{
    return (uintptr_t)kernel % 2 ? size_of(index, offset, size) : REFUSED;
}

/* ---- the script ---- */

void stub_launch(const KernelRecord *record)
{
    if (!enabled)
        return;
    if (launched == MOST_KERNELS)
        abort();
    kernels[launched++] = *record;
}

static void tell_site(int site, uint32_t call, const void *parameters, const char *kernel, int result)
{
    for (int i = 0; i < calls; i++)
        if (watched[i] == call) {
            const CallData data = {site, "", parameters, &result, kernel, NULL, 0, NULL, correlation};
            callback(NULL, DOMAIN_DRIVER, call, &data);
        }
}

static void tell(uint32_t call, const void *parameters, const char *kernel, int result)
{
    correlation++;
    tell_site(SITE_ENTER, call, parameters, kernel, result);
    tell_site(SITE_EXIT, call, parameters, kernel, result);
}

void stub_return(uint32_t call, const void *parameters, int result) { tell(call, parameters, NULL, result); }

void stub_call(uint32_t call, const void *parameters, const char *kernel, const size_t *sizes, size_t count)
{
    parameter_sizes = sizes;
    parameters_known = count;
    tell(call, parameters, kernel, CUDA_OK);
}

void stub_run(uint32_t call, const void *parameters, KernelRecord *record, int result)
{
    record->correlationId = ++correlation;
    tell_site(SITE_ENTER, call, parameters, record->name, result);
    if (result == CUDA_OK)
        stub_launch(record);
    tell_site(SITE_EXIT, call, parameters, record->name, result);
}

void stub_copy_later(void *to, const void *from, size_t bytes)
{
    later.to = to;
    later.from = from;
    later.bytes = bytes;
}

void stub_capture(int status) { captures = status; }

void stub_wait_for_switch(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!atomic_load(&is_switching))
        nanosleep(&moment, NULL);
}

void stub_device(const void *begin) { device = begin; }
