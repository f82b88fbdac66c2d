// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS for float and double: levels 1 to 3 as far as programs use them; products of half,
// bfloat16, int8 and complex matrices; LU factors of many small ones. Matrices lie column by
// column. The functions run on the host, so no kernel of theirs is in a profile.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 5
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASAPI
#define CUBLASWINAPI

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

/// What a product is computed in; how is the library's choice, and there is but one here.
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;

typedef struct cublasContext* cublasHandle_t;

// Programs may call the functions by the names that the real header gives them.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t size);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int elementSize, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasGetVector(int n, int elementSize, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasSetMatrix(int rows, int columns, int elementSize, const void* from, int fromLd,
                               void* to, int toLd);
cublasStatus_t cublasGetMatrix(int rows, int columns, int elementSize, const void* from, int fromLd,
                               void* to, int toLd);

#define HEDDLE_CUBLAS(S, T)                                                                        \
  cublasStatus_t cublasI##S##amax(cublasHandle_t handle, int n, const T* x, int incx,              \
                                  int* result);                                                    \
  cublasStatus_t cublasI##S##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result);
HEDDLE_CUBLAS(s, float)
HEDDLE_CUBLAS(d, double)
#undef HEDDLE_CUBLAS

#define HEDDLE_CUBLAS(S, T)                                                                        \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,         \
                                 int incx, T* y, int incy);                                        \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);    \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,         \
                                 int incy);                                                        \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);    \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y,    \
                                int incy, T* result);                                              \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result);   \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result);   \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,     \
                                 const T* alpha, const T* A, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,   \
                                int incx, const T* y, int incy, T* A, int lda);                    \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,                  \
                                 cublasOperation_t transb, int m, int n, int k, const T* alpha,    \
                                 const T* A, int lda, const T* B, int ldb, const T* beta, T* C,    \
                                 int ldc);                                                         \
  cublasStatus_t cublas##S##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* const A[], int lda, const T* const B[], int ldb,             \
      const T* beta, T* const C[], int ldc, int count);                                            \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC, int count);      \
  cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo,                     \
                                 cublasOperation_t trans, int n, int k, const T* alpha,            \
                                 const T* A, int lda, const T* beta, T* C, int ldc);               \
  cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t uplo, int m, int n, const T* alpha, const T* A,  \
                                 int lda, const T* B, int ldb, const T* beta, T* C, int ldc);      \
  cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n,              \
                                 const T* alpha, const T* A, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##S##syr(cublasHandle_t handle, cublasFillMode_t uplo, int n,               \
                                const T* alpha, const T* x, int incx, T* A, int lda);              \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,       \
                                 const T* A, int lda, const T* x, int incx, T* C, int ldc);        \
  cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t uplo, cublasOperation_t trans,                   \
                                 cublasDiagType_t diag, int m, int n, const T* alpha, const T* A,  \
                                 int lda, T* B, int ldb);                                          \
  cublasStatus_t cublas##S##trmm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t uplo, cublasOperation_t trans,                   \
                                 cublasDiagType_t diag, int m, int n, const T* alpha, const T* A,  \
                                 int lda, const T* B, int ldb, T* C, int ldc);                     \
  cublasStatus_t cublas##S##geam(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc);
HEDDLE_CUBLAS(S, float)
HEDDLE_CUBLAS(D, double)
#undef HEDDLE_CUBLAS

#define HEDDLE_CUBLAS(S, T)                                                                        \
  cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,      \
                                const T* c, const T* s);                                           \
  cublasStatus_t cublas##S##trsv(cublasHandle_t handle, cublasFillMode_t uplo,                     \
                                 cublasOperation_t trans, cublasDiagType_t diag, int n,            \
                                 const T* A, int lda, T* x, int incx);                             \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda,      \
                                         int* pivots, int* info, int count);                       \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n,    \
                                         int nrhs, const T* const A[], int lda, const int* pivots, \
                                         T* const B[], int ldb, int* info, int count);             \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const T* const A[],         \
                                         int lda, const int* pivots, T* const C[], int ldc,        \
                                         int* info, int count);
HEDDLE_CUBLAS(S, float)
HEDDLE_CUBLAS(D, double)
#undef HEDDLE_CUBLAS

#define HEDDLE_CUBLAS(S, T)                                                                        \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,                  \
                                 cublasOperation_t transb, int m, int n, int k, const T* alpha,    \
                                 const T* A, int lda, const T* B, int ldb, const T* beta, T* C,    \
                                 int ldc);                                                         \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC, int count);
HEDDLE_CUBLAS(C, cuComplex)
HEDDLE_CUBLAS(Z, cuDoubleComplex)
#ifdef __cplusplus
HEDDLE_CUBLAS(H, __half)
#endif
#undef HEDDLE_CUBLAS

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType typeA, int lda, const void* B,
                            cudaDataType typeB, int ldb, const void* beta, void* C,
                            cudaDataType typeC, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* A, cudaDataType typeA,
                                          int lda, long long int strideA, const void* B,
                                          cudaDataType typeB, int ldb, long long int strideB,
                                          const void* beta, void* C, cudaDataType typeC, int ldc,
                                          long long int strideC, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algo);

#ifdef __cplusplus
}
#endif

#endif
