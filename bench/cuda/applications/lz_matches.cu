// SPDX-License-Identifier: Apache-2.0
// Compresses a text in independent chunks with a brute-force LZ match finder and greedy parse,
// decodes it again, and counts runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int CHUNK = 256; // bytes that are parsed by one thread
constexpr int WINDOW = 96; // how far back matches may lie
constexpr int MIN_LEN = 4;
constexpr int MAX_LEN = 34;

struct Match {
  unsigned char length, distance;
};

// A token of two bytes: (0, literal) or (length, distance).
struct Token {
  unsigned char a, b;
};

static void require(bool ok, const char* what) {
  if (!ok) {
    std::printf("FAIL %s\n", what);
    std::exit(1);
  }
}

__host__ __device__ inline Match longestMatch(const unsigned char* text, int begin, int end,
                                              int pos) {
  Match best = {0, 0};
  int limit = end - pos < MAX_LEN ? end - pos : MAX_LEN;
  for (int dist = 1; dist <= WINDOW && pos - dist >= begin; dist++) {
    const unsigned char* p = text + pos;
    if (p[0] != p[-dist])
      continue;
    int len = 1;
    while (len < limit && p[len] == p[len - dist])
      len++;
    if (len > best.length && len >= MIN_LEN) {
      best.length = (unsigned char)len;
      best.distance = (unsigned char)dist;
    }
  }
  return best;
}

// every position for itself, divergent in the lengths
__global__ void findMatches(const unsigned char* text, int n, Match* out) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x;
  if (pos >= n)
    return;
  int begin = pos / CHUNK * CHUNK;
  out[pos] = longestMatch(text, begin, min(begin + CHUNK, n), pos);
}

// one thread goes through its chunk and takes the matches greedily
__global__ void parseChunks(const unsigned char* text, int n, const Match* match, Token* tokens,
                            int* count) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = c * CHUNK, end = min(begin + CHUNK, n);
  if (begin >= n)
    return;
  Token* out = tokens + begin;
  int k = 0;
  for (int pos = begin; pos < end;) {
    Match m = match[pos];
    if (m.length >= MIN_LEN) {
      out[k++] = Token{m.length, m.distance};
      pos += m.length;
    } else {
      out[k++] = Token{0, text[pos]};
      pos++;
    }
  }
  count[c] = k;
}

// token places: one block, each thread sums several chunks
__global__ void placeChunks(const int* count, int* first, int chunks) {
  __shared__ int sums[256];
  int per = (chunks + 255) / 256, from = threadIdx.x * per, to = min(from + per, chunks);
  int s = 0;
  for (int i = from; i < to; i++)
    s += count[i];
  sums[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    int run = 0;
    for (int i = 0; i < 256; i++) {
      int t = sums[i];
      sums[i] = run;
      run += t;
    }
    first[chunks] = run;
  }
  __syncthreads();
  s = sums[threadIdx.x];
  for (int i = from; i < to; i++) {
    first[i] = s;
    s += count[i];
  }
}

__global__ void packTokens(const Token* tokens, const int* first, Token* packed) {
  int c = blockIdx.x;
  for (int i = threadIdx.x; i < first[c + 1] - first[c]; i += blockDim.x)
    packed[first[c] + i] = tokens[c * CHUNK + i];
}

__global__ void decodeChunks(const Token* packed, const int* first, unsigned char* text,
                             int chunks) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= chunks)
    return;
  unsigned char* out = text + c * CHUNK;
  for (int i = first[c]; i < first[c + 1]; i++) {
    Token t = packed[i];
    if (t.a == 0) {
      *out++ = t.b;
    } else {
      for (int k = 0; k < t.a; k++, out++)
        *out = out[-(int)t.b];
    }
  }
}

