/* How long a kernel's launches took, by a profile: whatever body it is of, since a report is made of many. */
#include <string.h>

#include "pass/profile/profile.h"
#include "report.h"

static void times_add(Total *total, const ProfileKernel *kernel)
{
    static const double nanoseconds = 1000;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        const ProfileLaunch *launch = kernel->launches.item[i];
        total->launches += (double)launch->count;
        total->microseconds += (double)launch->count * (double)launch->median / nanoseconds;
    }
}

const char *times_read(const char *path, Table *table)
{
    Profile profile = profile_new(table->arena, path);
    const char *wrong = profile_read(&profile);
    if (wrong)
        return wrong;
    for (size_t i = 0; i < table->totals.count; i++) {
        Total *total = table->totals.item[i];
        const char *name = profile_name(table->arena, total->kernel);
        for (size_t j = 0; j < profile.kernels.count; j++) {
            const ProfileKernel *kernel = profile.kernels.item[j];
            if (strcmp(kernel->name, name) == 0)
                times_add(total, kernel);
        }
    }
    table_order(table);
    return NULL;
}
