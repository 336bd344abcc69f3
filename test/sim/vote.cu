// vote, match, activemask, redux: whole warps, parts of warps, partial warps.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel votes --grid 1 --block 64 --seeds 3 -- i32:9
// RUN: %sim %t0.ll --kernel votes --grid 1 --block 64 --seeds 3 -- i32:9
// RUN: %sim %t3.ll --kernel partial --grid 1 --block 43 --seeds 3 -- i32:11
// RUN: %sim %t0.ll --kernel partial --grid 1 --block 43 --seeds 3 -- i32:11
// RUN: %sim %t3.ll --kernel reduce --grid 1 --block 64 --seeds 3 -- i32:9
// RUN: %sim %t0.ll --kernel reduce --grid 1 --block 64 --seeds 3 -- i32:9
// RUN: %sim %t3.ll --kernel here --grid 1 --block 32 --seeds 8 -- i32:16
// RUN: %sim %t0.ll --kernel here --grid 1 --block 32 --seeds 8 -- i32:16
#include "check.cuh"

KERNEL votes(u32 rounds) {
  u32 lane = threadIdx.x & 31;
  for (u32 s = 0; s < rounds; s++) {
    u32 ballot = 0, same = 0;
    for (u32 j = 0; j < 32; j++) {
      ballot |= (noise(j * 77 + s) & 1) << j;
      same |= (u32)((noise(j + s) & 3) == (noise(lane + s) & 3)) << j;
    }
    EXPECT(__ballot_sync(~0u, noise(lane * 77 + s) & 1) == ballot);
    EXPECT(__ballot_sync(~0u, lane == s) == 1u << s);
    EXPECT(__any_sync(~0u, lane == s) && !__any_sync(~0u, lane == 32 + s));
    EXPECT(__all_sync(~0u, lane < 32) && !__all_sync(~0u, lane != s));
    EXPECT(__nvvm_vote_uni_sync(~0u, lane < 32) && __nvvm_vote_uni_sync(~0u, lane > 40) && !__nvvm_vote_uni_sync(~0u, lane == s));
    EXPECT(__match_any_sync(~0u, noise(lane + s) & 3) == same);
    EXPECT(__match_any_sync(~0u, (u64)(noise(lane + s) & 3) << 33) == same);
    int all;
    EXPECT(__match_all_sync(~0u, s, &all) == ~0u && all);
    EXPECT(__match_all_sync(~0u, lane == s, &all) == 0 && !all);
    EXPECT(__match_all_sync(~0u, (u64)s << 40, &all) == ~0u && all);
  }
}

KERNEL partial(u32 live) {              // the second warp has `live` lanes
  u32 t = threadIdx.x, lane = t & 31, mask = t < 32 ? ~0u : (1u << live) - 1;
  EXPECT(__ballot_sync(mask, 1) == mask);
  EXPECT(__ballot_sync(mask, lane & 1) == (mask & 0xaaaaaaaau));
  EXPECT(__all_sync(mask, 1) && !__all_sync(mask, lane) && __any_sync(mask, lane == 0));
  EXPECT(__match_any_sync(mask, lane / 4) == (mask & (15u << (lane & 28))));
  u32 count = 0;
  for (u32 j = 0; j < 32; j++) count += mask >> j & 1;
  EXPECT(__reduce_add_sync(mask, 1u) == count);
  if (lane & 1) EXPECT(__ballot_sync(mask & 0xaaaaaaaau, lane > 4) == (mask & 0xaaaaaaa0u));
}

KERNEL reduce(u32 rounds) {
  u32 lane = threadIdx.x & 31;
  for (u32 s = 0; s < rounds; s++) {
    u32 add = 0, all = ~0u, any = 0, odd = 0, most = 0, least = ~0u;
    int high = (int)0x80000000, low = 0x7fffffff;
    for (u32 j = 0; j < 32; j++) {
      u32 v = noise(j * 31 + s) | s;
      add += v, all &= v | 0x11, any |= v & 0x7070, odd ^= v;
      most = v > most ? v : most, least = v < least ? v : least;
      high = (int)v > high ? (int)v : high, low = (int)v < low ? (int)v : low;
    }
    u32 v = noise(lane * 31 + s) | s;
    EXPECT(__reduce_add_sync(~0u, v) == add && __reduce_add_sync(~0u, (int)v) == (int)add);
    EXPECT(__reduce_and_sync(~0u, v | 0x11) == all && __reduce_or_sync(~0u, v & 0x7070) == any && __reduce_xor_sync(~0u, v) == odd);
    EXPECT(__reduce_max_sync(~0u, v) == most && __reduce_min_sync(~0u, v) == least);
    EXPECT(__reduce_max_sync(~0u, (int)v) == high && __reduce_min_sync(~0u, (int)v) == low);
  }
  if (lane < 8) EXPECT(__reduce_add_sync(0xffu, lane) == 28);
}

// activemask: the calling lane is in it, no lane of the other side is, and a single lane is alone.
KERNEL here(u32 half) {
  u32 lane = threadIdx.x;
  EXPECT(__activemask() >> lane & 1);
  if (lane < half) {
    u32 m = __activemask();
    EXPECT((m >> lane & 1) && !(m & 0xffff0000u));
  } else {
    u32 m = __activemask();
    EXPECT((m >> lane & 1) && !(m & 0x0000ffffu));
  }
  if (lane == 7) EXPECT(__activemask() == 1u << 7);
}
