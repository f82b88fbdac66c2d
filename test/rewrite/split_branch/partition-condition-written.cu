// RUN: %heddle fix %s --only split-branch --line 8 --unproven > %t && grep -v CHECK %t | FileCheck-19 %s

// The second kernel of a split by test would see what the first one wrote; a partition decides once.
// A thread that takes no way has one of its own, in which nothing is done.
template <typename T> __global__ void halve(T* x, unsigned n) {
  const auto i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    if (x[i] > T(4))
      x[i] /= 2;
    else if (x[i] > T(1)) {
      x[i] -= 1;
    }
  }
}

void launch(float* x, int* y) {
  halve<<<8, 64>>>(x, 500);
  halve<int><<<8, 64>>>(y, 500);
}

// CHECK:      +template <int Way, typename T> // -1 says which way thread i takes; the others go it
// CHECK-NEXT: +struct halveWay {
// CHECK:      +  __device__ int operator()(const unsigned int i) const {
// CHECK-NEXT: +    if (i < n) {
// CHECK-NEXT: +      if (x[i] > T(4)) {
// CHECK-NEXT: +        if (Way != 0)
// CHECK-NEXT: +          return 0;
// CHECK:      +    return 2;
// CHECK:      +template <typename T>
// CHECK-NEXT: +cudaError_t halve(dim3 grid, dim3 block, cudaStream_t stream, T* x, unsigned n) {
// CHECK:      halveWay<-1, T>{x, n}
// CHECK:      halveWay<2, T>{x, n}
// CHECK:      +  halve(8, 64, nullptr, x, 500);
// CHECK-NEXT: +  halve<int>(8, 64, nullptr, y, 500);
