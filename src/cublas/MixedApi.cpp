// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS: products of matrices whose numbers are not those that it computes in: half, bfloat16 and
// int8. They are widened, multiplied as floats or doubles, and rounded once at the end. Sums of
// int8 are exact in a double. A GPU that computes in half rounds on the way; this does not.
#include "cublas/CublasCall.h"
#include "cublas/Gemm.h"
#include "cublas/Shapes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace heddle::cublas {
namespace {

/// The types of a product that cuBLAS has: of A and B, of C, and what it computes in.
struct Form {
  cudaDataType from, to;
  cublasComputeType_t compute;
};
constexpr std::array<Form, 9> forms{{
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I},
}};

/// Without what it says of the way: pedantic, or by narrower numbers.
cublasComputeType_t plain(cublasComputeType_t compute) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUBLAS_COMPUTE_16F;
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return CUBLAS_COMPUTE_32F;
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return CUBLAS_COMPUTE_64F;
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUBLAS_COMPUTE_32I;
  default:
    return compute;
  }
}

std::size_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_64F:
    return 8;
  default:
    return 4;
  }
}

template <class T> T numberAt(const void* data, long index) {
  return static_cast<const T*>(data)[index];
}

double load(const void* data, cudaDataType type, long index) {
  switch (type) {
  case CUDA_R_8I:
    return numberAt<std::int8_t>(data, index);
  case CUDA_R_16F:
    return double(__half2float(numberAt<__half>(data, index)));
  case CUDA_R_16BF:
    return double(__bfloat162float(numberAt<__nv_bfloat16>(data, index)));
  case CUDA_R_32I:
    return numberAt<std::int32_t>(data, index);
  case CUDA_R_64F:
    return numberAt<double>(data, index);
  default:
    return double(numberAt<float>(data, index));
  }
}

/// A sum that leaves the range of an int32 wraps, as on a GPU.
template <class Wide> void store(void* data, cudaDataType type, long index, Wide value) {
  switch (type) {
  case CUDA_R_16F:
    static_cast<__half*>(data)[index] = __float2half(float(value));
    return;
  case CUDA_R_16BF:
    static_cast<__nv_bfloat16*>(data)[index] = __float2bfloat16(float(value));
    return;
  case CUDA_R_32I:
    static_cast<std::int32_t*>(data)[index] = std::int32_t(std::int64_t(value));
    return;
  case CUDA_R_64F:
    static_cast<double*>(data)[index] = double(value);
    return;
  default:
    static_cast<float*>(data)[index] = float(value);
  }
}

/// The type of alpha and beta.
cudaDataType scaleType(cublasComputeType_t compute) {
  switch (plain(compute)) {
  case CUBLAS_COMPUTE_16F:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_64F:
    return CUDA_R_64F;
  case CUBLAS_COMPUTE_32I:
    return CUDA_R_32I;
  default:
    return CUDA_R_32F;
  }
}

/// One of the three matrices of a product, as it lies in memory.
struct Operand {
  const void* data;
  cudaDataType type;
  int ld;
  long long stride; ///< elements from one product to the next

  void* at(long product) const {
    return const_cast<char*>(static_cast<const char*>(data)) +
           product * stride * long(sizeOf(type));
  }
};

struct MixedProduct {
  cublasOperation_t transa, transb;
  int m, n, k;
  Operand a, b, c;
  cublasComputeType_t compute;
  int count = 1;

  bool valid() const {
    return m >= 0 && n >= 0 && k >= 0 && count >= 0 && fits(a.ld, stored(transa, m, k)) &&
           fits(b.ld, stored(transb, k, n)) && fits(c.ld, {m, n});
  }
  bool supported() const {
    const auto same = [&](const Form& form) {
      return form.from == a.type && a.type == b.type && form.to == c.type &&
             form.compute == plain(compute);
    };
    return std::any_of(forms.begin(), forms.end(), same);
  }
  bool isDouble() const {
    return plain(compute) == CUBLAS_COMPUTE_64F || plain(compute) == CUBLAS_COMPUTE_32I;
  }
};

/// Column by column, without the gaps between the columns.
template <class Wide>
std::vector<Wide> widened(const Arguments& arguments, const Operand& operand, long product,
                          Shape shape, const char* name) {
  const void* const data = operand.at(product);
  const std::size_t last = std::size_t(shape.columns - 1) * std::size_t(operand.ld);
  arguments.array(static_cast<const char*>(data),
                  (last + std::size_t(shape.rows)) * sizeOf(operand.type), name);
  std::vector<Wide> wide(std::size_t(shape.rows) * std::size_t(shape.columns));
  for (long j = 0; j < shape.columns; ++j)
    for (long i = 0; i < shape.rows; ++i)
      wide[std::size_t(i + j * shape.rows)] = Wide(load(data, operand.type, i + j * operand.ld));
  return wide;
}