// lengths of runs of equal bytes, as a histogram (63 and more together)
__global__ void countRuns(const unsigned char* text, int n, int* hist) {
  __shared__ int local[64];
  if (threadIdx.x < 64)
    local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || text[i - 1] != text[i])) {
    int len = 1;
    while (i + len < n && text[i + len] == text[i] && len < 63)
      len++;
    atomicAdd(&local[len], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64 && local[threadIdx.x])
    atomicAdd(&hist[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 16384;
  n = std::max(n, 2 * CHUNK + 7);
  const char* words[] = {"grid ",   "block ",  "warp ", "lane ",
                         "of the ", "memory ", "and ",  "shared "};
  std::vector<unsigned char> text;
  unsigned s = 77;
  while ((int)text.size() < n) {
    s = s * 1103515245u + 12345u;
    unsigned r = s >> 16;
    if (r % 11 == 0)
      text.insert(text.end(), 3 + r / 11 % 70, (unsigned char)('0' + r % 10));
    else if (r % 5 == 0)
      text.push_back((unsigned char)(32 + r / 5 % 90));
    else
      for (const char* w = words[r / 64 % 8]; *w; w++)
        text.push_back((unsigned char)*w);
  }
  text.resize(n);
  const int chunks = (n + CHUNK - 1) / CHUNK;

  unsigned char *dText, *dBack;
  Match* dMatch;
  Token *dTok, *dPacked;
  int *dCount, *dFirst, *dHist;
  require(!cudaMalloc(&dText, n) && !cudaMalloc(&dBack, n) &&
              !cudaMalloc(&dMatch, n * sizeof(Match)),
          "memory");
  require(!cudaMalloc(&dTok, n * sizeof(Token)) && !cudaMalloc(&dPacked, n * sizeof(Token)),
          "memory");
  require(!cudaMalloc(&dCount, chunks * sizeof(int)) &&
              !cudaMalloc(&dFirst, (chunks + 1) * sizeof(int)) &&
              !cudaMalloc(&dHist, 64 * sizeof(int)),
          "memory");
  cudaMemcpy(dText, text.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dHist, 0, 64 * sizeof(int));
  cudaMemset(dBack, 0, n);
  findMatches<<<(n + 127) / 128, 128>>>(dText, n, dMatch);
  parseChunks<<<(chunks + 31) / 32, 32>>>(dText, n, dMatch, dTok, dCount);
  placeChunks<<<1, 256>>>(dCount, dFirst, chunks);
  packTokens<<<chunks, 64>>>(dTok, dFirst, dPacked);
  decodeChunks<<<(chunks + 31) / 32, 32>>>(dPacked, dFirst, dBack, chunks);
  countRuns<<<(n + 255) / 256, 256>>>(dText, n, dHist);
  require(cudaDeviceSynchronize() == cudaSuccess, "kernels");

  std::vector<unsigned char> back(n);
  std::vector<Match> match(n);
  std::vector<int> first(chunks + 1), hist(64), wantHist(64, 0);
  cudaMemcpy(back.data(), dBack, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(match.data(), dMatch, n * sizeof(Match), cudaMemcpyDeviceToHost);
  cudaMemcpy(first.data(), dFirst, first.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(hist.data(), dHist, hist.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 17) {
    int begin = i / CHUNK * CHUNK;
    Match m = longestMatch(text.data(), begin, std::min(begin + CHUNK, n), i);
    require(m.length == match[i].length && m.distance == match[i].distance, "match");
  }
  int total = 0;
  for (int c = 0; c < chunks; c++) {
    require(first[c] == total, "place of a chunk");
    for (int pos = c * CHUNK; pos < std::min(n, (c + 1) * CHUNK); total++)
      pos += match[pos].length ? match[pos].length : 1;
  }
  for (int i = 0; i < n;) {
    int j = i;
    while (j < n && text[j] == text[i])
      j++;
    wantHist[std::min(j - i, 63)]++;
    i = j;
  }
  require(first[chunks] == total, "number of tokens");
  require(back == text, "decoded text");
  require(hist == wantHist, "runs");
  std::printf("%d bytes in %d tokens\nPASS\n", n, total);
  return 0;
}
