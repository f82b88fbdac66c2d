// RUN: %heddle fix %s --only aggregate --line 9 --unproven --form "by block (64 words)" > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only aggregate --line 9 --unproven --form "by block (4 words)" > %t && FileCheck-19 --check-prefix FEW %s < %t
// RUN: %heddle fix %s --only aggregate --line 9 --unproven > %t && FileCheck-19 --check-prefix BOTH %s < %t
// RUN: not %heddle fix %s --only aggregate --line 24 --unproven --form none 2> %t && FileCheck-19 --check-prefix SUMS-READ %s < %t
// RUN: %heddle fix %s --only aggregate --line 29 --unproven --form "by block (64 words)" > %t && FileCheck-19 --check-prefix WRAPS %s < %t
// RUN: not %heddle fix %s --only aggregate --line 37 --unproven --form none 2> %t && FileCheck-19 --check-prefix LEAVES %s < %t

template <class T>
__global__ void tally(const int* kind, const T* mass, T* sums, unsigned* d_counts, T* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return; // in front of the first addition
  atomicAdd(&sums[kind[i] + 1], mass[i]);
  atomicAdd(sums + 3, T(1));
  if (mass[i] > T(2)) {
    atomicAdd(&d_counts[kind[i]], 1u);
    atomicMax(&d_counts[4], 1u);
  }
  atomicAdd(total, mass[i]); // the last line
}

void launch(const int* k, const float* f, float* s, unsigned* c) { tally<float><<<4, 64>>>(k, f, s, c, s + 9, 100); }

__global__ void reads(int* sums, int* out) {
  atomicAdd(&sums[0], 1);
  out[threadIdx.x] = sums[0];
}

__global__ void leaves(int* sums, int n) {
  for (int i = threadIdx.x; i < 100; i += 32) {
    if (i > n)
      return;
    atomicAdd(&sums[i & 1], 1);
  }
}

__global__ void leavesBarrier(int* sums, int n) {
  atomicAdd(&sums[n % threadIdx.x], 1);
  if (threadIdx.x > n)
    return;
  __syncthreads();
  atomicAdd(&sums[1], 1);
}

// CHECK:      +#include <heddle/block_tally.cuh>
// CHECK:      {{^}}+  __shared__ heddle::block_tally<T, 64> ownSums;
// CHECK-NEXT: {{^}}+  ownSums.begin();
// CHECK-NEXT: {{^}}+  heddle::thread_total<T> ownTotal;
// CHECK-NEXT: {{^}}+  [&] {
// CHECK:      +      return; // in front of the first addition
// CHECK:      +    ownSums.add(sums, kind[i] + 1, mass[i]);
// CHECK:      +    ownSums.add(sums, 3, T(1));
// CHECK-NOT:  own_d_counts
// CHECK:      +    ownTotal.join(mass[i]); // the last line
// CHECK-NEXT: +  }();
// CHECK-NEXT: +  ownSums.end(sums);
// CHECK-NEXT: +  ownTotal.end(total);
// FEW:        block_tally<T, 4> ownSums;
// BOTH:       heddle::aggregate_add(&sums[kind[i] + 1], mass[i]);
// SUMS-READ:  there are: by warp{{$}}
// WRAPS:      {{^}}+  [&] {
// WRAPS:      +        return;
// WRAPS:      +  }();
// WRAPS-NEXT: +  ownSums.end(sums);
// LEAVES:     there are: by warp{{$}}

// RUN: %heddle fix %s --only aggregate --line 9 --unproven --form "by block (64 words, 8 copies)" > %t && FileCheck-19 --check-prefix COPIES %s < %t
// COPIES:     {{^}}+  __shared__ heddle::block_tally<T, 64, 8> ownSums;
// RUN: %heddle fix %s --only aggregate --line 9 --unproven --form "by block (64 words, 8 copies, tiles of 8)" > %t && FileCheck-19 --check-prefix TILES %s < %t
// TILES:      +#include <heddle/tiles.cuh>
// TILES:      {{^}}+__global__ void {{.*}}, dim3 blocks) {
// TILES:      {{^}}+  __shared__ heddle::block_tally<T, 64, 8> ownSums;
// TILES:      {{^}}+  heddle::for_tiles<8>(blocks, [&](uint3 blockIdx) {
// TILES-NEXT: {{^}}+    const int i = blockIdx.x * blockDim.x + threadIdx.x;
// TILES:      {{^}}+    atomicMax(&d_counts[4], 1u);
// TILES:      {{^}}+  });
// TILES-NEXT: {{^}}+  ownSums.end(sums);
