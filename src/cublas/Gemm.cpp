// SPDX-License-Identifier: Apache-2.0
#include "cublas/Gemm.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace heddle::cublas {
namespace {

/// The small kernel's tile, and blocks that stay in the caches while it runs over them.
constexpr long tileRows = 16, tileColumns = 4;
constexpr long blockRows = 128, blockColumns = 64, blockDepth = 256;

long roundUp(long number, long step) {
  return (number + step - 1) / step * step;
}

/// `get(i, p)` of `count` lines and `depth` numbers: tiles of `tile` lines, number by number.
template <long tile, class T, class Get>
void pack(std::vector<T>& to, long count, long depth, Get get) {
  to.assign(std::size_t(roundUp(count, tile) * depth), T(0));
  for (long first = 0; first < count; first += tile)
    for (long p = 0; p < depth; ++p)
      for (long i = first; i < std::min(first + tile, count); ++i)
        to[std::size_t(first * depth + p * tile + i - first)] = get(i, p);
}

template <class T> struct Strip {
  std::vector<T> a, b;
};

template <class T>
void multiplyTile(const T* a, const T* b, long depth, long rows, long columns, T alpha, T* c,
                  long ldc) {
  std::array<T, tileRows * tileColumns> sums{};
  for (long p = 0; p < depth; ++p, a += tileRows, b += tileColumns)
    for (long j = 0; j < tileColumns; ++j)
      for (long i = 0; i < tileRows; ++i)
        sums[std::size_t(j * tileRows + i)] += a[i] * b[j];
  for (long j = 0; j < columns; ++j)
    for (long i = 0; i < rows; ++i)
      c[i + j * ldc] += alpha * sums[std::size_t(j * tileRows + i)];
}

template <class T>
void multiplyBlock(const Strip<T>& strip, long rows, long columns, long depth, T alpha, T* c,
                   long ldc) {
  for (long j = 0; j < columns; j += tileColumns)
    for (long i = 0; i < rows; i += tileRows)
      multiplyTile(&strip.a[std::size_t(i * depth)], &strip.b[std::size_t(j * depth)], depth,
                   std::min(tileRows, rows - i), std::min(tileColumns, columns - j), alpha,
                   c + i + j * ldc, ldc);
}

template <class T> void scale(long m, long n, T beta, T* c, long ldc) {
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      c[i + j * ldc] = beta == T(0) ? T(0) : beta * c[i + j * ldc];
}

template <class T>
void multiplyStrip(long m, long first, long columns, long k, T alpha, Matrix<T> a, Matrix<T> b,
                   T* c, long ldc) {
  Strip<T> strip;
  for (long p = 0; p < k; p += blockDepth) {
    const long depth = std::min(blockDepth, k - p);
    pack<tileColumns>(strip.b, columns, depth,
                      [&](long j, long q) { return b.at(p + q, first + j); });
    for (long i = 0; i < m; i += blockRows) {
      const long rows = std::min(blockRows, m - i);
      pack<tileRows>(strip.a, rows, depth, [&](long r, long q) { return a.at(i + r, p + q); });
      multiplyBlock(strip, rows, columns, depth, alpha, c + i + first * ldc, ldc);
    }
  }
}

} // namespace

template <class T>
void gemm(long m, long n, long k, T alpha, Matrix<T> a, Matrix<T> b, T beta, T* c, long ldc) {
  if (beta != T(1))
    scale(m, n, beta, c, ldc);
  if (alpha == T(0))
    return;
  tbb::parallel_for(0L, (n + blockColumns - 1) / blockColumns, [&](long strip) {
    const long first = strip * blockColumns;
    multiplyStrip(m, first, std::min(blockColumns, n - first), k, alpha, a, b, c, ldc);
  });
}

template void gemm(long, long, long, float, Matrix<float>, Matrix<float>, float, float*, long);
template void gemm(long, long, long, double, Matrix<double>, Matrix<double>, double, double*, long);

} // namespace heddle::cublas