template <class Wide>
void compute(const Arguments& arguments, const MixedProduct& p, long product, Wide alpha,
             Wide beta) {
  const Shape left = stored(p.transa, p.m, p.k), right = stored(p.transb, p.k, p.n);
  std::vector<Wide> a, b;
  const bool isRead = alpha != Wide(0) && p.k > 0;
  if (isRead) {
    a = widened<Wide>(arguments, p.a, product, left, "A");
    b = widened<Wide>(arguments, p.b, product, right, "B");
  }
  std::vector<Wide> c = widened<Wide>(arguments, p.c, product, {p.m, p.n}, "C");
  gemm<Wide>(p.m, p.n, p.k, isRead ? alpha : Wide(0),
             {a.data(), left.rows, p.transa != CUBLAS_OP_N},
             {b.data(), right.rows, p.transb != CUBLAS_OP_N}, beta, c.data(), p.m);
  for (long j = 0; j < p.n; ++j)
    for (long i = 0; i < p.m; ++i)
      store(p.c.at(product), p.c.type, i + j * p.c.ld, c[std::size_t(i + j * p.m)]);
}

cublasStatus_t multiply(cublasHandle_t handle, const char* name, const MixedProduct& product,
                        const void* alpha, const void* beta) {
  if (handle != nullptr && !product.supported())
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool valid = product.valid() && alpha != nullptr && beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (product.m == 0 || product.n == 0)
      return;
    const cudaDataType scale = scaleType(product.compute);
    arguments.scalarBytes(alpha, sizeOf(scale), "alpha");
    arguments.scalarBytes(beta, sizeOf(scale), "beta");
    const double factor = load(alpha, scale, 0), kept = load(beta, scale, 0);
    for (long i = 0; i < product.count; ++i)
      if (product.isDouble())
        compute<double>(arguments, product, i, factor, kept);
      else
        compute<float>(arguments, product, i, float(factor), float(kept));
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

HEDDLE_API cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                       cublasOperation_t transb, int m, int n, int k,
                                       const void* alpha, const void* a, cudaDataType typeA,
                                       int lda, const void* b, cudaDataType typeB, int ldb,
                                       const void* beta, void* c, cudaDataType typeC, int ldc,
                                       cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply(handle, __func__,
                  {transa,
                   transb,
                   m,
                   n,
                   k,
                   {a, typeA, lda, 0},
                   {b, typeB, ldb, 0},
                   {c, typeC, ldc, 0},
                   compute},
                  alpha, beta);
}

HEDDLE_API cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType typeA, int lda, long long int strideA,
    const void* b, cudaDataType typeB, int ldb, long long int strideB, const void* beta, void* c,
    cudaDataType typeC, int ldc, long long int strideC, int count, cublasComputeType_t compute,
    cublasGemmAlgo_t) {
  return multiply(handle, __func__,
                  {transa,
                   transb,
                   m,
                   n,
                   k,
                   {a, typeA, lda, strideA},
                   {b, typeB, ldb, strideB},
                   {c, typeC, ldc, strideC},
                   compute,
                   count},
                  alpha, beta);
}

HEDDLE_API cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                                    cublasOperation_t transb, int m, int n, int k,
                                                    const __half* alpha, const __half* a, int lda,
                                                    long long int strideA, const __half* b, int ldb,
                                                    long long int strideB, const __half* beta,
                                                    __half* c, int ldc, long long int strideC,
                                                    int count) {
  return multiply(handle, __func__,
                  {transa,
                   transb,
                   m,
                   n,
                   k,
                   {a, CUDA_R_16F, lda, strideA},
                   {b, CUDA_R_16F, ldb, strideB},
                   {c, CUDA_R_16F, ldc, strideC},
                   CUBLAS_COMPUTE_16F,
                   count},
                  alpha, beta);
}

HEDDLE_API cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                                      cublasOperation_t transb, int m, int n, int k,
                                      const __half* alpha, const __half* a, int lda,
                                      const __half* b, int ldb, const __half* beta, __half* c,
                                      int ldc) {
  return cublasHgemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0,
                                   beta, c, ldc, 0, 1);
}
