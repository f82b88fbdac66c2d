// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: unique, thrust: set operations, thrust: binary search
// Sets of numbers: unique, union, intersection, and lower_bound of many at once. Arguments: n.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

typedef thrust::device_vector<int> Device;
typedef std::vector<int> Host;

static Host fetch(const Device& d, size_t n) {
  Host h(n);
  thrust::copy(d.begin(), d.begin() + n, h.begin());
  return h;
}

static Device setOf(Host& h) {
  Device d(h.begin(), h.end());
  thrust::sort(d.begin(), d.end());
  d.erase(thrust::unique(d.begin(), d.end()), d.end());
  std::sort(h.begin(), h.end());
  h.erase(std::unique(h.begin(), h.end()), h.end());
  return d;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 800;
  Host a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i * 31 % 500;
    b[i] = i * 77 % 900 + 100;
  }
  Device da = setOf(a), db = setOf(b), out(2 * n), places(b.size());
  bool ok = fetch(da, da.size()) == a && fetch(db, db.size()) == b;
  Host want;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
  size_t size = thrust::set_intersection(da.begin(), da.end(), db.begin(), db.end(), out.begin()) -
                out.begin();
  ok = ok && fetch(out, size) == want;
  want.clear();
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
  size = thrust::set_union(da.begin(), da.end(), db.begin(), db.end(), out.begin()) - out.begin();
  ok = ok && fetch(out, size) == want;
  thrust::lower_bound(da.begin(), da.end(), db.begin(), db.end(), places.begin());
  Host p = fetch(places, b.size());
  for (size_t i = 0; i < b.size(); ++i)
    ok = ok && p[i] == std::lower_bound(a.begin(), a.end(), b[i]) - a.begin();
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
