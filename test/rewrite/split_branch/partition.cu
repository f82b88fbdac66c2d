// RUN: %heddle fix %s --only split-branch --line 9 --unproven --form "by partition" > %t && grep -v CHECK %t | FileCheck-19 %s
#include <cuda_runtime.h>

/// Shades what is lit.
__global__ void shade(const int* mask, const float* __restrict__ in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x; // a pixel
  if (i >= n)
    return;
  if (mask[i] == 0) {
    out[i] = in[i];
  } else {
    if (in[i] > 0.5f)
      return;
    out[i] = -in[i];
  }
}

void launch(const int* mask, const float* in, float* out, int n, cudaStream_t stream) {
  shade<<<(n + 127) / 128, 128>>>(mask, in, out, n);
  shade<<<dim3(4), dim3(64), 0, stream>>>(mask, in, out, n);
}

// CHECK:       #include <cuda_runtime.h>
// CHECK-NEXT: +#include {{.}}heddle/split.cuh>
// CHECK:       /// Shades what is lit.
// CHECK:      +template <int Way> // -1 says which way thread i takes; the others go it
// CHECK-NEXT: +struct shadeWay {
// CHECK-NEXT: +  const int* mask;
// CHECK-NEXT: +  const float* __restrict__ in;
// CHECK-NEXT: +  float* out;
// CHECK-NEXT: +  int n;
// CHECK-NEXT: +
// CHECK-NEXT: +  __device__ int operator()(const int i) const {
// CHECK-NEXT: +    if (i >= n)
// CHECK-NEXT: +      return 1;
// CHECK-NEXT: +    if (mask[i] == 0) {
// CHECK-NEXT: +      if (Way != 0)
// CHECK-NEXT: +        return 0;
// CHECK-NEXT: +      out[i] = in[i];
// CHECK-NEXT: +    } else {
// CHECK-NEXT: +      if (Way != 1)
// CHECK-NEXT: +        return 1;
// CHECK-NEXT: +      if (in[i] > 0.5f)
// CHECK-NEXT: +        return 1;
// CHECK-NEXT: +      out[i] = -in[i];
// CHECK-NEXT: +    }
// CHECK-NEXT: +    return 1;
// CHECK-NEXT:    }
// CHECK-NEXT: +};
// CHECK-NEXT: +
// CHECK-NEXT: +cudaError_t shade(dim3 grid, dim3 block, cudaStream_t stream, const int* mask,
// CHECK-NEXT: +                  const float* __restrict__ in, float* out, int n) {
// CHECK-NEXT: +  return heddle::split_by_partition(stream, std::size_t{grid.x} * block.x,
// CHECK-NEXT: +                                    shadeWay<-1>{mask, in, out, n}, shadeWay<0>{mask, in, out, n},
// CHECK-NEXT: +                                    shadeWay<1>{mask, in, out, n});
// CHECK-NEXT:  }
// CHECK:      +  shade((n + 127) / 128, 128, nullptr, mask, in, out, n);
// CHECK-NEXT: +  shade(dim3(4), dim3(64), stream, mask, in, out, n);
