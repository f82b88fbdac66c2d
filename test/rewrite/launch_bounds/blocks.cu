// RUN: %heddle fix %s --only launch-bounds --line 8 --unproven --block 32,8 > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only launch-bounds --line 8 --unproven --block 256 --registers k=72 --form "(256, 4)" > %t && FileCheck-19 --check-prefix MORE %s < %t
// RUN: not %heddle fix %s --only launch-bounds --line 8 --unproven --block 768 --registers k=33 --form none 2> %t && FileCheck-19 --check-prefix LARGE %s < %t
// RUN: not %heddle fix %s --only launch-bounds --line 8 --unproven --block 512 --registers k=33 --form none 2> %t && FileCheck-19 --check-prefix SMALL %s < %t

namespace some {
template <typename T>
__global__ void k(T* out) {
  out[threadIdx.x] = 1;
}
} // namespace some

void launch(float* x) { some::k<<<1, 256>>>(x); }

// CHECK:     +__global__ void __launch_bounds__(256) k(T* out) {
// 72 registers leave room for three blocks of 256 threads, 33 for three of 512 or two of 768.
// MORE:      +__global__ void __launch_bounds__(256, 4) k(T* out) {
// SMALL:     there are: (512), (512, 4)
// LARGE:     there are: (768){{$}}
