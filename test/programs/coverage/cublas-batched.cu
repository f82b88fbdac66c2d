// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: batched gemm
// FLAGS: -lcublas
// Many small products at once, by an array of pointers on the device. Arguments: size batch.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

#define OK(x)                                                                                      \
  if ((int)(x) != 0) {                                                                             \
    printf("%s failed\nFAIL\n", #x);                                                               \
    exit(1);                                                                                       \
  }

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8, batch = argc > 2 ? atoi(argv[2]) : 20, each = n * n;
  std::vector<float> A(each * batch), B(each * batch), C(each * batch);
  for (int i = 0; i < each * batch; ++i) {
    A[i] = (float)(i % 13 - 6);
    B[i] = (float)(i * 3 % 11 - 5);
  }
  float *dA, *dB, *dC, **pointers;
  OK(cudaMalloc(&dA, A.size() * sizeof(float)));
  OK(cudaMalloc(&dB, A.size() * sizeof(float)));
  OK(cudaMalloc(&dC, A.size() * sizeof(float)));
  OK(cudaMalloc(&pointers, 3 * batch * sizeof(float*)));
  OK(cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(dB, B.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice));
  std::vector<float*> host(3 * batch);
  for (int b = 0; b < batch; ++b) {
    host[b] = dA + b * each;
    host[batch + b] = dB + (batch - 1 - b) * each; // in another order
    host[2 * batch + b] = dC + b * each;
  }
  OK(cudaMemcpy(pointers, host.data(), host.size() * sizeof(float*), cudaMemcpyHostToDevice));
  cublasHandle_t handle;
  OK(cublasCreate(&handle));
  float alpha = 1, beta = 0;
  OK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, pointers, n,
                        pointers + batch, n, &beta, pointers + 2 * batch, n, batch));
  OK(cudaMemcpy(C.data(), dC, C.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int b = 0; b < batch; ++b)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int k = 0; k < n; ++k)
          sum += A[b * each + k * n + i] * B[(batch - 1 - b) * each + j * n + k];
        bad += C[b * each + j * n + i] != sum;
      }
  OK(cublasDestroy(handle));
  cudaFree(dA), cudaFree(dB), cudaFree(dC), cudaFree(pointers);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
