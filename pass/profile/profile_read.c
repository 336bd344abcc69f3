/* Profiles from text: every line is understood, or an error says what is to stand there. */
#include "pass/profile/profile.h"
#include "pass/profile/profile_number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    Profile *profile;
    ProfileKernel *kernel; /* that the lines belong to; NULL in front of the first */
    List comments;         /* that may be the next kernel's */
    int line;
    uint64_t version;
} Reading;

static const char blanks[] = " \t\r\v\f";

static const char *wrong(const Reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *wrong(const Reading *reading, const char *format, ...)
{
    Text text = text_new(reading->profile->arena);
    va_list args;
    va_start(args, format);
    text_add(&text, "%s:%d: ", reading->profile->path, reading->line);
    text_add_v(&text, format, args);
    va_end(args);
    return text.data;
}

/* ---- lines of a kernel ---- */

static const char *take_kernel(Reading *reading, char **rest)
{
    const char *name = strtok_r(NULL, blanks, rest), *hash = strtok_r(NULL, blanks, rest), *more = strtok_r(NULL, blanks, rest);
    uint64_t body = ANY_BODY;
    if (!name || more)
        return wrong(reading,
                     "kernel takes its linked name, and the hash of its body or nothing: write 'kernel _Z3addPf 5b1f0c22a7d94e03'");
    if (hash && !number_hash(hash, &body))
        return wrong(reading, "the hash of a body has 16 digits of 0-9 and a-f, as coalda-profile hash prints them, not '%s'",
                     hash);
    reading->kernel = profile_add(reading->profile, profile_name(reading->profile->arena, name), body);
    reading->kernel->line = reading->line;
    return NULL;
}

/* In a file whose first line says that there are such lines. */
static const char *check_version(const Reading *reading, const char *what)
{
    return reading->version < PROFILE_VERSION ? wrong(reading, "%s is of version %d: write 'coalda-profile %d' in the first line",
                                                      what, PROFILE_VERSION, PROFILE_VERSION)
                                              : NULL;
}

static const char *take_decision(Reading *reading, char **rest)
{
    ProfileKernel *kernel = reading->kernel;
    const char *text = strtok_r(NULL, blanks, rest), *more = strtok_r(NULL, blanks, rest);
    Options options = {0};
    if (!text || more)
        return wrong(reading,
                     "decide takes one word, options being parted by ';': default, off, always, or such as without=rings;block=64");
    if (kernel->decision)
        return wrong(reading, "%s is decided already, in line %d: leave one of the lines", kernel->name, kernel->decided);
    const char *refused = decision_read(&options, text, reading->profile->arena);
    if (refused)
        return wrong(reading, "%s", refused);
    kernel->decision = text;
    kernel->decided = reading->line;
    return decision_is_later(text) ? check_version(reading, text) : NULL;
}

static const char *take_part(Reading *reading, char **rest)
{
    const char *array = strtok_r(NULL, blanks, rest), *text = strtok_r(NULL, blanks, rest), *more = strtok_r(NULL, blanks, rest);
    const char *kind = array ? strchr(array, ':') : NULL;
    Options options = {0};
    if (!text || more || kind == array || (kind && strcmp(kind, ":load") != 0 && strcmp(kind, ":store") != 0))
        return wrong(reading, "part takes an array and what is left out there, as in 'part arg0 without=exchanges', "
                              "'part arg0:load without=exchanges+walks'; arrays are arg0, arg1, ... or linked names of variables");
    const char *refused = decision_read_part(&options, text, reading->profile->arena);
    if (refused)
        return wrong(reading, "%s", refused);
    ProfilePart *part = ARENA_NEW(reading->profile->arena, ProfilePart);
    *part = (ProfilePart){array, text, reading->line};
    list_add(&reading->kernel->parts, part);
    return NULL;
}

static const char *take_argument(Reading *reading, char **rest)
{
    ProfileArgument *argument = ARENA_NEW(reading->profile->arena, ProfileArgument);
    const char *index = strtok_r(NULL, blanks, rest), *least = strtok_r(NULL, blanks, rest), *most = strtok_r(NULL, blanks, rest);
    const char *more = strtok_r(NULL, blanks, rest);
    if (!most || more || !number_whole(index, &argument->index) || !number_signed(least, &argument->least) ||
        !number_signed(most, &argument->most) || argument->least > argument->most)
        return wrong(reading,
                     "argument takes its number, from 0, and the least and the most that it was, as in 'argument 2 1024 4096'");
    argument->line = reading->line;
    list_add(&reading->kernel->arguments, argument);
    return NULL;
}

typedef struct {
    const char *key, *wants;
} LaunchField;

enum { GRID, BLOCK, SHARED, COUNT, MEDIAN, LAUNCH_FIELDS };

static const LaunchField launch_fields[LAUNCH_FIELDS] = {[GRID] = {"grid", "1 to 3 extents, as in 4096x1x1"},
                                                         [BLOCK] = {"block", "1 to 3 extents, as in 256x1x1"},
                                                         [SHARED] = {"shared", "a number of bytes"},
                                                         [COUNT] = {"count", "a number of launches"},
                                                         [MEDIAN] = {"median",
                                                                     "microseconds with at most three decimals, as in 12.345"}};

static bool read_field(ProfileLaunch *launch, int field, const char *value)
{
    switch (field) {
    case GRID: return number_extents(value, launch->grid);
    case BLOCK: return number_extents(value, launch->block);
    case SHARED: return number_whole(value, &launch->shared);
    case COUNT: return number_whole(value, &launch->count) && launch->count;
    default: return number_time(value, &launch->median);
    }
}

static const char *take_launch(Reading *reading, char **rest)
{
    ProfileLaunch *launch = ARENA_NEW(reading->profile->arena, ProfileLaunch);
    for (int i = 0; i < LAUNCH_FIELDS; i++) {
        const LaunchField *field = &launch_fields[i];
        const char *key = strtok_r(NULL, blanks, rest), *value = strtok_r(NULL, blanks, rest);
        if (!key || !value || strcmp(key, field->key) != 0)
            return wrong(
                reading,
                "here '%s' and %s are to stand, as in 'launch grid 4096x1x1 block 256x1x1 shared 0 count 100 median 12.345'",
                field->key, field->wants);
        if (!read_field(launch, i, value))
            return wrong(reading, "%s takes %s, not '%s'", field->key, field->wants, value);
    }
    const char *more = strtok_r(NULL, blanks, rest);
    if (more)
        return wrong(reading, "there is something behind the median: '%s'", more);
    launch->line = reading->line;
    list_add(&reading->kernel->launches, launch);
    return NULL;
}

/* ---- comments ---- */

/* What '#' begins is cut off; NULL where there is none. */
static char *cut_comment(Arena *arena, char *line)
{
    char *comment = strchr(line, '#');
    if (!comment)
        return NULL;
    char *kept = arena_copy(arena, comment, strcspn(comment, "\r"));
    *comment = 0;
    return kept;
}

/* Lines of comments right above a kernel are of that one; others of what they stand under. */
static void give_comments(Reading *reading)
{
    List *owner = reading->kernel ? &reading->kernel->comments : &reading->profile->comments;
    for (size_t i = 0; i < reading->comments.count; i++)
        list_add(owner, reading->comments.item[i]);
    reading->comments.count = 0;
}

/* ---- all lines ---- */

static const char *take_version(Reading *reading, char *line)
{
    char *rest;
    const char *word = strtok_r(line, blanks, &rest), *number = strtok_r(NULL, blanks, &rest),
               *more = strtok_r(NULL, blanks, &rest);
    if (!word || strcmp(word, "coalda-profile") != 0 || !number || more || !number_whole(number, &reading->version))
        return wrong(reading, "this is no profile: its first line is to be 'coalda-profile %d'", PROFILE_VERSION);
    if (reading->version < FIRST_VERSION || reading->version > PROFILE_VERSION)
        return wrong(reading, "this is a profile of version %s, and coalda " COALDA_VERSION " reads versions %d to %d", number,
                     FIRST_VERSION, PROFILE_VERSION);
    return NULL;
}

/* What says something of a kernel. */
static const struct {
    const char *word;
    const char *(*take)(Reading *reading, char **rest);
    bool is_later;
} lines[] = {{"decide", take_decision, false},
             {"launch", take_launch, false},
             {"part", take_part, true},
             {"argument", take_argument, true}};

static const char *take_words(Reading *reading, const char *word, char **rest)
{
    if (strcmp(word, "kernel") == 0)
        return take_kernel(reading, rest);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strcmp(word, lines[i].word) != 0)
            continue;
        const char *early = lines[i].is_later ? check_version(reading, word) : NULL;
        if (!early && !reading->kernel)
            return wrong(reading, "%s says something of a kernel: write 'kernel' and its linked name in a line above", word);
        return early ? early : lines[i].take(reading, rest);
    }
    return wrong(reading, "no line begins with '%s': there are kernel, decide, part, argument and launch, and comments after '#'",
                 word);
}

