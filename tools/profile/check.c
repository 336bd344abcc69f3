/* Is all that a profile says said of kernels that are there? */
#include <inttypes.h>
#include <string.h>

#include "tool.h"

static const ProfileKernel *of_that_name(const Profile *modules, const char *name)
{
    for (size_t i = 0; i < modules->kernels.count; i++) {
        const ProfileKernel *kernel = modules->kernels.item[i];
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return NULL;
}

static const ProfileKernel *of_that_body(const Profile *modules, const ProfileKernel *kernel)
{
    for (size_t i = 0; i < modules->kernels.count; i++) {
        const ProfileKernel *there = modules->kernels.item[i];
        if (there->body == kernel->body && strcmp(there->name, kernel->name) == 0)
            return there;
    }
    return NULL;
}

size_t profile_check(const Profile *profile, const Profile *modules)
{
    size_t found = 0;
    for (size_t i = 0; i < profile->kernels.count; i++) {
        const ProfileKernel *kernel = profile->kernels.item[i], *named = of_that_name(modules, kernel->name);
        if (named && (kernel->body == ANY_BODY || of_that_body(modules, kernel)))
            continue;
        found++;
        if (named)
            printf("%s:%d: stale: %s has the body %016" PRIx64 " by now, not %016" PRIx64 "\n", profile->path, kernel->line,
                   kernel->name, named->body, kernel->body);
        else
            printf("%s:%d: unknown: no module has a kernel %s\n", profile->path, kernel->line, kernel->name);
    }
    return found;
}
