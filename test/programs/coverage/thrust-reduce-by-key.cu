// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: reduce_by_key, thrust: sort, thrust: constant_iterator
// Word counts: letters are sorted, then runs are counted with a constant iterator.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

int main(int argc, char** argv) {
  std::string text =
      argc > 1 ? argv[1]
               : "every lane of a warp takes the same step, and those that must not are masked off";
  for (int k = 0; k < 4; ++k)
    text += text;
  thrust::device_vector<char> letters(text.begin(), text.end());
  thrust::sort(letters.begin(), letters.end());
  thrust::device_vector<char> keys(letters.size());
  thrust::device_vector<int> counts(letters.size());
  auto ends =
      thrust::reduce_by_key(letters.begin(), letters.end(), thrust::constant_iterator<int>(1),
                            keys.begin(), counts.begin());
  size_t n = ends.first - keys.begin();
  std::vector<char> k(n);
  std::vector<int> c(n);
  thrust::copy(keys.begin(), keys.begin() + n, k.begin());
  thrust::copy(counts.begin(), counts.begin() + n, c.begin());
  int want[256] = {}, kinds = 0, bad = 0;
  for (char letter : text)
    kinds += want[(unsigned char)letter]++ == 0;
  for (size_t i = 0; i < n; ++i)
    bad += want[(unsigned char)k[i]] != c[i];
  bad += kinds != (int)n || ends.second - counts.begin() != (long)n;
  printf("%zu different letters\n%s\n", n, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
