// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main(int argc, char**) {
  int threads = 48;
  if (argc > 1)
    threads = 64;
  k<<<9, threads>>>(nullptr);
}
// CHECK: :3: reshape refused: line 11 launches k with blocks of 'threads' threads [launch-shape]
