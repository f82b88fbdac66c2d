// Atomics on every CUDA type become atomic operations of the module, not calls.
#include <cuda_runtime.h>

// CHECK-LABEL: define {{.*}}@all
// CHECK-DAG: atomicrmw add ptr {{.*}} i32
// CHECK-DAG: atomicrmw add ptr {{.*}} i64
// CHECK-DAG: atomicrmw fadd ptr {{.*}} float
// CHECK-DAG: atomicrmw fadd ptr {{.*}} double
// CHECK-DAG: atomicrmw umin
// CHECK-DAG: atomicrmw max
// CHECK-DAG: cmpxchg
extern "C" __global__ void all(int* i, unsigned* u, unsigned long long* w, long long* l, float* f, double* d) {
  __shared__ int local;
  atomicAdd(i, 1);
  atomicAdd(u, 1u);
  atomicAdd(w, 1ull);
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);
  atomicAdd(&local, 2);
  atomicSub(i, 2);
  atomicSub(u, 2u);
  atomicMin(u, 3u);
  atomicMin(l, 3ll);
  atomicMax(i, 3);
  atomicMax(w, 3ull);
  atomicAnd(i, 7);
  atomicOr(u, 7u);
  atomicXor(w, 7ull);
  atomicInc(u, 9u);
  atomicDec(u, 9u);
  atomicExch(f, 2.0f);
  atomicExch(i, 2);
  atomicCAS(i, 1, 2);
  atomicCAS(w, 1ull, 2ull);
  atomicAdd_block(i, 1);
  atomicAdd_system(d, 1.0);
}
