// SPDX-License-Identifier: Apache-2.0
// Aligns many short read pairs globally, one thread per pair, with the score row in a local array,
// in a band or in global memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace nw {

constexpr int kLength = 48;
constexpr int kWords = kLength / 16;
constexpr int kBand = 7;
constexpr int kMatch = 2, kMismatch = -3, kGap = -4;

inline void must(cudaError_t e) {
  if (e != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(e));
}

__global__ void pack(const char* letters, uint32_t* words, int reads) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= reads * kWords)
    return;
  uint32_t v = 0;
  for (int k = 0; k < 16; ++k) {
    char c = letters[w * 16 + k];
    uint32_t code = c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3;
    v |= code << (2 * k);
  }
  words[w] = v;
}

__device__ inline int base(const uint32_t* w, int i) {
  return (w[i >> 4] >> (2 * (i & 15))) & 3;
}

// whole matrix, the row lives in a local array
__global__ void full(const uint32_t* a, const uint32_t* b, int* score, int pairs) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs)
    return;
  uint32_t qa[kWords], qb[kWords];
  for (int k = 0; k < kWords; ++k) {
    qa[k] = a[p * kWords + k];
    qb[k] = b[p * kWords + k];
  }
  int row[kLength + 1];
  for (int j = 0; j <= kLength; ++j)
    row[j] = j * kGap;
  for (int i = 1; i <= kLength; ++i) {
    int diag = row[0];
    row[0] = i * kGap;
    int ca = base(qa, i - 1);
    for (int j = 1; j <= kLength; ++j) {
      int up = row[j];
      int s = diag + (ca == base(qb, j - 1) ? kMatch : kMismatch);
      s = max(s, max(up, row[j - 1]) + kGap);
      diag = up;
      row[j] = s;
    }
  }
  score[p] = row[kLength];
}

// only kBand cells to both sides of the diagonal, stops early when the band scores hopelessly
__global__ void banded(const uint32_t* a, const uint32_t* b, int* score, int* dropped, int pairs) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs)
    return;
  const uint32_t* wa = a + p * kWords;
  const uint32_t* wb = b + p * kWords;
  int band[2 * kBand + 2];
  for (int k = 0; k <= 2 * kBand; ++k)
    band[k] = k >= kBand ? (k - kBand) * kGap : -10000;
  band[2 * kBand + 1] = -10000;
  for (int i = 1; i <= kLength; ++i) {
    int ca = base(wa, i - 1);
    int left = -10000, top = -10000;
    for (int k = 0; k <= 2 * kBand; ++k) {
      int j = i + k - kBand;
      int v = -10000;
      if (j == 0)
        v = i * kGap;
      else if (j > 0 && j <= kLength) {
        v = band[k] + (ca == base(wb, j - 1) ? kMatch : kMismatch);
        v = max(v, band[k + 1] + kGap);
        v = max(v, left + kGap);
      }
      band[k] = v;
      left = v;
      top = max(top, v);
    }
    if (top < -40) {
      atomicAdd(dropped, 1);
      score[p] = -10000;
      return;
    }
  }
  score[p] = band[kBand];
}

// scores again, with directions in global memory (pair-minor), then walks back and counts the edits
__global__ void edits(const uint32_t* a, const uint32_t* b, const int* score, uint8_t* dirs,
                      short* row, int* edit, int pairs) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs)
    return;
  edit[p] = -1;
  if (score[p] < 20)
    return; // only for good pairs
  for (int j = 0; j <= kLength; ++j)
    row[(size_t)j * pairs + p] = j * kGap;
  for (int i = 1; i <= kLength; ++i) {
    int diag = row[p], left = i * kGap;
    row[p] = left;
    int ca = base(a + p * kWords, i - 1);
    for (int j = 1; j <= kLength; ++j) {
      int up = row[(size_t)j * pairs + p];
      int s = diag + (ca == base(b + p * kWords, j - 1) ? kMatch : kMismatch);
      uint8_t d = 0;
      if (up + kGap > s) {
        s = up + kGap;
        d = 1;
      }
      if (left + kGap > s) {
        s = left + kGap;
        d = 2;
      }
      dirs[((size_t)(i - 1) * kLength + j - 1) * pairs + p] = d;
      row[(size_t)j * pairs + p] = s;
      diag = up;
      left = s;
    }
  }
  int i = kLength, j = kLength, n = 0;
  while (i > 0 && j > 0) {
    uint8_t d = dirs[((size_t)(i - 1) * kLength + j - 1) * pairs + p];
    if (d == 0) {
      n += base(a + p * kWords, i - 1) != base(b + p * kWords, j - 1);
      --i;
      --j;
    } else {
      ++n;
      if (d == 1)
        --i;
      else
        --j;
    }
  }
  edit[p] = n + i + j;
}

