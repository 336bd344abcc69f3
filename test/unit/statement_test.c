/* What inline assembly is taken for. */
#include "unit.h"
#include "pass/base/ptx_statement.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void test_pure(void **state)
{
    (void)state;
    static const char *const pure[] = {
        "",
        "cvt.f32.f16 $0, $1;",
        "mov.b64 {$0, $1}, $2;",
        "mov.u32 $0, %laneid;",
        "mov.u32 $0, %tid.x;",
        "{ .reg .u32 start; .reg .u64 extended; mov.u32 start, %reserved_smem_offset_1; cvt.u64.u32 extended, start; "
        "cvta.shared.u64 $0, extended; }",
        "mov.u32 $0, %lanemask_lt;",
        "{ .reg .pred %p; setp.ne.u32 %p, $1, 0; selp.u32 $0, 1, 2, %p; }",
        "add.u32 $0, $1, $2;\n\tshl.b32 $0, $0, 3",
        "@$1 mov.u32 $0, 1;",
        "ld.global.nc.v2.u64 {$0, $1}, [$2];",
        "lop3.b32 $0,$1,$2,$3,0x96;",
        "fma.rn.f32 $0,$1,$2,$3;",
        "{.reg .f16x2 h; cvt.rn.f16x2.f32 h, $1, $2; mov.b32 $0, h;}",
        "dp4a.s32.s32 $0, $1, $2, $3;",
        "vadd4.u32.u32.u32 $0,$1,$2,$3;",
    };
    static const char *const others[] = {
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0,$1,$2,$3}, {$4,$5,$6,$7}, {$8,$9}, {$0,$1,$2,$3};",
        "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0,$1,$2,$3}, [$4];",
        "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;",
        "vote.sync.ballot.b32 $0, $1, -1;",
        "match.any.sync.b32 $0, $1, -1;",
        "redux.sync.add.s32 $0, $1, -1;",
        "activemask.b32 $0;",
        "elect.sync _|$0, -1;",
        "wgmma.fence.sync.aligned;",
        "mov.u32 $0, %clock;",
        "mov.u64 $0, %globaltimer;",
        "mov.u32 $0, %smid;",
        "mov.u32 $0, %warpid;",
        "mov.u32 $0, %nosuch;",
        "bar.sync 0;",
        "bar.warp.sync -1;",
        "barrier.cluster.arrive;",
        "membar.gl;",
        "fence.acq_rel.gpu;",
        "nanosleep.u32 20;",
        "ld.volatile.global.u32 $0, [$1];",
        "ld.acquire.gpu.u32 $0, [$1];",
        "ld.relaxed.gpu.global.u32 $0, [$1];",
        "st.global.u32 [$0], $1;",
        "red.release.gpu.global.add.u32 [$0], 1;",
        "atom.add.u32 $0, [$1], 1;",
        "add.u32 $0, $1, 1; bar.sync 0;",
        "again: bra again;",
        "setmaxnreg.inc.sync.aligned.u32 232;",
        "griddepcontrol.wait;",
        "cp.async.wait_all;",
        "trap;",
        "call f;",
        "{ .reg .u32 %p; mov.u32 %p, %clock; mov.u32 $0, %p; }",
        "ldu.global.u32 $0, [$1];",
        "addition.u32 $0, $1, $2;",
    };
    for (size_t i = 0; i < LENGTH(pure); i++)
        if (!text_is_pure(pure[i]))
            fail_msg("not taken for arithmetic: %s", pure[i]);
    for (size_t i = 0; i < LENGTH(others); i++)
        if (text_is_pure(others[i]))
            fail_msg("taken for arithmetic: %s", others[i]);
}

static void test_barriers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        TextBarrier barrier;
    } cases[] = {
        {"bar.sync 0;", TEXT_BARRIER},
        {"barrier.sync 0;", TEXT_BARRIER},
        {"\tbarrier.cta.sync.aligned 0 ;", TEXT_BARRIER},
        {"add.u32 $0, $1, 1; bar.sync 0;", TEXT_BARRIER},
        {"here: bar.sync 0;", TEXT_BARRIER},
        {"bar.sync 0, 64;", TEXT_OTHER_BARRIER},
        {"bar.sync $0;", TEXT_OTHER_BARRIER},
        {"bar.sync $0, $1;", TEXT_OTHER_BARRIER},
        {"bar.arrive 0, 64;", TEXT_OTHER_BARRIER},
        {"barrier.cta.arrive 0, 64;", TEXT_OTHER_BARRIER},
        {"bar.red.popc.u32 $0, 0, %p;", TEXT_OTHER_BARRIER},
        {"bar.sync 0; bar.sync 0;", TEXT_OTHER_BARRIER},
        {"{ .reg .pred p; setp.ne.u32 p, $0, 0; @p bar.sync 0; }", TEXT_OTHER_BARRIER},
        {"again: bar.sync 0; @p bra again;", TEXT_OTHER_BARRIER},
        {"bar.sync 1;", TEXT_NO_BARRIER},
        {"bar.sync 10, 64;", TEXT_NO_BARRIER},
        {"bar.arrive 2, 96;", TEXT_NO_BARRIER},
        {"bar.warp.sync -1;", TEXT_NO_BARRIER},
        {"barrier.cluster.arrive.release.aligned;", TEXT_NO_BARRIER},
        {"membar.gl;", TEXT_NO_BARRIER},
        {"mbarrier.arrive.shared.b64 _, [$0];", TEXT_NO_BARRIER},
        {"", TEXT_NO_BARRIER},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        if (text_barrier(cases[i].text) != cases[i].barrier)
            fail_msg("barrier of another kind: %s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pure), cmocka_unit_test(test_barriers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
