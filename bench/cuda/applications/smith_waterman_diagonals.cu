// SPDX-License-Identifier: Apache-2.0
// Aligns protein pairs locally with affine gaps, tile by tile along anti-diagonals, and traces the
// best alignment back.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 64
#define ALPHABET 20
#define GAP_OPEN 11
#define GAP_EXT 1
#define NEG_INF (-100000)

#define SAFE(x)                                                                                    \
  {                                                                                                \
    cudaError_t rc = x;                                                                            \
    if (rc) {                                                                                      \
      printf("FAIL %s at %d\n", cudaGetErrorString(rc), __LINE__);                                 \
      exit(1);                                                                                     \
    }                                                                                              \
  }

__constant__ signed char subst[ALPHABET][ALPHABET];

// Border values between tiles: H and F of the last row of a tile row, H and E of the last column of
// a tile column.
struct Borders {
  int *rowH, *rowF;
  int *colH, *colE;
  int* corner; // H of every tile's bottom right cell, by tile
};

__global__ void initBorders(Borders b, int len, int tiles, int* best, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < len * pairs) {
    b.rowH[i] = 0;
    b.rowF[i] = NEG_INF;
    b.colH[i] = 0;
    b.colE[i] = NEG_INF;
  }
  if (i < (tiles + 1) * (tiles + 1) * pairs)
    b.corner[i] = 0;
  if (i < pairs * 3)
    best[i] = 0;
}

// tile (ty, tx) with tx + ty == diagonal; blockIdx.x counts along the diagonal, blockIdx.y is the
// pair
__global__ void alignTile(const unsigned char* query, const unsigned char* target, Borders b,
                          unsigned char* dirs, int* tileBest, int len, int diagonal) {
  __shared__ int prevH[TILE + 1], curH[TILE + 1], nextH[TILE + 1];
  __shared__ int curF[TILE + 1], nextF[TILE + 1];
  __shared__ unsigned char tgt[TILE];
  __shared__ int redS[TILE], redP[TILE];
  int tiles = len / TILE;
  int pair = blockIdx.y;
  int ty = blockIdx.x + max(0, diagonal - tiles + 1);
  int tx = diagonal - ty;
  int t = threadIdx.x;
  int row = ty * TILE + t;
  int* rowH = b.rowH + pair * len + tx * TILE;
  int* rowF = b.rowF + pair * len + tx * TILE;
  int* corner = b.corner + pair * (tiles + 1) * (tiles + 1);
  unsigned char q = query[pair * len + row];
  tgt[t] = target[pair * len + tx * TILE + t];
  int leftH = b.colH[pair * len + row];
  int e = b.colE[pair * len + row];
  int above = t == 0 ? corner[ty * (tiles + 1) + tx] : b.colH[pair * len + row - 1];
  int diagH = above; // H of the cell up and to the left
  prevH[t + 1] = curH[t + 1] = nextH[t + 1] = 0;
  curF[t + 1] = nextF[t + 1] = NEG_INF;
  __syncthreads();

  int best = 0, bestPos = 0, h = leftH;
  for (int step = 0; step < 2 * TILE - 1; step++) {
    int c = step - t;
    int f = NEG_INF;
    if (c >= 0 && c < TILE) {
      int upH = t == 0 ? rowH[c] : curH[t];
      int upF = t == 0 ? rowF[c] : curF[t];
      e = max(e - GAP_EXT, h - GAP_OPEN);
      f = max(upF - GAP_EXT, upH - GAP_OPEN);
      int d = diagH + subst[q][tgt[c]];
      int v = max(max(0, d), max(e, f));
      int col = tx * TILE + c;
      unsigned char dir = v == 0 ? 0 : v == d ? 1 : v == e ? 2 : 3;
      dirs[((size_t)pair * len + row) * len + col] = dir;
      if (v > best) {
        best = v;
        bestPos = row * len + col;
      }
      diagH = upH;
      h = v;
      nextH[t + 1] = v;
      nextF[t + 1] = f;
    }
    __syncthreads();
    if (c >= 0 && c < TILE) {
      curH[t + 1] = nextH[t + 1];
      curF[t + 1] = nextF[t + 1];
      if (t == TILE - 1) {
        rowH[c] = h;
        rowF[c] = f;
      }
    }
    __syncthreads();
  }
  b.colH[pair * len + row] = h;
  b.colE[pair * len + row] = e;
  if (t == TILE - 1)
    corner[(ty + 1) * (tiles + 1) + tx + 1] = h;
  redS[t] = best;
  redP[t] = bestPos;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < TILE; i++)
      if (redS[i] > best) {
        best = redS[i];
        bestPos = redP[i];
      }
    int* out = tileBest + (pair * tiles * tiles + ty * tiles + tx) * 2;
    out[0] = best;
    out[1] = bestPos;
  }
}

__global__ void pickBest(const int* tileBest, int* best, int tiles, int len) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  const int* tb = tileBest + pair * tiles * tiles * 2;
  int s = 0, p = 0;
  for (int i = 0; i < tiles * tiles; i++)
    if (tb[2 * i] > s) {
      s = tb[2 * i];
      p = tb[2 * i + 1];
    }
  best[pair * 3] = s;
  best[pair * 3 + 1] = p / len;
  best[pair * 3 + 2] = p % len;
}