static const char *take_line(Reading *reading, char *line)
{
    char *rest;
    if (reading->line == 1)
        return take_version(reading, line);
    char *comment = cut_comment(reading->profile->arena, line);
    const char *word = strtok_r(line, blanks, &rest);
    if (!word && comment) {
        list_add(&reading->comments, comment);
        return NULL;
    }
    if (!word || strcmp(word, "kernel") != 0)
        give_comments(reading);
    const char *refused = word ? take_words(reading, word, &rest) : NULL;
    if (comment)
        list_add(&reading->comments, comment);
    if (!refused)
        give_comments(reading);
    return refused;
}

/* ---- the whole ---- */

static const char *find_launch_twice(Reading *reading, const List *launches)
{
    for (size_t i = 1; i < launches->count; i++) {
        const ProfileLaunch *before = launches->item[i - 1], *launch = launches->item[i];
        if (launch_order(before, launch) != 0)
            continue;
        reading->line = launch->line;
        return wrong(reading, "launches of that shape are there already, in line %d: add up the counts", before->line);
    }
    return NULL;
}

static const char *find_argument_twice(Reading *reading, const List *arguments)
{
    for (size_t i = 1; i < arguments->count; i++) {
        const ProfileArgument *before = arguments->item[i - 1], *argument = arguments->item[i];
        if (argument_order(before, argument) != 0)
            continue;
        reading->line = argument->line;
        return wrong(reading, "that argument is there already, in line %d: write one range", before->line);
    }
    return NULL;
}

