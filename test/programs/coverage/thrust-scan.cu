// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: scan
// Prefix sums: inclusive, exclusive with a start, a running maximum, and by key. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/scan.h>

static std::vector<int> host(const thrust::device_vector<int>& d) {
  std::vector<int> v(d.size());
  thrust::copy(d.begin(), d.end(), v.begin());
  return v;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3333;
  std::vector<int> h(n), keys(n);
  for (int i = 0; i < n; ++i) {
    h[i] = i * 17 % 23 - 9;
    keys[i] = i / 10;
  }
  thrust::device_vector<int> in(h.begin(), h.end()), k(keys.begin(), keys.end()), a(n), b(n), c(n),
      d(n);
  thrust::inclusive_scan(in.begin(), in.end(), a.begin());
  thrust::exclusive_scan(in.begin(), in.end(), b.begin(), 1000);
  thrust::inclusive_scan(in.begin(), in.end(), c.begin(), thrust::maximum<int>());
  thrust::inclusive_scan_by_key(k.begin(), k.end(), in.begin(), d.begin());
  std::vector<int> ha = host(a), hb = host(b), hc = host(c), hd = host(d);
  int sum = 0, most = h[0], local = 0, bad = 0;
  for (int i = 0; i < n; ++i) {
    bad += hb[i] != 1000 + sum;
    sum += h[i];
    most = h[i] > most ? h[i] : most;
    local = i % 10 ? local + h[i] : h[i];
    bad += ha[i] != sum || hc[i] != most || hd[i] != local;
  }
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
