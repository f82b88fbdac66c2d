// RUN: %refused fix %s --only reduce --line 13 --block 256 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=EARLY < %t
// RUN: %refused fix %s --only reduce --line 23 --block 256 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=MINUS < %t
//
// A loop that ends before its last step, and one that does not add.

__global__ void early(const float* in, float* out) {
  __shared__ float a[256], b[256];
  const int t = threadIdx.x;
  b[t] = a[t] = in[t];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 1; s >>= 1) {
    if (t < s)
      a[t] += a[t + s];
    __syncthreads();
  }
  // EARLY: :13: reduce refused: the loop is no reduction in shared memory that is known [no-reduction-idiom]
  if (t == 0)
    out[0] = a[0];
  // MINUS: :23: reduce refused: the loop is no reduction in shared memory that is known [no-reduction-idiom]
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s)
      b[t] = b[t] - b[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[1] = b[0];
}