static const char *find_part_twice(Reading *reading, const List *parts)
{
    for (size_t i = 1; i < parts->count; i++) {
        const ProfilePart *before = parts->item[i - 1], *part = parts->item[i];
        if (part_order(before, part) != 0)
            continue;
        reading->line = part->line;
        return wrong(reading, "%s is decided already, in line %d: leave one of the lines", part->array, before->line);
    }
    return NULL;
}

static const char *find_twice(Reading *reading)
{
    const List *kernels = &reading->profile->kernels;
    for (size_t i = 0; i < kernels->count; i++) {
        const ProfileKernel *before = i ? kernels->item[i - 1] : NULL, *kernel = kernels->item[i];
        const char *twice = find_part_twice(reading, &kernel->parts);
        twice = twice ? twice : find_argument_twice(reading, &kernel->arguments);
        twice = twice ? twice : find_launch_twice(reading, &kernel->launches);
        if (twice)
            return twice;
        if (!before || strcmp(before->name, kernel->name) != 0 || before->body != kernel->body)
            continue;
        reading->line = kernel->line;
        return wrong(reading, "kernel %s is there already with the same body, in line %d: put their lines together", kernel->name,
                     before->line);
    }
    return NULL;
}

const char *profile_parse(Profile *profile, const char *text, size_t length)
{
    Reading reading = {.profile = profile, .comments = list_new(profile->arena)};
    const char *refused = NULL, *end = text + length;
    do {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
        reading.line++;
        if (memchr(text, 0, (size_t)(stop - text)))
            return wrong(&reading, "this is no text: there is a byte that is 0");
        refused = take_line(&reading, arena_copy(profile->arena, text, (size_t)(stop - text)));
        text = newline ? newline + 1 : end;
    } while (!refused && text < end);
    if (refused)
        return refused;
    give_comments(&reading);
    profile_sort(profile);
    return find_twice(&reading);
}

const char *profile_read(Profile *profile)
{
    char chunk[BUFSIZ];
    Text text = text_new(profile->arena);
    FILE *file = fopen(profile->path, "r");
    if (!file)
        return arena_text(profile->arena, "%s: %s", profile->path, strerror(errno));
    while (!feof(file) && !ferror(file)) {
        size_t got = fread(chunk, 1, sizeof chunk, file);
        text_put(&text, chunk, got);
    }
    const char *failed = ferror(file) ? arena_text(profile->arena, "%s: %s", profile->path, strerror(errno)) : NULL;
    fclose(file);
    return failed ? failed : profile_parse(profile, text.data, text.length);
}
