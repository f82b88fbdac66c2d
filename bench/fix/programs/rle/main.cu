// SPDX-License-Identifier: Apache-2.0
// Compresses a scan of a page (rows of black and white, some grey) and expands it again.
#include <cstdio>
#include <ctime>
#include "rle.h"

static std::vector<byte> scanned_page(int width, int height)
{
  std::vector<byte> page(width * height, 255);
  unsigned s = 10;
  auto rnd = [&s](int n) { s = s * 214013u + 2531011u; return (int)((s >> 16) & 0x7fff) % n; };
  for (int y = 0; y < height; y++) {
    if (y % 12 < 3) continue;  // between the lines
    for (int x = 20 + rnd(10); x < width - 20;) {
      int ink = 1 + rnd(4);
      for (int k = 0; k < ink && x < width; k++) page[y * width + x++] = 0;
      x += rnd(8) == 0 ? 20 + rnd(40) : 1 + rnd(6);
    }
    if (y > height * 3 / 4)  // a photograph
      for (int x = 100; x < 220; x++) page[y * width + x] = (byte)rnd(200);
  }
  return page;
}

int main()
{
  std::vector<byte> page = scanned_page(512, 600);
  clock_t t0 = clock();
  Packed p = rle_compress(page);
  clock_t t1 = clock();
  std::vector<byte> back = rle_expand(p);
  clock_t t2 = clock();

  // serial reference, chunk by chunk
  size_t k = 0;
  bool same = true;
  for (size_t begin = 0; begin < page.size(); begin += CHUNK_BYTES) {
    size_t end = begin + CHUNK_BYTES < page.size() ? begin + CHUNK_BYTES : page.size();
    for (size_t i = begin; i < end;) {
      size_t run = 1;
      while (i + run < end && run < 255 && page[i + run] == page[i]) run++;
      if (k + 1 >= p.data.size() || p.data[k] != run || p.data[k + 1] != page[i]) same = false;
      k += 2;
      i += run;
    }
  }
  same = same && k == p.data.size();
  printf("%zu bytes -> %zu bytes in %zu chunks\n", page.size(), p.data.size(), p.offset.size() - 1);
  printf("compress %.3f ms, expand %.3f ms\n", 1e3 * (t1 - t0) / CLOCKS_PER_SEC, 1e3 * (t2 - t1) / CLOCKS_PER_SEC);
  bool ok = same && back == page;
  printf("%s\n", ok ? "round trip ok" : "round trip FAILED");
  return ok ? 0 : 1;
}
