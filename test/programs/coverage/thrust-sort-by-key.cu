// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: sort_by_key, thrust: gather and scatter
// A permutation by sort_by_key, applied with gather and undone with scatter. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1200;
  std::vector<int> keys(n), payload(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = (int)((long long)i * 7919 % 10007) - 3000;
    payload[i] = i * 3;
  }
  thrust::device_vector<int> k(keys.begin(), keys.end()), index(n),
      data(payload.begin(), payload.end()), moved(n), again(n);
  thrust::sequence(index.begin(), index.end());
  thrust::stable_sort_by_key(k.begin(), k.end(), index.begin());
  thrust::gather(index.begin(), index.end(), data.begin(), moved.begin());
  thrust::scatter(moved.begin(), moved.end(), index.begin(), again.begin());
  std::vector<int> hk(n), hi(n), hm(n), ha(n);
  thrust::copy(k.begin(), k.end(), hk.begin());
  thrust::copy(index.begin(), index.end(), hi.begin());
  thrust::copy(moved.begin(), moved.end(), hm.begin());
  thrust::copy(again.begin(), again.end(), ha.begin());
  int bad = ha != payload;
  for (int i = 0; i < n; ++i) {
    bad += hi[i] < 0 || hi[i] >= n || hk[i] != keys[hi[i]] || hm[i] != payload[hi[i]];
    bad += i && (hk[i - 1] > hk[i] || (hk[i - 1] == hk[i] && hi[i - 1] > hi[i]));
  }
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
