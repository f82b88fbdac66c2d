// RUN: %heddle fix %s --only split-branch --line 11 --unproven > %t && FileCheck-19 %s < %t

__device__ float grow(float x);
__global__ void shade(const int* mask, const float* in, float* out, int* count, int n);

__global__ void shade(const int* mask, const float* in, float* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i];
  if (mask[i] == 0)
    out[i] = grow(x); // lean
  else if (mask[i] == 1) {
    // fat
    if (x > 0.5f)
      return;
    out[i] = grow(grow(x));
  } else out[i] = -x;
  count[i] += 1;
}

__device__ float grow(float x) {
  return x * 0.5f;
}

void launch(const int* mask, const float* in, float* out, int* count, int n) {
  const int block = 128;
  for (int turn = 0; turn < 2; ++turn)
    shade<<<(n + block - 1) / block, block>>>(mask, in, out, count, n);
  void* arguments[] = {&mask, &in, &out, &count, &n};
  cudaLaunchKernel((void*)shade, dim3(8), dim3(block), arguments, 0, 0);
}

// The epilogue needs no gate: only a thread whose way it is gets there.
// CHECK:      +template <int Way>
// CHECK-NEXT:  __global__ void shade({{.*}});
// CHECK:      +template <int Way> // which way of the branch below a launch runs
// CHECK-NEXT:  __global__ void shade({{.*}}) {
// CHECK:      -  if (mask[i] == 0)
// CHECK-NEXT: +  if (mask[i] == 0) {
// CHECK-NEXT: +    if (Way != 0)
// CHECK-NEXT: +      return;
// CHECK-NEXT:      out[i] = grow(x); // lean
// CHECK-NEXT: -  else if (mask[i] == 1) {
// CHECK-NEXT: +  } else if (mask[i] == 1) {
// CHECK-NEXT: +    if (Way != 1)
// CHECK-NEXT: +      return;
// CHECK-NEXT:      // fat
// CHECK-NEXT:      if (x > 0.5f)
// CHECK-NEXT:        return;
// CHECK-NEXT:      out[i] = grow(grow(x));
// CHECK-NEXT: -  } else out[i] = -x;
// CHECK-NEXT: +  } else {
// CHECK-NEXT: +    if (Way != 2)
// CHECK-NEXT: +      return;
// CHECK-NEXT: +    out[i] = -x;
// CHECK-NEXT: +  }
// CHECK-NEXT:    count[i] += 1;
// CHECK:      -  for (int turn = 0; turn < 2; ++turn)
// CHECK-NEXT: -    shade<<<(n + block - 1) / block, block>>>(mask, in, out, count, n);
// CHECK-NEXT: +  for (int turn = 0; turn < 2; ++turn) {
// CHECK-NEXT: +    shade<0><<<(n + block - 1) / block, block>>>(mask, in, out, count, n);
// CHECK-NEXT: +    shade<1><<<(n + block - 1) / block, block>>>(mask, in, out, count, n);
// CHECK-NEXT: +    shade<2><<<(n + block - 1) / block, block>>>(mask, in, out, count, n);
// CHECK-NEXT: +  }
// CHECK-NEXT:    void* arguments[]
// CHECK-NEXT: -  cudaLaunchKernel((void*)shade, dim3(8), dim3(block), arguments, 0, 0);
// CHECK-NEXT: +  cudaLaunchKernel((void*)shade<0>, dim3(8), dim3(block), arguments, 0, 0);
// CHECK-NEXT: +  cudaLaunchKernel((void*)shade<1>, dim3(8), dim3(block), arguments, 0, 0);
// CHECK-NEXT: +  cudaLaunchKernel((void*)shade<2>, dim3(8), dim3(block), arguments, 0, 0);
