/* trace-replay LIBRARY < SCRIPT: a program without a GPU that is traced. Lines of the script:
 *
 *     kernel NAME GX GY GZ BX BY BZ SHARED NANOSECONDS [TIMES]
 *     run CALL FUNCTION NAME GX GY GZ BX BY BZ SHARED NANOSECONDS TIMES    the same, by calls
 *     refused ...           such calls return an error
 *     thread ...            such calls by another thread
 *     beside ...            by one that still runs when the program ends, which is once recording is switched off
 *     graph CALL            a call that has to do with graphs
 *     call CALL FUNCTION NAME BYTES=VALUE...   a launch with such arguments, its times untold; odd FUNCTIONs are kernels'
 *     copy CALL TEXT        CALL is a number of cupti_calls.h; the text is what the device has
 *     upload CALL TEXT      from the host to the device, or on the device
 *     rows CALL TEXT        half of it as two rows of a longer pitch
 *     failed CALL TEXT      the call returns an error
 *     capture 0|1           a graph is captured */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stub.h"

enum { LONGEST = 512, PITCH = 64, DEVICE = 1 << 20 };

static char device[DEVICE], host[DEVICE];

static int is_later(uint32_t call)
{
    return call == CALL_MEMCPY_DTOH_ASYNC || call == CALL_MEMCPY_ASYNC || call == CALL_MEMCPY_ASYNC_PTSZ ||
           call == CALL_MEMCPY_DTOH_ASYNC_PTSZ;
}

static void play_kernel(const char *line)
{
    char *name = malloc(LONGEST);
    unsigned long long took, times = 1;
    KernelRecord record = {.kind = ACTIVITY_CONCURRENT_KERNEL, .name = name, .start = 1000};
    int read = sscanf(line, "kernel %500s %d %d %d %d %d %d %d %llu %llu", name, &record.gridX, &record.gridY, &record.gridZ,
                      &record.blockX, &record.blockY, &record.blockZ, &record.dynamicSharedMemory, &took, &times);
    if (read < 9)
        exit(3);
    record.end = record.start + took;
    for (unsigned long long i = 0; i < times; i++)
        stub_launch(&record);
}

static void play_run(const char *line, int result)
{
    static char names[LONGEST][LONGEST]; /* as long as records */
    static int runs;
    char *name = names[runs++ % LONGEST];
    unsigned call, function;
    unsigned long long took, times;
    KernelRecord record = {.kind = ACTIVITY_CONCURRENT_KERNEL, .name = name, .start = 1000};
    LaunchConfig config;
    int read = sscanf(line, "%*s %u %u %500s %u %u %u %u %u %u %u %llu %llu", &call, &function, name, &config.gridX, &config.gridY,
                      &config.gridZ, &config.blockX, &config.blockY, &config.blockZ, &config.shared, &took, &times);
    if (read < 12)
        exit(3);
    memcpy(&record.gridX, &config, offsetof(LaunchConfig, shared));
    record.dynamicSharedMemory = (int32_t)config.shared;
    record.end = record.start + took;
    void *handle = (void *)(uintptr_t)(function); /* NOLINT: the stub's own handle */
    const LaunchCallEx wider = {.config = &config, .function = handle};
    LaunchCall launch = {.function = handle};
    memcpy(&launch.gridX, &config, sizeof config);
    bool is_wider = call == CALL_LAUNCH_EX || call == CALL_LAUNCH_EX_PTSZ;
    for (unsigned long long i = 0; i < times; i++)
        stub_run(call, is_wider ? (const void *)&wider : &launch, &record, result);
}

static void *play_thread(void *line)
{
    play_run(line, CUDA_OK);
    return NULL;
}

static void play_in_thread(char *line)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, play_thread, line) || pthread_join(thread, NULL))
        exit(3);
}

static void play_beside(const char *line)
{
    static char kept[LONGEST];
    pthread_t thread;
    memcpy(kept, line, strlen(line) + 1);
    if (pthread_create(&thread, NULL, play_thread, kept))
        exit(3);
    stub_wait_for_switch();
}

