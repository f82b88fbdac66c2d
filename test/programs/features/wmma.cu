// SPDX-License-Identifier: Apache-2.0
// Products of matrices by nvcuda::wmma in all shapes and types, scaled through their
// elements, against sums on the host. The numbers are small, so that every result is exact.
#include <mma.h>

#include "../check.h"

namespace wmma = nvcuda::wmma;

// What a matrix of a type is stored as.
template <class T> struct Stored {
  using type = T;
};
template <> struct Stored<wmma::precision::tf32> {
  using type = float;
};

template <int M, int N, int K, class In, class Out, class OrderA, class OrderB>
__global__ void multiply(const typename Stored<In>::type* a, const typename Stored<In>::type* b,
                         const Out* c, Out* d, wmma::layout_t order) {
  constexpr bool rowsA = std::is_same_v<OrderA, wmma::row_major>;
  constexpr bool rowsB = std::is_same_v<OrderB, wmma::row_major>;
  wmma::fragment<wmma::matrix_a, M, N, K, In, OrderA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, In, OrderB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Out> sum, result;
  wmma::load_matrix_sync(left, a, rowsA ? K : M);
  wmma::load_matrix_sync(right, b, rowsB ? N : K);
  wmma::load_matrix_sync(sum, c, order == wmma::mem_row_major ? N : M, order);
  for (int i = 0; i < left.num_elements; ++i)
    left.x[i] = left.x[i] + left.x[i];
  wmma::mma_sync(result, left, right, sum);
  wmma::fill_fragment(sum, Out(1.0f));
  for (int i = 0; i < result.num_elements; ++i)
    result.x[i] = result.x[i] + sum.x[i];
  wmma::store_matrix_sync(d, result, order == wmma::mem_row_major ? N : M, order);
}

template <int M, int N, int K, class In, class Out, class OrderA, class OrderB>
void check(const std::string& what) {
  using Number = typename Stored<In>::type;
  constexpr bool rowsA = std::is_same_v<OrderA, wmma::row_major>;
  constexpr bool rowsB = std::is_same_v<OrderB, wmma::row_major>;
  const auto valueA = [](int row, int k) { return (row * 3 + k * 5) % 4; };
  const auto valueB = [](int k, int column) { return (k * 7 + column * 3) % 5; };
  for (const bool rows : {true, false}) {
    std::vector<Number> a(M * K), b(K * N);
    std::vector<Out> c(M * N);
    for (int row = 0; row < M; ++row)
      for (int k = 0; k < K; ++k)
        a[rowsA ? row * K + k : k * M + row] = Number(float(valueA(row, k)));
    for (int k = 0; k < K; ++k)
      for (int column = 0; column < N; ++column)
        b[rowsB ? k * N + column : column * K + k] = Number(float(valueB(k, column)));
    for (int row = 0; row < M; ++row)
      for (int column = 0; column < N; ++column)
        c[rows ? row * N + column : column * M + row] = Out(float(row - column));
    DeviceArray<Number> left(a), right(b);
    DeviceArray<Out> start(c), out(M * N);
    multiply<M, N, K, In, Out, OrderA, OrderB>
        <<<1, 32>>>(left, right, start, out, rows ? wmma::mem_row_major : wmma::mem_col_major);
    CHECK_LAUNCH();
    const std::vector<Out> got = out.read();
    for (int row = 0; row < M; ++row)
      for (int column = 0; column < N; ++column) {
        float want = row - column + 1;
        for (int k = 0; k < K; ++k)
          want += 2 * valueA(row, k) * valueB(k, column);
        expectEqual<float>(what, float(got[rows ? row * N + column : column * M + row]), want);
      }
  }
}

template <int M, int N, int K, class In, class Out> void checkOrders(const std::string& what) {
  check<M, N, K, In, Out, wmma::row_major, wmma::col_major>(what + " row col");
  check<M, N, K, In, Out, wmma::col_major, wmma::row_major>(what + " col row");
}

template <int M, int N> void checkShape(const std::string& what) {
  check<M, N, 16, __half, float, wmma::row_major, wmma::col_major>(what + " half float");
  check<M, N, 16, __half, __half, wmma::row_major, wmma::row_major>(what + " half half");
  check<M, N, 16, __nv_bfloat16, float, wmma::col_major, wmma::col_major>(what + " bfloat16");
  check<M, N, 16, signed char, int, wmma::row_major, wmma::col_major>(what + " signed char");
  check<M, N, 16, unsigned char, int, wmma::col_major, wmma::row_major>(what + " unsigned char");
}

int main() {
  checkShape<16, 16>("16 x 16");
  checkShape<32, 8>("32 x 8");
  checkShape<8, 32>("8 x 32");
  checkOrders<16, 16, 8, wmma::precision::tf32, float>("tf32");
  checkOrders<8, 8, 4, double, double>("double");
  return finish();
}
