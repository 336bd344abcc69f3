/* Digests of what a program copies from the device to the host: what it computed, as far as it ever looks at it. */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "digest.h"
#include "parts.h"

typedef struct {
    uint64_t bytes, digest;
} Copied;

static Driver driver;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    Copied *item;
    size_t count, capacity;
} copied;

typedef enum { TO_HOST, ANYWHERE, ROWS } CopyKind;

typedef struct {
    uint32_t call;
    CopyKind kind;
    bool later;      /* it returns before the bytes are there */
    bool per_thread; /* no stream is the thread's own */
} CopyForm;

static const CopyForm forms[] = {
    {CALL_MEMCPY_DTOH, TO_HOST, false, false},      {CALL_MEMCPY_DTOH_PTDS, TO_HOST, false, true},
    {CALL_MEMCPY_DTOH_ASYNC, TO_HOST, true, false}, {CALL_MEMCPY_DTOH_ASYNC_PTSZ, TO_HOST, true, true},
    {CALL_MEMCPY, ANYWHERE, false, false},          {CALL_MEMCPY_PTDS, ANYWHERE, false, true},
    {CALL_MEMCPY_ASYNC, ANYWHERE, true, false},     {CALL_MEMCPY_ASYNC_PTSZ, ANYWHERE, true, true},
    {CALL_MEMCPY_2D, ROWS, false, false},           {CALL_MEMCPY_2D_UNALIGNED, ROWS, false, false},
    {CALL_MEMCPY_2D_PTDS, ROWS, false, true},       {CALL_MEMCPY_2D_UNALIGNED_PTDS, ROWS, false, true},
    {CALL_MEMCPY_2D_ASYNC, ROWS, true, false},      {CALL_MEMCPY_2D_ASYNC_PTSZ, ROWS, true, true},
};

enum { FORMS = sizeof forms / sizeof *forms };

static void remember(uint64_t bytes, uint64_t digest)
{
    enum { FEWEST = 256 };
    pthread_mutex_lock(&lock);
    if (copied.count == copied.capacity) {
        size_t capacity = copied.capacity ? 2 * copied.capacity : FEWEST;
        Copied *item = realloc(copied.item, capacity * sizeof *item);
        if (!item)
            abort();
        copied.item = item;
        copied.capacity = capacity;
    }
    copied.item[copied.count++] = (Copied){bytes, digest};
    pthread_mutex_unlock(&lock);
}

/* ---- where a copy leads ---- */

/* Of memory that the driver knows nothing of, which is the host's. */
static int type_of(uint64_t pointer)
{
    int type = MEMORY_HOST;
    return driver.attribute_of(&type, ATTRIBUTE_MEMORY_TYPE, pointer) == CUDA_OK ? type : MEMORY_HOST;
}

static bool leads_to_host(const CopyCall *call) { return type_of(call->to) == MEMORY_HOST && type_of(call->from) != MEMORY_HOST; }

/* The first byte of the first row; NULL where that is not the host's, or comes from there. */
static const char *rows_on_host(const Copy2D *copy)
{
    bool unified = copy->dstMemoryType == MEMORY_UNIFIED;
    if (copy->dstMemoryType != MEMORY_HOST && !(unified && type_of(copy->dstDevice) == MEMORY_HOST))
        return NULL;
    if (copy->srcMemoryType == MEMORY_HOST || (copy->srcMemoryType == MEMORY_UNIFIED && type_of(copy->srcDevice) == MEMORY_HOST))
        return NULL;
    const char *first = unified ? (const char *)(uintptr_t)copy->dstDevice : copy->dstHost;
    return first + copy->dstY * copy->dstPitch + copy->dstXInBytes;
}

/* ---- calls ---- */

/* Waits until the bytes are there. False while a graph is captured: nothing is copied then. */
static bool is_there(const CopyForm *form, void *stream)
{
    int status = CAPTURE_NONE;
    if (!form->later)
        return true;
    if (!stream && form->per_thread)
        stream = (void *)(intptr_t)STREAM_PER_THREAD; /* NOLINT: the driver's own handle */
    if (driver.capture_of(stream, &status) != CUDA_OK || status != CAPTURE_NONE)
        return false;
    return driver.synchronize(stream) == CUDA_OK;
}

static void hash_rows(const CopyForm *form, const CopyCall2D *call)
{
    const Copy2D *copy = call->copy;
    const char *row = rows_on_host(copy);
    uint64_t digest = 0;
    if (!row || !is_there(form, form->later ? call->stream : NULL))
        return;
    for (size_t i = 0; i < copy->Height; i++)
        digest = digest_of(digest, row + i * copy->dstPitch, copy->WidthInBytes);
    remember(copy->WidthInBytes * copy->Height, digest);
}

static void hash_bytes(const CopyForm *form, const CopyCall *call)
{
    if ((form->kind == ANYWHERE && !leads_to_host(call)) || !is_there(form, form->later ? call->stream : NULL))
        return;
    remember(call->bytes, digest_of(0, (const void *)(uintptr_t)call->to, call->bytes));
}

static void on_call(void *user, int domain, uint32_t number, const void *data)
{
    const CallData *call = data;
    (void)user;
    if (domain != DOMAIN_DRIVER || call->callbackSite != SITE_EXIT || *call->functionReturnValue != CUDA_OK)
        return;
    for (int i = 0; i < FORMS; i++) {
        if (forms[i].call != number)
            continue;
        if (forms[i].kind == ROWS)
            hash_rows(&forms[i], call->functionParams);
        else
            hash_bytes(&forms[i], call->functionParams);
    }
}

const char *copies_watch(const Cupti *cupti, const Driver *loaded)
{
    void *subscriber = NULL;
    driver = *loaded;
    if (cupti->subscribe(&subscriber, on_call, NULL) != CUPTI_OK)
        return "CUPTI gives no callbacks: another tool may have them";
    for (int i = 0; i < FORMS; i++)
        if (cupti->enable_call(true, subscriber, DOMAIN_DRIVER, forms[i].call) != CUPTI_OK)
            return "CUPTI does not tell of copies";
    return NULL;
}

void copies_tell(FILE *out)
{
    fprintf(out, "coalda-copies 1\n");
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < copied.count; i++)
        fprintf(out, "%zu %" PRIu64 " %016" PRIx64 "\n", i + 1, copied.item[i].bytes, copied.item[i].digest);
    pthread_mutex_unlock(&lock);
}
