/* Launches by name, as the driver's calls tell of them: what their arguments were, and whether CUPTI has to record them.
 *
 * A record costs the GPU 0.1 to 0.2 us, so that a program whose launches take 5 us would be slower by 3%. Being told of a call costs the host less
 * than that, and nothing where the GPU is behind. So kernels that come fast, and of whose shapes enough times are known, are recorded in windows,
 * and counted by their calls between those. Each launch is counted once, by its record or by its call. A program that has graphs, launches that
 * are not told of, or launches by a second thread is recorded from there on to its end: CUPTI lost all that a stream was given afterwards where a
 * launch of another thread was under way when recording was switched. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "parts.h"

enum {
    ENOUGH = 64,        /* times of a shape, with fewer of which each of its launches is recorded */
    WINDOW = 1 << 11,   /* launches that are recorded, */
    PAUSE = 1 << 15,    /* and those that then are not */
    SLOW = 20000,       /* nanoseconds from a launch to the next one in the mean: their records cost nothing */
    LOOKED_AT = 1 << 6, /* launches after which it is asked whether they became slow */
    PATIENCE = 1000000, /* nanoseconds that a launch waits for those of other threads, */
    MOST_WAITS = 16,    /* and how often one does */
    SECOND = 1000000000,
};

typedef struct Made Made;
struct Made {
    Made *next; /* of the same hash */
    void *function;
    const char *name; /* a function that was unloaded may leave its handle to another */
    ProfileLaunch launch;
    uint64_t recorded, counted;
};

static Cupti cupti;
static void *subscriber;

/* Lives until the process ends. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    Arena *arena;
    Map *by_hash; /* to Made */
    List shapes;
    Made *last;
    uint64_t since; /* launches, and the time: since the window or the pause began, or a shape that was to be recorded came */
    uint64_t began;
    bool paused, whole; /* whole: it pauses no more */
    bool has_thread;
    pthread_t thread;   /* that launched first */
    int under_way;      /* launches */
    int waits;          /* how often a launch has waited for those */
    bool is_waiting;
} all;

/* The shapes as they were at the end. */
static List told;

/* A launch under way has returned; the one that waited waits no more. */
static pthread_cond_t has_left = PTHREAD_COND_INITIALIZER, has_waited = PTHREAD_COND_INITIALIZER;

/* Numbers of launches ahead of which recording was switched on: they may have a record, and are counted by their calls. */
static pthread_mutex_t lock_of_counted = PTHREAD_MUTEX_INITIALIZER;
static struct {
    Arena *arena;
    Map *calls;
} counted;

/* The launch that this thread is making. */
static _Thread_local struct {
    Made *shape;
    bool paused; /* when it began */
} under;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* ---- shapes ---- */

static const void *hash_of(const void *function, const ProfileLaunch *launch)
{
    uint64_t hash = (uint64_t)(uintptr_t)function ^ launch->shared << 32;
    for (int i = 0; i < PROFILE_AXES; i++) {
        hash = (hash ^ ((uint64_t)launch->grid[i] << 32 | launch->block[i])) * 0x9E3779B97F4A7C15u; /* as launches.c has it */
        hash ^= hash >> 32;
    }
    return (const void *)(uintptr_t)(hash | 1); /* NOLINT: a key */
}

static bool is_shape(const Made *shape, const void *function, const char *name, const ProfileLaunch *launch)
{
    return shape->function == function && launch_order(&shape->launch, launch) == 0 && strcmp(shape->name, name) == 0;
}

static Made *shape_of(void *function, const char *name, const ProfileLaunch *launch)
{
    if (all.last && is_shape(all.last, function, name, launch))
        return all.last;
    const void *hash = hash_of(function, launch);
    Made *first = map_get(all.by_hash, hash);
    for (all.last = first; all.last; all.last = all.last->next)
        if (is_shape(all.last, function, name, launch))
            return all.last;
    all.last = ARENA_NEW(all.arena, Made);
    *all.last = (Made){.next = first, .function = function, .name = arena_copy(all.arena, name, strlen(name)), .launch = *launch};
    map_put(all.by_hash, hash, all.last);
    list_add(&all.shapes, all.last);
    return all.last;
}

