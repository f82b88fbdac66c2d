// SPDX-License-Identifier: Apache-2.0
// COVERS: __grid_constant__, large parameters
// A large parameter that stays where it is: its address is taken and passed on, none writes to it.
#include <cstdio>
#include <cstdlib>

struct Network {
  float weights[24][32];
  float bias[32];
  int inputs;
};

__device__ __noinline__ float neuron(const Network* net, const float* x, int k) {
  float sum = net->bias[k];
  for (int i = 0; i < net->inputs; ++i)
    sum += net->weights[i][k] * x[i];
  return sum > 0 ? sum : 0;
}

__global__ void forward(const __grid_constant__ Network net, const float* in, float* out) {
  const float* x = in + blockIdx.x * net.inputs;
  out[blockIdx.x * 32 + threadIdx.x] = neuron(&net, x, threadIdx.x);
}

int main(int argc, char** argv) {
  int samples = argc > 1 ? atoi(argv[1]) : 20;
  static Network net;
  net.inputs = 24;
  for (int i = 0; i < 24; ++i)
    for (int k = 0; k < 32; ++k)
      net.weights[i][k] = (float)((i * 5 + k * 3) % 7 - 3);
  for (int k = 0; k < 32; ++k)
    net.bias[k] = (float)k;
  float *in, *out;
  if (cudaMallocManaged(&in, samples * 24 * sizeof(float)) ||
      cudaMallocManaged(&out, samples * 32 * sizeof(float)))
    return puts("FAIL"), 1;
  for (int i = 0; i < samples * 24; ++i)
    in[i] = (float)(i % 11 - 5);
  forward<<<samples, 32>>>(net, in, out);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int s = 0; s < samples; ++s)
    for (int k = 0; k < 32; ++k) {
      float sum = net.bias[k];
      for (int i = 0; i < 24; ++i)
        sum += net.weights[i][k] * in[s * 24 + i];
      bad += out[s * 32 + k] != (sum > 0 ? sum : 0);
    }
  cudaFree(in), cudaFree(out);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
