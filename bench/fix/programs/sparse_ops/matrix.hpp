// SPDX-License-Identifier: Apache-2.0
#ifndef MATRIX_HPP
#define MATRIX_HPP

#include <algorithm>
#include <random>
#include <vector>

template <typename T>
struct CsrMatrix {
  int rows = 0;
  std::vector<int> ptr, col;
  std::vector<T> val;

  int longest() const {
    int w = 0;
    for (int r = 0; r < rows; r++) w = std::max(w, ptr[r + 1] - ptr[r]);
    return w;
  }
};

// Rows of 2 to 17 entries, and from time to time a dense one with up to 80.
template <typename T>
CsrMatrix<T> irregular(int rows, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  CsrMatrix<T> a;
  a.rows = rows;
  a.ptr.push_back(0);
  for (int r = 0; r < rows; r++) {
    int count = 2 + gen() % 16;
    if (gen() % 20 == 0) count = 40 + gen() % 41;
    std::vector<int> cols(count);
    for (int& c : cols) c = gen() % rows;
    std::sort(cols.begin(), cols.end());
    cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
    for (int c : cols) {
      a.col.push_back(c);
      a.val.push_back((T)value(gen));
    }
    a.ptr.push_back((int)a.col.size());
  }
  return a;
}

#endif