__global__ void histogram(const int* score, int* bins, int pairs) {
  __shared__ int local[64];
  if (threadIdx.x < 64)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pairs; p += gridDim.x * blockDim.x) {
    int k = (score[p] + 200) / 5;
    atomicAdd(&local[min(63, max(0, k))], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int reference(const char* a, const char* b) {
  std::vector<int> row(kLength + 1);
  for (int j = 0; j <= kLength; ++j)
    row[j] = j * kGap;
  for (int i = 1; i <= kLength; ++i) {
    int diag = row[0];
    row[0] = i * kGap;
    for (int j = 1; j <= kLength; ++j) {
      int up = row[j];
      row[j] = std::max(diag + (a[i - 1] == b[j - 1] ? kMatch : kMismatch),
                        std::max(up, row[j - 1]) + kGap);
      diag = up;
    }
  }
  return row[kLength];
}

int run(int pairs) {
  std::mt19937 rng(1234567);
  const char* acgt = "ACGT";
  std::string a, b;
  for (int p = 0; p < pairs; ++p) {
    std::string x, y;
    for (int k = 0; k < kLength; ++k)
      x += acgt[rng() & 3];
    if (p % 3 == 2) {
      for (int k = 0; k < kLength; ++k)
        y += acgt[rng() & 3];
    } else
      for (int k = 0; (int)y.size() < kLength; ++k) {
        unsigned r = rng() % 40;
        if (r == 0)
          y += acgt[rng() & 3];
        if (r == 1)
          continue;
        y += (r == 2 || k >= kLength) ? acgt[rng() & 3] : x[k];
      }
    a += x;
    b += y.substr(0, kLength);
  }
  char *da, *db;
  uint32_t *wa, *wb;
  int *score, *band, *edit, *bins, *dropped;
  uint8_t* dirs;
  short* row;
  must(cudaMalloc(&da, a.size()));
  must(cudaMalloc(&db, b.size()));
  must(cudaMalloc(&wa, pairs * kWords * 4));
  must(cudaMalloc(&wb, pairs * kWords * 4));
  must(cudaMalloc(&score, pairs * 4));
  must(cudaMalloc(&band, pairs * 4));
  must(cudaMalloc(&edit, pairs * 4));
  must(cudaMalloc(&bins, 64 * 4));
  must(cudaMalloc(&dropped, 4));
  must(cudaMalloc(&dirs, (size_t)pairs * kLength * kLength));
  must(cudaMalloc(&row, (size_t)pairs * (kLength + 1) * sizeof(short)));
  must(cudaMemset(bins, 0, 64 * 4));
  must(cudaMemset(dropped, 0, 4));
  must(cudaMemcpy(da, a.data(), a.size(), cudaMemcpyHostToDevice));
  must(cudaMemcpy(db, b.data(), b.size(), cudaMemcpyHostToDevice));

  int words = pairs * kWords;
  pack<<<(words + 255) / 256, 256>>>(da, wa, pairs);
  pack<<<(words + 255) / 256, 256>>>(db, wb, pairs);
  full<<<(pairs + 63) / 64, 64>>>(wa, wb, score, pairs);
  banded<<<(pairs + 127) / 128, 128>>>(wa, wb, band, dropped, pairs);
  edits<<<(pairs + 63) / 64, 64>>>(wa, wb, score, dirs, row, edit, pairs);
  histogram<<<32, 128>>>(score, bins, pairs);
  must(cudaDeviceSynchronize());

  std::vector<int> hs(pairs), hb(pairs), he(pairs), hist(64);
  int hd;
  must(cudaMemcpy(hs.data(), score, pairs * 4, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(hb.data(), band, pairs * 4, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(he.data(), edit, pairs * 4, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(hist.data(), bins, 64 * 4, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(&hd, dropped, 4, cudaMemcpyDeviceToHost));
  int bad = 0, sum = 0, drops = 0;
  for (int p = 0; p < pairs; ++p) {
    drops += hb[p] == -10000;
    if (hb[p] > hs[p] || (hs[p] >= 20) != (he[p] >= 0))
      ++bad;
    if (p % 7 == 0 && reference(&a[p * kLength], &b[p * kLength]) != hs[p])
      ++bad;
    if (he[p] == 0 && hs[p] != kLength * kMatch)
      ++bad;
  }
  for (int h : hist)
    sum += h;
  if (sum != pairs || drops != hd)
    ++bad;
  std::cout << "dropped " << hd << " of " << pairs << "\n";
  return bad;
}

} // namespace nw

int main(int argc, char** argv) {
  try {
    int bad = nw::run(argc > 1 ? std::atoi(argv[1]) : 1024);
    if (bad) {
      std::cout << "FAIL " << bad << std::endl;
      return 1;
    }
    std::cout << "PASS" << std::endl;
    return 0;
  } catch (const std::exception& e) {
    std::cout << "FAIL " << e.what() << std::endl;
    return 1;
  }
}