/* ---- recording and pausing, under the lock ---- */

static void begin_anew(void)
{
    all.since = 0;
    all.began = now();
}

static void switch_over(void)
{
    bool pause = !all.paused;
    if ((pause ? cupti.disable(ACTIVITY_CONCURRENT_KERNEL) : cupti.enable(ACTIVITY_CONCURRENT_KERNEL)) == CUPTI_OK)
        all.paused = pause;
    else
        all.whole = true;
    begin_anew();
}

/* Until no launch is under way, or for so long; what would be launched meanwhile waits as well. */
static void wait_for_others(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    all.waits++;
    all.is_waiting = true;
    while (all.under_way && pthread_cond_timedwait(&has_left, &lock, &until) == 0)
        ;
    all.is_waiting = false;
    pthread_cond_broadcast(&has_waited);
}

/* Records again, if no other thread's launch keeps it from that. */
static void resume(void)
{
    if (all.under_way && all.waits < MOST_WAITS)
        wait_for_others();
    if (all.paused && !all.under_way)
        switch_over();
}

static bool is_slow(void) { return now() - all.began > all.since * SLOW; }

/* Each window and each pause ends here, behind a launch, but those that a shape ends of which too few times are known. */
static bool is_time_to_switch(void)
{
    if (all.paused)
        return all.whole || all.since >= PAUSE || (all.since % LOOKED_AT == 0 && is_slow());
    if (all.whole || all.since < WINDOW)
        return false;
    if (!is_slow())
        return true;
    begin_anew();
    return false;
}

/* ---- launches ---- */

/* It is counted by its call, and may have a record as well. */
static void expect_record(uint32_t correlation)
{
    pthread_mutex_lock(&lock_of_counted);
    map_put(counted.calls, (const void *)(uintptr_t)correlation, &counted); /* NOLINT: a key */
    pthread_mutex_unlock(&lock_of_counted);
}

bool calls_counted(uint32_t correlation)
{
    pthread_mutex_lock(&lock_of_counted);
    bool is = counted.calls && map_get(counted.calls, (const void *)(uintptr_t)correlation); /* NOLINT: a key */
    pthread_mutex_unlock(&lock_of_counted);
    return is;
}

static void meet_thread(void)
{
    if (!all.has_thread)
        all.thread = pthread_self();
    all.has_thread = true;
    all.whole |= !pthread_equal(all.thread, pthread_self());
}

/* From now on all is recorded. */
static void record_whole(void)
{
    pthread_mutex_lock(&lock);
    all.whole = true;
    if (all.paused && !all.is_waiting)
        resume();
    pthread_mutex_unlock(&lock);
}

static void enter(void *function, const CallData *call, const ProfileLaunch *launch, void *const *arguments)
{
    under.shape = NULL;
    if (!call->symbolName)
        return record_whole();
    arguments_add(function, call->symbolName, arguments);
    pthread_mutex_lock(&lock);
    while (all.is_waiting)
        pthread_cond_wait(&has_waited, &lock);
    meet_thread();
    under.shape = shape_of(function, call->symbolName, launch);
    under.paused = all.paused;
    bool is_due = under.shape->recorded < ENOUGH;
    all.since++;
    if (all.paused && (is_due || all.whole))
        resume();
    else if (is_due)
        begin_anew();
    if (under.paused && !all.paused)
        expect_record(call->correlationId);
    under.shape->recorded += !all.paused;
    all.under_way++;
    pthread_mutex_unlock(&lock);
}

static void leave(const CallData *call)
{
    if (!under.shape)
        return;
    pthread_mutex_lock(&lock);
    all.under_way--;
    under.shape->counted += under.paused && *call->functionReturnValue == CUDA_OK;
    if (all.is_waiting)
        pthread_cond_signal(&has_left);
    else if (!all.under_way && is_time_to_switch())
        switch_over();
    under.shape = NULL;
    pthread_mutex_unlock(&lock);
}

