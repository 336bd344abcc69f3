/* libcoalda-trace.so: what the kernels of a program take, without a change of the program.
 *
 *     CUDA_INJECTION64_PATH=build/libcoalda-trace.so COALDA_TRACE=out.%p.coalda ./app
 *
 * The CUDA driver loads it when the program first asks for a GPU, however CUDA's runtime is linked. CUPTI records every kernel; when the
 * process ends, a profile of them is written. With COALDA_HASH=1, digests of all that was copied to the host as well, to FILE.copies. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "injection.h"
#include "parts.h"

static Cupti cupti;
static Driver driver;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t traced; /* a child that was forked and has no GPU writes nothing */
static int has_driver, hashes;

static void complain(const char *what) { fprintf(stderr, "coalda-trace: %s\n", what); }

/* ---- CUPTI's buffers ---- */

static void on_request(uint8_t **buffer, size_t *size, size_t *most_records)
{
    enum { BYTES = 1 << 20 };
    *buffer = malloc(BYTES); /* aligned to eight bytes, as CUPTI asks for */
    *size = *buffer ? BYTES : 0;
    *most_records = 0;
}

static void on_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    void *record = NULL;
    (void)context, (void)stream, (void)size;
    pthread_mutex_lock(&lock);
    while (cupti.next_record(buffer, valid, &record) == CUPTI_OK)
        if (((const KernelRecord *)record)->kind == ACTIVITY_CONCURRENT_KERNEL)
            launches_add(record, calls_counted(((const KernelRecord *)record)->correlationId));
    pthread_mutex_unlock(&lock);
    free(buffer);
}

/* ---- the end ---- */

/* COALDA_TRACE with the process's number for each %p. */
static const char *path_of(Arena *arena)
{
    const char *given = getenv("COALDA_TRACE");
    Text path = text_new(arena);
    for (const char *at = given && *given ? given : "trace.%p.coalda"; *at; at++) {
        if (at[0] == '%' && at[1] == 'p') {
            text_add(&path, "%ld", (long)getpid());
            at++;
        } else {
            text_add(&path, "%c", *at);
        }
    }
    return path.data;
}

static void write_copies(Arena *arena, const char *profile)
{
    const char *path = arena_text(arena, "%s.copies", profile);
    FILE *file = fopen(path, "w");
    if (file)
        copies_tell(file);
    if (!file || fclose(file) != 0)
        complain(arena_text(arena, "%s: %s", path, strerror(errno)));
}

static void write_profile(Arena *arena)
{
    enum { LONGEST = 256 };
    char name[LONGEST];
    Profile profile = profile_new(arena, path_of(arena));
    if (has_driver && driver.name_of_device(name, sizeof name, 0) == CUDA_OK)
        list_add(&profile.comments, arena_text(arena, "# %s", name));
    calls_tell();
    launches_tell(&profile);
    arguments_tell(&profile);
    const char *wrong = profile_write(&profile, profile.path);
    if (wrong)
        complain(wrong);
    if (hashes)
        write_copies(arena, profile.path);
}

static void on_exit_of_process(void)
{
    if (getpid() != traced)
        return;
    cupti.flush(FLUSH_ALL);
    calls_end();
    pthread_mutex_lock(&lock);
    Arena *arena = arena_new();
    write_profile(arena);
    arena_free(arena);
    pthread_mutex_unlock(&lock);
}

/* ---- the beginning ---- */

static const char *begin(void)
{
    const char *hash = getenv("COALDA_HASH"), *wrong = cupti_load(&cupti);
    if (wrong)
        return wrong;
    has_driver = driver_load(&driver);
    hashes = hash && *hash && strcmp(hash, "0") != 0;
    if (cupti.register_buffers(on_request, on_complete) != CUPTI_OK || cupti.enable(ACTIVITY_CONCURRENT_KERNEL) != CUPTI_OK)
        return "CUPTI does not record kernels here: it may be newer than the driver, or kept from it by the system's settings";
    if (hashes && !has_driver)
        return "copies cannot be hashed: the driver lacks functions that are needed";
    if (hashes)
        return copies_watch(&cupti, &driver);
    if (has_driver)
        arguments_watch(&driver);
    return calls_watch(&cupti);
}

/* What the driver calls; the program goes on, whatever becomes of the trace. */
int InitializeInjection(void)
{
    const char *wrong = traced ? NULL : begin();
    if (wrong)
        complain(wrong);
    else if (!traced && atexit(on_exit_of_process) == 0)
        traced = getpid();
    return 1;
}
