// RUN: %heddle fix %s --only aggregate --line 22 --unproven --form "by thread" > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only aggregate --line 35 --unproven --form "by thread (tiles of 8)" > %t && FileCheck-19 --check-prefix TILES %s < %t
// RUN: %heddle fix %s --only aggregate --line 45 --unproven --form "by thread" > %t && FileCheck-19 --check-prefix DEVICE %s < %t
// RUN: %heddle fix %s --only aggregate --line 59 --unproven --form "by thread" > %t && FileCheck-19 --check-prefix VIEW %s < %t
// RUN: not %heddle fix %s --only aggregate --line 65 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 70 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 75 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 80 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
// RUN: not %heddle fix %s --only aggregate --line 86 --unproven --form none 2> %t && FileCheck-19 --check-prefix UNTILED %s < %t
// RUN: not %heddle fix %s --only aggregate --line 91 --unproven --form none 2> %t && FileCheck-19 --check-prefix UNTILED %s < %t
// RUN: %heddle fix %s --only aggregate --line 110 --unproven --form "by block (64 words)" > %t && FileCheck-19 --check-prefix PARTS %s < %t
// RUN: not %heddle fix %s --only aggregate --line 99 --unproven --form none 2> %t && FileCheck-19 --check-prefix WARP %s < %t
//
// What has one address for all threads is joined by each of them.

struct Tally {
  int kept, dropped;
  unsigned flags;
};

__global__ void count(const int* in, Tally* tally, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (in[i] > 0)
      atomicAdd(&tally->kept, in[i]);
    else if (in[i] < -9)
      atomicAdd(&tally->dropped, 1);
    else
      atomicSub(&tally->kept, 2);
    atomicOr(&(*tally).flags, 1u << (in[i] & 31));
  }
}

__global__ void extent(const float* x, float* left, int* right, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicMin((int*)left, __float_as_int(x[i]));
  atomicMax(right + 0, int(x[i]));
}

__device__ double energy;
__device__ unsigned long long seen[4];

__global__ void total(const double* x) {
  atomicAdd(&energy, x[threadIdx.x]);
  atomicAdd(&seen[2], 1ull);
  atomicAdd(seen + 3, 1ull);
}

struct View {
  const int* in;
  int* sum;
  int* out;
  int n;
};

/// The parts of a parameter are apart.
__global__ void view(View v) {
  int own = v.in[threadIdx.x];
  atomicAdd(v.sum, own);
  v.out[threadIdx.x] = v.n;
}

__global__ void readsEnergy(double* out) {
  atomicAdd(&energy, 1.0);
  out[threadIdx.x] = energy;
}

__global__ void mixes(int* word) {
  atomicAdd(&word[0], 1);
  atomicMax(word, 7);
}

__global__ void changes(int* word, int n) {
  word += n;
  atomicMax(word, 7);
}

__global__ void loads(Tally** tallies) {
  atomicMax(&tallies[0]->kept, 7);
  atomicXor(&(*tallies)->flags, 7u);
}

__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void inFunction(const int* in, int* most) {
  atomicMax(most, in[place()]);
}

__global__ void changesParameter(const int* in, int* most, int n) {
  n -= blockIdx.x;
  atomicMax(most, in[n]);
}

__device__ int whole(View v) {
  return v.sum[0];
}

__global__ void handsOn(View v) {
  atomicAdd(v.sum, 1);
  v.out[threadIdx.x] = whole(v);
}

struct Grades {
  int letters[5];
  float sum;
};

/// Each part of a struct by itself.
__global__ void grade(const float* x, Grades* all) {
  atomicAdd(&all->letters[int(x[threadIdx.x])], 1);
  atomicAdd(&all->sum, x[threadIdx.x]);
}

// PARTS:      {{^}}+  ownLetters.begin();
// PARTS-NEXT: {{^}}+  heddle::thread_total<float> ownSum;
// PARTS:      {{^}}+  ownLetters.add(all->letters, int(x[threadIdx.x]), 1);
// PARTS-NEXT: {{^}}+  ownSum.join(x[threadIdx.x]);
// PARTS-NEXT: {{^}}+  ownLetters.end(all->letters);
// PARTS-NEXT: {{^}}+  ownSum.end(&all->sum);
// CHECK:      +#include <heddle/thread_total.cuh>
// CHECK:      {{^}}+  heddle::thread_total<int> ownKept;
// CHECK-NEXT: {{^}}+  heddle::thread_total<int, heddle::minus> ownKept2;
// CHECK-NEXT: {{^}}+  heddle::thread_total<int> ownDropped;
// CHECK-NEXT: {{^}}+  heddle::thread_total<unsigned int, heddle::bit_or> ownFlags;
// CHECK:      +      ownKept.join(in[i]);
// CHECK:      +      ownDropped.join(1);
// CHECK:      +      ownKept2.join(2);
// CHECK:      +    ownFlags.join(1u << (in[i] & 31));
// CHECK:      {{^}}+  ownKept.end(&tally->kept);
// CHECK-NEXT: {{^}}+  ownKept2.end(&tally->kept);
// CHECK-NEXT: {{^}}+  ownDropped.end(&tally->dropped);
// CHECK-NEXT: {{^}}+  ownFlags.end(&(*tally).flags);
// TILES:      {{^}}+  if (!heddle::has_tiles<8>())
// TILES:      {{^}}+  heddle::thread_total<int, heddle::minimum> ownLeft;
// TILES-NEXT: {{^}}+  heddle::thread_total<int, heddle::maximum> ownRight;
// TILES-NEXT: {{^}}+  heddle::for_tiles<8>([&](uint3 blockIdx) {
// TILES:      {{^}}+      return;
// TILES:      {{^}}+    ownLeft.join(__float_as_int(x[i]));
// TILES:      {{^}}+  });
// TILES-NEXT: {{^}}+  ownLeft.end((int*)left);
// TILES-NEXT: {{^}}+  ownRight.end(right + 0);
// DEVICE:     {{^}}+  heddle::thread_total<double> ownEnergy;
// DEVICE-NEXT: {{^}}+  heddle::thread_total<unsigned long long> ownSeen2;
// DEVICE:     {{^}}+  ownEnergy.end(&energy);
// DEVICE-NEXT: {{^}}+  ownSeen2.end(&seen[2]);
// DEVICE-NEXT: {{^}}+  ownSeen3.end(seen + 3);
// VIEW:       {{^}}+  ownSum.join(own);
// VIEW:       {{^}}+  ownSum.end(v.sum);
// WARP:       there are: by warp{{$}}
// UNTILED:    there are: by warp, by thread{{$}}
