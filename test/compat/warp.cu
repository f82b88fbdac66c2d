// Votes, shuffles, match and reduce; barriers of warps and blocks; fences.
#include <cuda_runtime.h>

// CHECK-LABEL: define {{.*}}@warpFunctions
// CHECK-DAG: llvm.nvvm.vote.ballot.sync
// CHECK-DAG: llvm.nvvm.shfl.sync.down.f32
// CHECK-DAG: llvm.nvvm.shfl.sync.bfly
// CHECK-DAG: llvm.nvvm.match.any.sync.i32
// CHECK-DAG: llvm.nvvm.redux.sync.add
// CHECK-DAG: llvm.nvvm.bar.warp.sync
extern "C" __global__ void warpFunctions(int* o, float x, double y, long long z) {
  const unsigned all = 0xffffffffu;
  int predicate = 0;
  int r = __any_sync(all, x > 0) + __all_sync(all, x > 0) + __popc(__ballot_sync(all, x > 1));
  r += int(__shfl_sync(all, x, 3) + __shfl_down_sync(all, x, 1) + __shfl_up_sync(all, y, 2, 16));
  r += int(__shfl_xor_sync(all, z, 5)) + __match_any_sync(all, r) + __match_any_sync(all, z);
  r += __match_all_sync(all, r, &predicate) + predicate + __reduce_add_sync(all, r);
  r += __activemask() + __reduce_max_sync(all, r) + __reduce_xor_sync(all, unsigned(r));
  __syncwarp();
  __syncwarp(0x0fu);
  r += __syncthreads_count(r) + __syncthreads_and(r) + __syncthreads_or(r);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  __nanosleep(100);
  *o = r + int(clock()) + int(clock64()) + __ldg(o + 1);
}
