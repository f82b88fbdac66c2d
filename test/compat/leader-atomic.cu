// Only the leader of a warp runs the atomic; the others read their variable before it is set, and the
// shuffle gives them the leader's. Were parameters `noundef`, the optimiser would drop the branch, and
// every lane would run the atomic.
#include <cuda_runtime.h>

__device__ int next;

// CHECK-LABEL: define {{.*}}@claim
// CHECK-NOT: llvm.assume
// CHECK: br i1 %{{.*}}, label
// CHECK: atomicrmw add
// CHECK: llvm.nvvm.shfl.sync.idx.i32
extern "C" __global__ void claim(int* out) {
  int first;
  if ((threadIdx.x & 31) == 0)
    first = atomicAdd(&next, 32);
  first = __shfl_sync(0xffffffffu, first, 0);
  out[threadIdx.x] = first + (threadIdx.x & 31);
}
