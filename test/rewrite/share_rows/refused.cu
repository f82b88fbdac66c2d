// RUN: %refused fix %s --only share-rows --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// One of each kind, in the order of the source.
#define LEAVE_IF(condition) if (condition) break

__device__ int keep(int* p, int k) {
  p[k] = k;
  return k;
}
struct Large {
  int words[20];
};

__global__ void loops(const int* start, const int* v, int* out, int* other, float* reals, int n) {
  const int r = int(threadIdx.x);
  const int first = start[r], last = start[r + 1];
  int x = 0, y = 0, k = 0, local[4] = {1, 2, 3, 4};
  int *inside = local, &alias = y;
  float f = 0;
  Large large = {};
  // CHECK: :[[#@LINE+1]]: share-rows refused: {{.*}} [no-row-loop]
  if (r > 1000)
    return;
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] has 0 to n for all threads [same-length]
  for (int i = 0; i < n; ++i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] ends by more than a comparison [loop-form]
  for (int i = first; i < last && x < 9; ++i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] does not count up or down by a constant of 1 to 16 at its end [loop-form]
  for (int i = first; i < last; i += blockDim.x)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] changes its counter in its body [loop-form]
  for (int i = first; i < last; ++i)
    if (v[i])
      ++i;
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] has no condition in front of its items [loop-form]
  do
    x += v[x & 7];
  while (x < last);
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] counts an unsigned number down by >= [loop-form]
  for (unsigned i = last; i >= 3; --i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] compares a square and does not begin with a constant [loop-form]
  for (int i = first; i * i < last; ++i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] compares a square to a number of another kind [loop-form]
  for (int i = 2; i * i <= unsigned(last); ++i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] compares a counter of 64 bits to a floating-point number [loop-form]
  for (long i = 2; i < reals[r]; ++i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] may change x, which ends it [bounds-change]
  for (int i = first; i < x; ++i)
    x += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] may change k, which ends it [bounds-change]
  for (k = 0; k < last - k; ++k)
    x += v[k];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] may change out, which ends it [bounds-change]
  for (int i = first; i < out[r]; ++i)
    out[i] = 3;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+3]] uses k behind the loop [counter-used-behind]
  for (k = first; k < last; ++k)
    x += v[k];
  out[k] = x;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes x of the items before [carried-over]
  for (int i = first; i < last; ++i)
    x = x * 33 + v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes x of the items before [carried-over]
  for (int i = first; i < last; ++i) {
    x += v[i] > y;
    y += v[i];
  }
  // CHECK: :[[#@LINE+1]]: share-rows refused: y of line {{.*}} is changed in more than one way [carried-over]
  for (int i = first; i < last; ++i) {
    y += v[i];
    y ^= v[i];
  }
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] compares by first, which other lanes have not [own-value-unfit]
  for (int i = first; i < last; ++i)
    if (v[i - first] > v[x - first])
      x = i;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes alias of the items before [carried-over]
  for (int i = first; i < last; ++i)
    alias += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: y may be changed through its address or a reference [carried-over]
  for (int i = first; i < last; ++i)
    y += v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes x of the items before [carried-over]
  for (int i = first; i < last; ++i)
    x += 0.5f * v[i];
  // A NaN among the values would stay or not by its place.
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes f of the items before [carried-over]
  for (int i = first; i < last; ++i)
    f = f < reals[i] ? f : reals[i];
  // Which item came last is known by its number alone.
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes x of the items before [carried-over]
  for (int i = first; i < last; ++i)
    if (v[i] <= x) {
      x = v[i];
      y = v[i + n];
    }
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+3]] returns from inside the loop [ends-early]
  for (int i = first; i < last; ++i)
    if (v[i] == 7)
      return;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+4]] changes x, and another item may end the loop [ends-early]
  for (int i = first; i < last; ++i) {
    if (v[i] == 7)
      break;
    x += v[i];
  }
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] has a break, and its items write memory [ends-early]
  for (int i = first; i < last; ++i) {
    out[i] = 3;
    if (v[i] == 7)
      break;
  }
  // Different places, and one that others may be.
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+3]] writes out, which may be what another item writes [not-its-place]
  for (int i = first; i < last; ++i) {
    out[r] += v[i];
    out[y] += v[i];
  }
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] needs or changes out[r] of the items before [carried-over]
  for (int i = first; i < last; ++i)
    out[r] = out[r] * 3 + v[i];
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] may store where another item does [not-its-place]
  for (int i = first; i < last; ++i)
    out[v[i]] = i;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] reads what items write to out [not-its-place]
  for (int i = first; i < last; ++i)
    out[i] = out[i - 1] + 1;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+3]] writes out, which may be what another item writes [not-its-place]
  for (int i = first; i < last; ++i) {
    out[i] = 1;
    out[i + 1] = 2;
  }
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] calls keep, which may write memory [not-its-place]
  for (int i = first; i < last; ++i)
    x += keep(other, v[i]);
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] calls atomicExch, whose order matters [order-of-atomics]
  for (int i = first; i < last; ++i)
    atomicExch(&other[v[i]], i);
  // CHECK: :[[#@LINE+1]]: share-rows refused: local of line {{.*}} is an array of the thread [own-value-unfit]
  for (int i = first; i < last; ++i)
    x += local[v[i] & 3];
  // CHECK: :[[#@LINE+1]]: share-rows refused: inside of line {{.*}} may point to a variable of the thread [own-value-unfit]
  for (int i = first; i < last; ++i)
    x += inside[v[i] & 3];
  // CHECK: :[[#@LINE+1]]: share-rows refused: large of line {{.*}} has 80 bytes, more than 64 [own-value-unfit]
  for (int i = first; i < last; ++i)
    x += large.words[v[i] & 3];
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] asks for threadIdx inside the loop [thread-index-inside]
  for (int i = first; i < last; ++i)
    x += v[i] * int(threadIdx.x);
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] leaves the loop in a macro [macro-in-the-way]
  for (int i = first; i < last; ++i) {
    LEAVE_IF(v[i] == 7);
  }
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+2]] calls __syncthreads, {{.*}} [barrier-inside]
  for (int i = first; i < last; ++i)
    __syncthreads();
  out[r] = x + y + int(f);
}
