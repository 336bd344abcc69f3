/* Memory, lists, maps and texts of one lifetime. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pass/base/arena.h"
#include "unit.h"

static void test_alloc(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (size_t bytes = 0; bytes < 200000; bytes = 3 * bytes + 1) {
        char *memory = arena_alloc(arena, bytes);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0x5a, bytes);
    }
    arena_free(arena);
}

/* What goes back is zeroed when it is handed out again, and what was there before stays. */
static void test_back(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    arena_back(arena, arena_mark(arena)); /* nothing yet */
    for (size_t bytes = 16; bytes < 200000; bytes *= 3) {
        char *kept = arena_alloc(arena, bytes);
        memset(kept, 0x5a, bytes);
        ArenaMark mark = arena_mark(arena);
        for (size_t i = 0; i < 3; i++)
            memset(arena_alloc(arena, 40000), 0x5a, 40000);
        arena_back(arena, mark);
        char *memory = arena_alloc(arena, 40000);
        for (size_t i = 0; i < 40000; i++)
            assert_int_equal(memory[i], 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(kept[i], 0x5a);
    }
    arena_free(arena);
}

static void test_list(void **state)
{
    (void)state;
    static char items[1000];
    Arena *arena = arena_new();
    List list = list_new(arena);
    for (int i = 0; i < 1000; i++)
        list_add(&list, &items[i]);
    assert_int_equal(list.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_ptr_equal(list.item[i], &items[i]);
    arena_free(arena);
}

static void test_map(void **state)
{
    (void)state;
    static char keys[5000], values[5000];
    Arena *arena = arena_new();
    Map *map = map_new(arena);
    assert_null(map_get(map, &keys[0]));
    for (int i = 0; i < 5000; i += 2)
        map_put(map, &keys[i], &values[i]);
    for (int i = 0; i < 5000; i++)
        assert_ptr_equal(map_get(map, &keys[i]), i % 2 ? NULL : &values[i]);
    map_put(map, &keys[0], &values[1]);
    assert_ptr_equal(map_get(map, &keys[0]), &values[1]);
    map_put(map, &keys[0], NULL);
    assert_null(map_get(map, &keys[0]));
    arena_free(arena);
}

static void test_text(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Text text = text_new(arena);
    assert_string_equal(text.data, "");
    for (int i = 0; i < 1000; i++)
        text_add(&text, "%d,", i % 10);
    assert_int_equal(text.length, 2000);
    assert_int_equal(strlen(text.data), 2000);
    assert_memory_equal(text.data + 1980, "0,1,2,3,4,5,6,7,8,9,", 21);
    text_add(&text, "%s", "");
    assert_int_equal(text.length, 2000);
    assert_string_equal(arena_text(arena, "%s-%03d", "a", 7), "a-007");
    assert_string_equal(arena_copy(arena, "abcdef", 3), "abc");
    assert_string_equal(arena_copy(arena, "", 0), "");
    arena_free(arena);
}

/* A map's keys are never NULL. The signal that stops a process which breaks that; 0: none. */
static int signal_of_null_key(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        static char value;
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        close(STDERR_FILENO);
        map_put(map_new(arena_new()), NULL, &value);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* In builds that check, a broken invariant stops the process; others do not look. */
static void test_invariant(void **state)
{
    (void)state;
#ifdef NDEBUG
    assert_int_equal(signal_of_null_key(), 0);
#else
    assert_int_equal(signal_of_null_key(), SIGABRT);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc), cmocka_unit_test(test_back), cmocka_unit_test(test_list),
        cmocka_unit_test(test_map),   cmocka_unit_test(test_text), cmocka_unit_test(test_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