__global__ void traceback(const unsigned char* dirs, const int* best, int* length, int* matches,
                          const unsigned char* query, const unsigned char* target, int len) {
  int pair = blockIdx.x;
  int i = best[pair * 3 + 1], j = best[pair * 3 + 2];
  int n = 0, m = 0;
  while (i >= 0 && j >= 0) {
    int d = dirs[((size_t)pair * len + i) * len + j];
    if (d == 0)
      break;
    n++;
    if (d == 1) {
      m += query[pair * len + i] == target[pair * len + j];
      i--;
      j--;
    } else if (d == 2)
      j--;
    else
      i--;
  }
  length[pair] = n;
  matches[pair] = m;
}

static unsigned state = 4242;
static unsigned rnd() {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

int main(int argc, char** argv) {
  int len = argc > 1 ? atoi(argv[1]) : 256;
  len = std::max(TILE, len / TILE * TILE);
  const int pairs = 8;
  int tiles = len / TILE;
  std::vector<unsigned char> q(len * pairs), t(len * pairs);
  signed char sub[ALPHABET][ALPHABET];
  for (int i = 0; i < ALPHABET; i++)
    for (int j = 0; j <= i; j++)
      sub[i][j] = sub[j][i] = i == j ? 4 + rnd() % 5 : (int)(rnd() % 6) - 4;
  for (auto& c : q)
    c = rnd() % ALPHABET;
  for (int p = 0; p < pairs; p++) {
    // target: a mutated copy of the middle of the query, with some letters dropped
    int w = 0, from = len / 4;
    while (w < len) {
      unsigned r = rnd() % 100;
      if (r < 4)
        from++;
      unsigned char c = q[p * len + from % len];
      if (r >= 80 || w < len / 6 || w > len * 3 / 4)
        c = rnd() % ALPHABET;
      t[p * len + w++] = c;
      from++;
    }
  }
  SAFE(cudaMemcpyToSymbol(subst, sub, sizeof sub));
  unsigned char *dq, *dt, *dirs;
  int *tileBest, *best, *length, *matches;
  Borders b;
  SAFE(cudaMalloc(&dq, q.size()));
  SAFE(cudaMalloc(&dt, t.size()));
  SAFE(cudaMalloc(&dirs, (size_t)pairs * len * len));
  SAFE(cudaMalloc(&tileBest, pairs * tiles * tiles * 2 * sizeof(int)));
  SAFE(cudaMalloc(&best, pairs * 3 * sizeof(int)));
  SAFE(cudaMalloc(&length, pairs * sizeof(int)));
  SAFE(cudaMalloc(&matches, pairs * sizeof(int)));
  SAFE(cudaMalloc(&b.rowH, pairs * len * sizeof(int)));
  SAFE(cudaMalloc(&b.rowF, pairs * len * sizeof(int)));
  SAFE(cudaMalloc(&b.colH, pairs * len * sizeof(int)));
  SAFE(cudaMalloc(&b.colE, pairs * len * sizeof(int)));
  SAFE(cudaMalloc(&b.corner, pairs * (tiles + 1) * (tiles + 1) * sizeof(int)));
  SAFE(cudaMemcpy(dq, q.data(), q.size(), cudaMemcpyHostToDevice));
  SAFE(cudaMemcpy(dt, t.data(), t.size(), cudaMemcpyHostToDevice));

  int work = std::max(len, (tiles + 1) * (tiles + 1)) * pairs;
  initBorders<<<(work + 255) / 256, 256>>>(b, len, tiles, best, pairs);
  for (int d = 0; d < 2 * tiles - 1; d++) {
    int count = std::min(d, 2 * tiles - 2 - d) + 1;
    alignTile<<<dim3(count, pairs), TILE>>>(dq, dt, b, dirs, tileBest, len, d);
  }
  pickBest<<<1, pairs>>>(tileBest, best, tiles, len);
  traceback<<<pairs, 1>>>(dirs, best, length, matches, dq, dt, len);
  SAFE(cudaDeviceSynchronize());

  std::vector<int> hb(pairs * 3), hl(pairs), hm(pairs);
  SAFE(cudaMemcpy(hb.data(), best, hb.size() * sizeof(int), cudaMemcpyDeviceToHost));
  SAFE(cudaMemcpy(hl.data(), length, pairs * sizeof(int), cudaMemcpyDeviceToHost));
  SAFE(cudaMemcpy(hm.data(), matches, pairs * sizeof(int), cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int p = 0; p < pairs; p++) {
    std::vector<int> H(len + 1, 0), F(len + 1, NEG_INF);
    int score = 0;
    for (int i = 0; i < len; i++) {
      int diag = 0, e = NEG_INF, left = 0;
      for (int j = 0; j < len; j++) {
        e = std::max(e - GAP_EXT, left - GAP_OPEN);
        F[j] = std::max(F[j] - GAP_EXT, H[j] - GAP_OPEN);
        int v =
            std::max(std::max(0, diag + sub[q[p * len + i]][t[p * len + j]]), std::max(e, F[j]));
        diag = H[j];
        H[j] = left = v;
        score = std::max(score, v);
      }
    }
    if (score != hb[p * 3] || hl[p] < hm[p] || hl[p] == 0)
      wrong++;
    if (p == 0)
      printf("pair 0: score %d, alignment of %d with %d identities\n", hb[0], hl[0], hm[0]);
  }
  if (wrong) {
    printf("FAIL %d pairs\n", wrong);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