static void play_call(const char *line)
{
    enum { MOST = 8 };
    char name[LONGEST], *at = (char *)line;
    unsigned call, function;
    int read = 0;
    size_t sizes[MOST], count = 0;
    long long values[MOST];
    void *places[MOST];
    if (sscanf(line, "call %u %u %511s%n", &call, &function, name, &read) < 3)
        exit(3);
    for (at += read; count < MOST && sscanf(at, " %zu=%lli%n", &sizes[count], &values[count], &read) == 2; at += read) {
        places[count] = &values[count];
        count++;
    }
    void *handle = (void *)(uintptr_t)(function); /* NOLINT: the stub's own handle */
    const LaunchCall launch = {.function = handle, .arguments = places};
    const LaunchConfig config = {1, 1, 1, 1, 1, 1, 0};
    const LaunchCallEx wider = {.config = &config, .function = handle, .arguments = places};
    bool is_wider = call == CALL_LAUNCH_EX || call == CALL_LAUNCH_EX_PTSZ;
    stub_call(call, is_wider ? (const void *)&wider : &launch, name, sizes, count);
}

static void play_copy(uint32_t call, const char *text, int up, int result)
{
    size_t bytes = strlen(text);
    const CopyCall parameters = {(uint64_t)(uintptr_t)(up ? device : host), (uint64_t)(uintptr_t)(up ? host : device), bytes, NULL};
    memcpy(up ? host : device, text, bytes);
    memset(up ? device : host, 0, bytes);
    if (is_later(call))
        stub_copy_later((void *)(uintptr_t)parameters.to, (void *)(uintptr_t)parameters.from, bytes);
    else
        memcpy((void *)(uintptr_t)parameters.to, (void *)(uintptr_t)parameters.from, bytes);
    stub_return(call, &parameters, result);
}

static void play_rows(uint32_t call, const char *text)
{
    size_t width = strlen(text) / 2;
    const Copy2D copy = {.srcMemoryType = MEMORY_DEVICE,
                         .dstMemoryType = MEMORY_HOST,
                         .dstHost = host,
                         .dstPitch = PITCH,
                         .dstXInBytes = 4,
                         .dstY = 1,
                         .WidthInBytes = width,
                         .Height = 2};
    const CopyCall2D parameters = {&copy, NULL};
    memset(host, 0, sizeof host);
    memcpy(host + PITCH + 4, text, width);
    memcpy(host + 2 * PITCH + 4, text + width, width);
    stub_return(call, &parameters, 0);
}

static void play(const char *line)
{
    char word[16], text[LONGEST] = "";
    unsigned call = 0;
    if (sscanf(line, "%15s %u %511[^\n]", word, &call, text) < 1)
        return;
    if (strcmp(word, "kernel") == 0)
        play_kernel(line);
    else if (strcmp(word, "run") == 0 || strcmp(word, "refused") == 0)
        play_run(line, strcmp(word, "refused") == 0);
    else if (strcmp(word, "thread") == 0)
        play_in_thread((char *)line);
    else if (strcmp(word, "beside") == 0)
        play_beside(line);
    else if (strcmp(word, "graph") == 0)
        stub_return(call, NULL, 0);
    else if (strcmp(word, "call") == 0)
        play_call(line);
    else if (strcmp(word, "capture") == 0)
        stub_capture((int)call);
    else if (strcmp(word, "rows") == 0)
        play_rows(call, text);
    else
        play_copy(call, text, strcmp(word, "upload") == 0, strcmp(word, "failed") == 0);
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*initialize)(void) = NULL;
    char line[LONGEST];
    if (library)
        *(void **)&initialize = dlsym(library, "InitializeInjection");
    if (!initialize || !initialize())
        return 2;
    stub_device(device);
    while (fgets(line, sizeof line, stdin))
        play(line);
    return 0;
}