static ProfileLaunch shape_of_config(const LaunchConfig *config)
{
    return (ProfileLaunch){.grid = {config->gridX, config->gridY, config->gridZ},
                           .block = {config->blockX, config->blockY, config->blockZ},
                           .shared = config->shared};
}

static void on_call(void *user, int domain, uint32_t number, const void *data)
{
    const CallData *call = data;
    (void)user;
    if (domain != DOMAIN_DRIVER)
        return;
    switch (number) {
    case CALL_LAUNCH_EX:
    case CALL_LAUNCH_EX_PTSZ: {
        const LaunchCallEx *launch = call->functionParams;
        if (call->callbackSite == SITE_EXIT)
            return leave(call);
        const ProfileLaunch shape = shape_of_config(launch->config);
        return enter(launch->function, call, &shape, launch->arguments);
    }
    case CALL_LAUNCH:
    case CALL_LAUNCH_PTSZ:
    case CALL_LAUNCH_COOPERATIVE:
    case CALL_LAUNCH_COOPERATIVE_PTSZ: {
        const LaunchCall *launch = call->functionParams;
        if (call->callbackSite == SITE_EXIT)
            return leave(call);
        const ProfileLaunch shape = {.grid = {launch->gridX, launch->gridY, launch->gridZ},
                                     .block = {launch->blockX, launch->blockY, launch->blockZ},
                                     .shared = launch->shared};
        return enter(launch->function, call, &shape, launch->arguments);
    }
    default:
        if (call->callbackSite == SITE_ENTER)
            record_whole();
    }
}

/* ---- the beginning and the end ---- */

const char *calls_watch(const Cupti *loaded)
{
    static const uint32_t launches[] = {CALL_LAUNCH,    CALL_LAUNCH_PTSZ,   CALL_LAUNCH_COOPERATIVE, CALL_LAUNCH_COOPERATIVE_PTSZ,
                                        CALL_LAUNCH_EX, CALL_LAUNCH_EX_PTSZ};
    static const uint32_t others[] = {CALL_OLD_LAUNCH,
                                      CALL_OLD_LAUNCH_GRID,
                                      CALL_OLD_LAUNCH_GRID_ASYNC,
                                      CALL_LAUNCH_DEVICES,
                                      CALL_CAPTURE,
                                      CALL_CAPTURE_PTSZ,
                                      CALL_GRAPH,
                                      CALL_GRAPH_LAUNCH,
                                      CALL_GRAPH_LAUNCH_PTSZ,
                                      CALL_CAPTURE_V2,
                                      CALL_CAPTURE_V2_PTSZ,
                                      CALL_CAPTURE_TO_GRAPH,
                                      CALL_CAPTURE_TO_GRAPH_PTSZ};
    cupti = *loaded;
    all.arena = arena_new();
    all.by_hash = map_new(all.arena);
    all.shapes = list_new(all.arena);
    counted.arena = arena_new();
    counted.calls = map_new(counted.arena);
    all.whole = !cupti.disable;
    begin_anew();
    if (cupti.subscribe(&subscriber, on_call, NULL) != CUPTI_OK)
        return "CUPTI gives no callbacks: another tool may have them";
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        if (cupti.enable_call(true, subscriber, DOMAIN_DRIVER, launches[i]) != CUPTI_OK)
            return "CUPTI does not tell of launches";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) /* what CUPTI does not know, its driver has not */
        cupti.enable_call(true, subscriber, DOMAIN_DRIVER, others[i]);
    return NULL;
}

void calls_end(void)
{
    pthread_mutex_lock(&lock);
    if (all.arena)
        told = list_new(all.arena);
    for (size_t i = 0; i < all.shapes.count; i++) {
        Made *copy = ARENA_NEW(all.arena, Made);
        *copy = *(const Made *)all.shapes.item[i];
        list_add(&told, copy);
    }
    pthread_mutex_unlock(&lock);
}

void calls_tell(void)
{
    for (size_t i = 0; i < told.count; i++) {
        const Made *shape = told.item[i];
        if (shape->counted)
            launches_count(shape->name, &shape->launch, shape->counted);
    }
}
