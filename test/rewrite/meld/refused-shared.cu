// RUN: %refused fix %s --only meld --line 19 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=MEMORY < %t
// RUN: %refused fix %s --only meld --line 30 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=VOTE < %t
//
// What lanes of one arm write, lanes of the other must not read: they used to take turns. Nor may
// they meet in an arm.

__device__ unsigned mix(unsigned x) { return (x ^ x >> 13) * 2654435761u; }

__global__ void meet(unsigned* out) {
  __shared__ unsigned left[64], right[64];
  const unsigned t = threadIdx.x;
  left[t] = t;
  right[t] = t * 3;
  __syncthreads();

  // MEMORY: :19: meld refused: one arm of the branch in line 19 writes left, which the other one uses [arms-share-memory]
  if (t < 20) {
    left[t] = mix(mix(right[t]) + 7);
    out[t] = mix(mix(t) ^ t);
  } else {
    out[t] = left[t - 20];
    out[t] += mix(left[t - 20]);
    out[t] = mix(mix(t) ^ t);
  }
  __syncthreads();

  // VOTE: :30: meld refused: line 31 calls __ballot_sync, whose lanes would no longer meet [sync-op-inside]
  if (t & 1) {
    right[t] = __ballot_sync(__activemask(), left[t] > 9);
    out[t] += mix(mix(t) ^ right[t]);
  } else {
    out[t] += mix(mix(t) ^ right[t]);
  }
}
