/* CUPTI and the driver, where the machine has them. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cupti_calls.h"

enum { PATH = 4096 };

/* Of a CUPTI that the process may have loaded, then where toolkits keep it. A newer one than the driver knows refuses later. */
static void *open_cupti(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    static const char *const folders[] = {"/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/lib64/"};
    const char *given = getenv("COALDA_CUPTI");
    void *library = NULL;
    if (given && *given)
        return dlopen(given, RTLD_NOW);
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW);
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
            char path[PATH];
            snprintf(path, sizeof path, "%s%s", folders[k], names[i]);
            library = dlopen(path, RTLD_NOW);
        }
    return library;
}

/* A function's address is kept as it came: POSIX lets dlsym give functions. */
static int take(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

const char *cupti_load(Cupti *cupti)
{
    void *library = open_cupti();
    if (!library)
        return "no libcupti.so is found: let COALDA_CUPTI be its path, as in /usr/local/cuda/extras/CUPTI/lib64/libcupti.so";
    take(library, "cuptiActivityDisable", &cupti->disable);
    int all = take(library, "cuptiActivityRegisterCallbacks", &cupti->register_buffers) &
              take(library, "cuptiActivityEnable", &cupti->enable) &
              take(library, "cuptiActivityGetNextRecord", &cupti->next_record) &
              take(library, "cuptiActivityFlushAll", &cupti->flush) & take(library, "cuptiSubscribe", &cupti->subscribe) &
              take(library, "cuptiEnableCallback", &cupti->enable_call);
    return all ? NULL : "what is found as libcupti.so has not all functions that are needed";
}

int driver_load(Driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        library = dlopen(NULL, RTLD_NOW);
    if (!library)
        return 0;
    take(library, "cuFuncGetParamInfo", &driver->parameter_of);
    take(library, "cuKernelGetParamInfo", &driver->parameter_of_kernel);
    return take(library, "cuStreamSynchronize", &driver->synchronize) & take(library, "cuStreamIsCapturing", &driver->capture_of) &
           take(library, "cuPointerGetAttribute", &driver->attribute_of) &
           take(library, "cuDeviceGetName", &driver->name_of_device);
}
