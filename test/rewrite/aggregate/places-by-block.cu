// RUN: %heddle fix %s --only aggregate --line 18 --unproven --form "by block (places)" > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only aggregate --line 33 --unproven --form "by block (places, tiles of 4)" > %t && FileCheck-19 --check-prefix TILES %s < %t
// RUN: %heddle fix %s --only aggregate --line 45 --unproven --form "by block (places)" > %t && FileCheck-19 --check-prefix CONDITION %s < %t
// RUN: not %heddle fix %s --only aggregate --line 57 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 67 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 73 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 79 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 86 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 94 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 100 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
//
// Threads come twice: what they change before they ask for a place would be changed twice.

struct Counts {
  int low, high;
};
__global__ void divide(const float* in, float* low, float* high, int* other, Counts* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] < 0) {
    other[i] = 1; // is done after the first time
    return;
  }
  if (in[i] < 0.5f)
    low[atomicAdd(&counts->low, 1)] = in[i];
  else
    high[atomicAdd(&counts->high, 1)] = in[i];
  other[i] = 2; // the last line
}

template <class T> __device__ T twice(T x) { return 2 * x; }
__global__ void sort(const int* in, int* out, unsigned* cursor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int kind = in[i] & 7;
    if (kind != 3) {
      const unsigned place = atomicAdd(&cursor[kind], 1u);
      out[place] = twice(i);
    } else
      out[n + i] = 0;
  }
}

__global__ void bounded(const int* in, int* out, int* count, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0)
    if (atomicAdd(count, 1) < most) {
      out[i] = i;
      int next = atomicAdd(count, 1);
      if (next < most)
        out[next] = i;
    }
}

/// A thread that asks has written before.
__global__ void writes(const int* in, int* seen, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0)
    seen[i] += 1;
  if (in[i] > 1) {
    int at = atomicAdd(count, 1);
    out[at] = i;
  }
}

__global__ void loops(const int* in, int* out, int* count, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (in[i] > 0)
      out[atomicAdd(count, 1)] = i;
}

__global__ void seldom(const int* in, int* out, int* count, int n) {
  int at;
  if (in[threadIdx.x] > 0 && (at = atomicAdd(count, 1)) < n)
    out[at] = threadIdx.x;
}

__global__ void looks(const int* in, int* out, int* count, int n) {
  const int at = *count < n ? in[threadIdx.x] : 0;
  if (at > 0)
    out[atomicAdd(count, 1)] = at;
}

/// What is read the second time may be another by then.
__global__ void inPlace(int* list, int* count) {
  if (list[threadIdx.x] > 0) {
    int at = atomicAdd(count, 1);
    list[at] = list[threadIdx.x];
  }
}

/// The index of the counter changes as the statement runs.
__global__ void moves(const int* in, int* out, int* count) {
  int k = in[threadIdx.x];
  if (k > 0)
    out[k++ + atomicAdd(&count[k], 1)] = 1;
}

__global__ void votes(const int* in, int* out, int* count) {
  int some = __any_sync(~0u, in[threadIdx.x] > 0);
  if (some)
    out[atomicAdd(count, 1)] = 1;
}

// CHECK:      +#include <heddle/block_places.cuh>
// CHECK:      {{^}}+  heddle::block_places<1>(
// CHECK-NEXT: {{^}}+      [&](auto& places) {
// CHECK-NEXT: {{^}}+        const int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK:      {{^}}+        if (in[i] < 0.5f) {
// CHECK-NEXT: {{^}}+          if (places.asks(&counts->low, 0))
// CHECK-NEXT: {{^}}+            return;
// CHECK-NEXT: {{^}}+          low[places.next(&counts->low, 0)] = in[i];
// CHECK-NEXT: {{^}}+        }
// CHECK-NEXT: {{^}}+        else {
// CHECK:      {{^}}+          high[places.next(&counts->high, 0)] = in[i];
// CHECK:      {{^}}+        other[i] = 2; // the last line
// CHECK-NEXT: {{^}}+      },
// CHECK-NEXT: {{^}}+      &counts->low, &counts->high);
// TILES:      {{^}}+  if (!heddle::has_tiles<4>())
// TILES-NEXT: {{^}}+    return;
// TILES-NEXT: {{^}}+  heddle::block_places_of_tiles<4, 32>(
// TILES-NEXT: {{^}}+      [&](uint3 blockIdx, auto& places) {
// TILES:      {{^}}+            if (places.asks(cursor, kind))
// TILES-NEXT: {{^}}+              return;
// TILES-NEXT: {{^}}+            const unsigned place = places.next(cursor, kind);
// TILES:      {{^}}+      cursor);
// CONDITION:  {{^}}+        if (in[i] > 0) {
// CONDITION:  {{^}}+          if (places.next(count, 0) < most) {
// CONDITION:  {{^}}+            if (places.asks(count, 0))
// CONDITION:  {{^}}+            int next = places.next(count, 0);
// WARP:       there are: by warp{{$}}
