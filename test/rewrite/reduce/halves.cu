// RUN: %heddle fix %s --only reduce --line 8 --block 512 --unproven | FileCheck-19 %s
//
// The barrier in front of a step, a template's block size, a function as the operator.

template <class T, int Size> __global__ void greatest(const T* in, T* out) {
  __shared__ T a[Size];
  a[threadIdx.x] = in[blockIdx.x * Size + threadIdx.x];
  for (int s = Size / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s)
      a[threadIdx.x] = max(a[threadIdx.x], a[threadIdx.x + s]);
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = a[0];
}
template __global__ void greatest<float, 512>(const float*, float*);
template __global__ void greatest<int, 512>(const int*, int*);

// CHECK:      +  __syncthreads();
// CHECK-NEXT: +  heddle::reduce_halves<512>(a, [](auto x, auto y) { return max(x, y); });
// CHECK-NEXT:    if (threadIdx.x == 0)
