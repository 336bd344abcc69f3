/* Fat binaries, as fatbinary of CUDA 10 to 13 writes them for clang:
 *
 *     u32 0xBA55ED50   u16 1   u16 bytes of this header   u64 bytes of what follows
 *     u16 kind         u16 -   u32 bytes of this header   u64 bytes of the code behind it   ... u32 architecture at 28 ... u64 flags at 40
 *     ...
 *
 * Kinds are 1, PTX, and 2, ELF. A kernel that the runtime is told of and that the code it loads lacks is an error of the program, when it is
 * launched or when it begins: so a spare counts that all codes have. ELF is searched for names, of which none is found where it is
 * compressed. PTX is compressed by default, and is not
 * looked at: clang hands on what it has made the ELF of the same architecture from, and other PTX, for which there is no such ELF, is a code
 * of which nothing is known. */
#include <string.h>

#include "pass/host/fat_binary.h"

enum { FILE_HEADER = 16, CODE_HEADER = 48, ARCHITECTURE_AT = 28, FLAGS_AT = 40, KIND_PTX = 1, KIND_ELF = 2 };
static const uint64_t COMPRESSION = 0xF000; /* of the flags; the others tell sm_90a from sm_90 */

typedef struct {
    unsigned kind;
    uint64_t architecture, flags;
    const char *bytes;
    size_t length;
} Code;

static uint64_t number_at(const char *bytes, int width)
{
    uint64_t number = 0;
    for (int i = 0; i < width; i++)
        number |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    return number;
}

/* Takes the next code from the image; false where what is there is none. */
static bool code_next(const char **image, size_t *left, Code *code)
{
    if (*left < CODE_HEADER)
        return false;
    const char *at = *image;
    uint64_t header = number_at(at + 4, 4), bytes = number_at(at + 8, 8);
    if (header < CODE_HEADER || header > *left || bytes > *left - header)
        return false;
    *code = (Code){(unsigned)number_at(at, 2), number_at(at + ARCHITECTURE_AT, 4), number_at(at + FLAGS_AT, 8) & ~COMPRESSION,
                   at + header, (size_t)bytes};
    *image += header + bytes;
    *left -= (size_t)(header + bytes);
    return code->kind == KIND_PTX || code->kind == KIND_ELF;
}

/* All of them; false where the image is not what is said above. */
static bool codes_of(Arena *arena, const char *image, size_t length, List *codes)
{
    if (length < FILE_HEADER || number_at(image, 4) != 0xBA55ED50 || number_at(image + 4, 2) != 1 ||
        number_at(image + 6, 2) != FILE_HEADER)
        return false;
    uint64_t bytes = number_at(image + 8, 8);
    if (bytes > length - FILE_HEADER)
        return false;
    size_t left = (size_t)bytes;
    image += FILE_HEADER;
    while (left) {
        Code *code = ARENA_NEW(arena, Code);
        if (!code_next(&image, &left, code))
            return false;
        list_add(codes, code);
    }
    return true;
}

static bool is_of_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static const SpareName *find_name(const List *names, const SpareName *name)
{
    for (size_t i = 0; i < names->count; i++) {
        const SpareName *other = names->item[i];
        if (other->length == name->length && memcmp(other->text, name->text, name->length) == 0)
            return other;
    }
    return NULL;
}

/* The names in the text, each once: a name stands there several times, as that of a symbol and in those of sections. */
static List names_in(Arena *arena, const char *text, size_t length)
{
    List names = list_new(arena);
    const char *end = text + length;
    size_t mark = strlen(SPARE_MARK);
    for (const char *at = text; (at = memchr(at, SPARE_MARK[0], (size_t)(end - at))); at++) {
        if ((size_t)(end - at) < mark || memcmp(at, SPARE_MARK, mark) != 0)
            continue;
        const char *first = at, *last = at;
        while (first > text && is_of_name(first[-1]))
            first--;
        while (last < end && is_of_name(*last))
            last++;
        const SpareName *name = spare_name_read(arena, first, (size_t)(last - first));
        if (name && !find_name(&names, name))
            list_add(&names, (void *)name);
        at = last - 1;
    }
    return names;
}

static bool has_elf_for(const List *codes, const Code *ptx)
{
    for (size_t i = 0; i < codes->count; i++) {
        const Code *code = codes->item[i];
        if (code->kind == KIND_ELF && code->architecture == ptx->architecture && code->flags == ptx->flags)
            return true;
    }
    return false;
}

static List common(Arena *arena, const List *some, const List *others)
{
    List both = list_new(arena);
    for (size_t i = 0; i < some->count; i++)
        if (find_name(others, some->item[i]))
            list_add(&both, some->item[i]);
    return both;
}

List fat_binary_spares(Arena *arena, const char *image, size_t length)
{
    const List none = list_new(arena);
    List codes = list_new(arena), names = none;
    bool any = false;
    if (!codes_of(arena, image, length, &codes))
        return none;
    for (size_t i = 0; i < codes.count; i++) {
        const Code *code = codes.item[i];
        if (code->kind == KIND_PTX && !has_elf_for(&codes, code))
            return none;
        if (code->kind == KIND_PTX)
            continue;
        List here = names_in(arena, code->bytes, code->length);
        names = any ? common(arena, &names, &here) : here;
        any = true;
    }
    return names;
}
