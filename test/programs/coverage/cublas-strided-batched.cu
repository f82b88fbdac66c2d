// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: strided batched gemm, streams
// FLAGS: -lcublas
// Attention scores of several heads: a strided batch in a stream, one factor shared by all heads.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#define cublasCheck(x)                                                                             \
  do {                                                                                             \
    cublasStatus_t s = (x);                                                                        \
    if (s != CUBLAS_STATUS_SUCCESS) {                                                              \
      printf("[cuBLAS ERROR]: %d %s %d\nFAIL\n", s, __FILE__, __LINE__);                           \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

int main(int argc, char** argv) {
  int heads = argc > 1 ? atoi(argv[1]) : 6, T = argc > 2 ? atoi(argv[2]) : 20,
      D = argc > 3 ? atoi(argv[3]) : 16;
  std::vector<double> q(heads * T * D), k(T * D), s(heads * T * T), want(heads * T * T);
  for (size_t i = 0; i < q.size(); ++i)
    q[i] = (double)(i % 9) - 4;
  for (size_t i = 0; i < k.size(); ++i)
    k[i] = (double)(i % 5) - 2;
  double *dq, *dk, *ds;
  if (cudaMalloc(&dq, q.size() * 8) || cudaMalloc(&dk, k.size() * 8) ||
      cudaMalloc(&ds, s.size() * 8))
    return puts("FAIL"), 1;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(dq, q.data(), q.size() * 8, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(dk, k.data(), k.size() * 8, cudaMemcpyHostToDevice, stream);
  cublasHandle_t handle;
  cublasCheck(cublasCreate(&handle));
  cublasCheck(cublasSetStream(handle, stream));
  double alpha = 0.25, beta = 0.0;
  // Row-major q (T x D) and k (T x D): in columns, s = k^T q; the stride of zero shares k.
  cublasCheck(cublasDgemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, T, T, D, &alpha, dk, D, 0,
                                        dq, D, (long long)T * D, &beta, ds, T, (long long)T * T,
                                        heads));
  cudaMemcpyAsync(s.data(), ds, s.size() * 8, cudaMemcpyDeviceToHost, stream);
  cudaError_t e = cudaStreamSynchronize(stream);
  int bad = e != cudaSuccess;
  for (int h = 0; h < heads; ++h)
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j) {
        double sum = 0;
        for (int d = 0; d < D; ++d)
          sum += q[(h * T + i) * D + d] * k[j * D + d];
        bad += s[(h * T + i) * T + j] != 0.25 * sum;
      }
  cublasCheck(cublasDestroy(handle));
  cudaStreamDestroy(stream);
  cudaFree(dq), cudaFree(dk), cudaFree(ds);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
