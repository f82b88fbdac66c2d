// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices and graphs: products in the usual formats, steps of breadth-first search and
// PageRank, triangles, colouring. Most rows are short, a few are long.
#include "lanes.cuh"

#include <algorithm>
#include <set>

struct Graph {
  int nodes;
  std::vector<int> first, edges;
};

struct CsrMatrix {
  int rows;
  const int* rowStart;
  const int* columns;
  const float* values;
};

__global__ void sparseCsrRow(CsrMatrix a, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows)
    return;
  float sum = 0.0f;
  for (int k = a.rowStart[row]; k < a.rowStart[row + 1]; ++k)
    sum += a.values[k] * x[a.columns[k]];
  y[row] = sum;
}

// A warp for each row.
__global__ void sparseCsrWarp(CsrMatrix a, const float* x, float* y) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x & 31;
  if (warp >= a.rows)
    return;
  float sum = 0.0f;
  const int end = a.rowStart[warp + 1];
  for (int k = a.rowStart[warp] + lane; k < end; k += 32)
    sum += a.values[k] * x[a.columns[k]];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[warp] = sum;
}

// ELLPACK, column by column; -1 ends a row.
__global__ void sparseEll(int rows, int width, const int* columns, const float* values,
                          const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    for (int n = 0; n < width; n++) {
      int col = columns[rows * n + row];
      if (col < 0)
        break;
      float val = values[rows * n + row];
      if (val != 0)
        dot += val * x[col];
    }
    y[row] = dot;
  }
}

struct Entry {
  int row, column;
  float value;
};

// Each thread walks a few entries and writes a row's sum when the row changes.
__global__ void sparseCooSegments(const Entry* entries, int count, int perThread, const float* x,
                                  float* y) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) * perThread;
  if (at >= count)
    return;
  const int end = min(at + perThread, count);
  int row = entries[at].row;
  float sum = 0;
  while (at < end) {
    const Entry e = entries[at++];
    if (e.row != row) {
      atomicAdd(&y[row], sum);
      row = e.row;
      sum = 0;
    }
    sum += e.value * x[e.column];
  }
  atomicAdd(&y[row], sum);
}

// Diagonal format: the offsets of the diagonals, and a column of values for each.
__global__ void sparseDia(int n, int diagonals, const int* offsets, const float* values,
                          const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int d = 0; d < diagonals; d++) {
    const int j = i + offsets[d];
    if (j < 0 || j >= n)
      continue;
    sum += values[d * n + i] * x[j];
  }
  y[i] = sum;
}

__global__ void sparsePageRankPull(int nodes, const int* first, const int* sources,
                                   const int* outDegree, const float* rank, float* next,
                                   float damping, int* moved) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes)
    return;
  float sum = 0;
  for (int e = first[v]; e != first[v + 1]; e++) {
    int u = sources[e];
    if (outDegree[u] > 0)
      sum += rank[u] / outDegree[u];
  }
  float value = (1.0f - damping) / nodes + damping * sum;
  if (fabsf(value - rank[v]) > 0.5f / nodes)
    atomicAdd(moved, 1);
  next[v] = value;
}

__global__ void sparseBfsTopDown(int nodes, const int* first, const int* edges, int* level,
                                 int current, int* found) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || level[v] != current)
    return;
  for (int e = first[v]; e < first[v + 1]; ++e) {
    const int u = edges[e];
    if (level[u] == -1 && atomicCAS(&level[u], -1, current + 1) == -1)
      atomicAdd(found, 1);
  }
}

// Nodes not reached yet look for any neighbour in the frontier, a bit for each node.
__global__ void sparseBfsBottomUp(int nodes, const int* first, const int* edges,
                                  const unsigned* frontier, const int* level, int* nextLevel,
                                  int depth) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes)
    return;
  int mine = level[v];
  if (mine < 0) {
    bool hit = false;
    for (int e = first[v]; e < first[v + 1]; ++e) {
      int u = edges[e];
      if (frontier[u >> 5] & (1u << (u & 31))) {
        hit = true;
        break;
      }
    }
    if (hit)
      mine = depth;
  }
  nextLevel[v] = mine;
}

__host__ __device__ inline int commonNeighbours(const int* first, const int* edges, int u, int v) {
  int i = first[u], j = first[v], count = 0;
  while (i < first[u + 1] && j < first[v + 1]) {
    if (edges[i] < edges[j])
      ++i;
    else if (edges[i] > edges[j])
      ++j;
    else {
      ++count;
      ++i;
      ++j;
    }
  }
  return count;
}

// A thread for each edge; sorted neighbour lists are merged.
__global__ void sparseTriangleMerge(int edgeCount, const int2* pairs, const int* first,
                                    const int* edges, int* triangles) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edgeCount)
    return;
  const int2 pair = pairs[e];
  if (pair.x >= pair.y)
    return;
  triangles[e] = commonNeighbours(first, edges, pair.x, pair.y);
}

__device__ bool hasEdge(const int* first, const int* edges, int from, int to) {
  int low = first[from], high = first[from + 1] - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (edges[middle] == to)
      return true;
    if (edges[middle] < to)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return false;
}

// Clustering coefficient of a node: pairs of neighbours, looked up by bisection.
__global__ void sparseClustering(int nodes, const int* first, const int* edges, float* out) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes)
    return;
  int degree = first[v + 1] - first[v];
  if (degree < 2) {
    out[v] = 0.0f;
    return;
  }
  if (degree > 24)
    degree = 24;
  int closed = 0;
  for (int i = 0; i < degree; i++) {
    int a = edges[first[v] + i];
    if (a == v)
      continue;
    for (int j = i + 1; j < degree; j++) {
      int b = edges[first[v] + j];
      if (b == v)
        continue;
      if (hasEdge(first, edges, a, b))
        closed++;
    }
  }
  out[v] = 2.0f * closed / (degree * (degree - 1));
}

__host__ __device__ inline unsigned priorityOf(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// One round of Jones and Plassmann: local maxima take the lowest free colour.
__global__ void sparseColourRound(int nodes, const int* first, const int* edges, const int* colours,
                                  int* next) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes)
    return;
  if (colours[v] >= 0) {
    next[v] = colours[v];
    return;
  }
  unsigned long long taken = 0;
  const unsigned mine = priorityOf(v);
  for (int e = first[v]; e < first[v + 1]; ++e) {
    const int u = edges[e];
    if (u == v)
      continue;
    const int colour = colours[u];
    if (colour < 0) {
      const unsigned other = priorityOf(u);
      if (other > mine || (other == mine && u > v)) {
        next[v] = -1;
        return;
      }
    } else if (colour < 64) {
      taken |= 1ull << colour;
    }
  }
  next[v] = __ffsll(static_cast<long long>(~taken)) - 1;
}

// How many entries a row of A * A has, with a small table of the columns seen.
__global__ void sparseProductSize(int rows, const int* first, const int* columns, int* sizes) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int table[64];
  for (int i = 0; i < 64; i++)
    table[i] = -1;
  int count = 0;
  for (int j = first[row]; j < first[row + 1]; j++) {
    int middle = columns[j];
    for (int k = first[middle]; k < first[middle + 1]; k++) {
      int column = columns[k];
      unsigned slot = (column * 2654435761u) >> 26;
      while (table[slot] != -1 && table[slot] != column)
        slot = (slot + 1) & 63;
      if (table[slot] == column)
        continue;
      table[slot] = column;
      if (++count == 48)
        goto full;
    }
  }
full:
  sizes[row] = count;
}

// Gauss-Seidel's sibling, with three kinds of unknowns.
__global__ void sparseJacobi(CsrMatrix a, const unsigned char* kind, const float* b, const float* x,
                             float* next) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows)
    return;
  switch (kind[row]) {
  case 0: // fixed
    next[row] = b[row];
    return;
  case 1: { // mean of the neighbours
    float sum = 0;
    int count = 0;
    for (int k = a.rowStart[row]; k < a.rowStart[row + 1]; ++k)
      if (a.columns[k] != row) {
        sum += x[a.columns[k]];
        ++count;
      }
    next[row] = count ? sum / count : x[row];
    break;
  }
  default: {
    float diagonal = 1.0f, sum = b[row];
    for (int k = a.rowStart[row]; k < a.rowStart[row + 1]; ++k) {
      if (a.columns[k] == row)
        diagonal = a.values[k];
      else
        sum -= a.values[k] * x[a.columns[k]];
    }
    next[row] = x[row] + 0.8f * (sum / diagonal - x[row]);
  }
  }
}

// Sorted rows without an edge twice; a few rows are hubs.
static Graph makeGraph(int nodes, int usual, int hub, uint64_t seed) {
  lanes::Random random(seed);
  Graph graph{nodes, {0}, {}};
  for (int v = 0; v < nodes; ++v) {
    const int degree = random.below(20) == 0 ? random.between(usual, hub) : random.below(usual);
    std::set<int> row;
    for (int e = 0; e < degree; ++e)
      row.insert(random.below(3) ? (v + random.between(1, 40)) % nodes : random.below(nodes));
    graph.edges.insert(graph.edges.end(), row.begin(), row.end());
    graph.first.push_back(int(graph.edges.size()));
  }
  return graph;
}

static void runProducts(const Graph& graph) {
  const int n = graph.nodes, count = int(graph.edges.size());
  lanes::Random random(3);
  const auto small = [&](size_t) { return float(random.between(-4, 4)); };
  const std::vector<float> values = lanes::expect<float>(count, small);
  const std::vector<float> vector = lanes::expect<float>(n, small);
  std::vector<float> product(n);
  std::vector<Entry> entries;
  int width = 0;
  for (int row = 0; row < n; ++row) {
    width = std::max(width, graph.first[row + 1] - graph.first[row]);
    for (int k = graph.first[row]; k < graph.first[row + 1]; ++k) {
      product[row] += values[k] * vector[graph.edges[k]];
      entries.push_back({row, graph.edges[k], values[k]});
    }
  }
  lanes::Buffer<int> first(graph.first), columns(graph.edges);
  lanes::Buffer<float> a(values), x(vector);
  const CsrMatrix matrix{n, first.data(), columns.data(), a.data()};

  lanes::Buffer<float> rowY(n);
  sparseCsrRow<<<(n + 127) / 128, 128>>>(matrix, x.data(), rowY.data());
  lanes::report("sparseCsrRow", rowY);
  lanes::check("sparseCsrRow", rowY.host() == product);

  CsrMatrix top = matrix;
  top.rows = 500;
  lanes::Buffer<float> warpY(top.rows);
  sparseCsrWarp<<<(top.rows * 32 + 127) / 128, 128>>>(top, x.data(), warpY.data());
  lanes::report("sparseCsrWarp", warpY);
  lanes::check("sparseCsrWarp",
               warpY.host() == std::vector<float>(product.begin(), product.begin() + top.rows));

  std::vector<int> ellColumns(size_t(width) * n, -1);
  std::vector<float> ellValues(size_t(width) * n);
  for (int row = 0; row < n; ++row)
    for (int k = graph.first[row]; k < graph.first[row + 1]; ++k) {
      ellColumns[size_t(k - graph.first[row]) * n + row] = graph.edges[k];
      ellValues[size_t(k - graph.first[row]) * n + row] = values[k];
    }
  lanes::Buffer<int> ellC(ellColumns);
  lanes::Buffer<float> ellV(ellValues), ellY(n);
  sparseEll<<<(n + 255) / 256, 256>>>(n, width, ellC.data(), ellV.data(), x.data(), ellY.data());
  lanes::report("sparseEll", ellY);
  lanes::check("sparseEll", ellY.host() == product);

  const int perThread = 9, threads = (count + perThread - 1) / perThread;
  lanes::Buffer<Entry> triples(entries);
  lanes::Buffer<float> cooY(n);
  sparseCooSegments<<<(threads + 127) / 128, 128>>>(triples.data(), count, perThread, x.data(),
                                                    cooY.data());
  lanes::report("sparseCooSegments", cooY);
  lanes::check("sparseCooSegments", cooY.host() == product);

  const std::vector<int> bands = {-64, -8, -1, 0, 1, 8, 64, 900, -2000, 3000};
  lanes::Buffer<int> offsets(bands);
  lanes::Buffer<float> diagonals(bands.size() * n, small), diaY(n);
  sparseDia<<<(n + 255) / 256, 256>>>(n, int(bands.size()), offsets.data(), diagonals.data(),
                                      x.data(), diaY.data());
  lanes::report("sparseDia", diaY);

  lanes::Buffer<unsigned char> kind(
      n, [&](size_t) { return static_cast<unsigned char>(random.below(8) ? 2 : random.below(2)); });
  lanes::Buffer<float> b(n, small), jacobiY(n);
  sparseJacobi<<<(n + 127) / 128, 128>>>(matrix, kind.data(), b.data(), x.data(), jacobiY.data());
  lanes::report("sparseJacobi", jacobiY);

  lanes::Buffer<int> sizes(n);
  sparseProductSize<<<(n + 63) / 64, 64>>>(n, first.data(), columns.data(), sizes.data());
  lanes::report("sparseProductSize", sizes);
}

static void runSearches(const Graph& graph) {
  const int n = graph.nodes, blocks = (n + 127) / 128;
  lanes::Random random(8);
  lanes::Buffer<int> first(graph.first), edges(graph.edges);

  std::vector<int> degree(n);
  for (const int u : graph.edges)
    ++degree[u];
  lanes::Buffer<int> degrees(degree), moved(1);
  lanes::Buffer<float> rank(n, [&](size_t) { return random.unit() / n; }), next(n);
  sparsePageRankPull<<<blocks, 128>>>(n, first.data(), edges.data(), degrees.data(), rank.data(),
                                      next.data(), 0.85f, moved.data());
  lanes::report("sparsePageRankPull", next);

  // A third of the nodes are reached, some of them in the last step.
  const std::vector<int> levels = lanes::expect<int>(n, [&](size_t) {
    return random.below(3) ? -1 : random.below(2) ? 3 : random.below(3);
  });
  std::vector<int> after = levels;
  int fresh = 0;
  for (int v = 0; v < n; ++v)
    for (int e = graph.first[v]; levels[v] == 3 && e < graph.first[v + 1]; ++e)
      if (after[graph.edges[e]] == -1) {
        after[graph.edges[e]] = 4;
        ++fresh;
      }
  lanes::Buffer<int> level(levels), found(1);
  sparseBfsTopDown<<<blocks, 128>>>(n, first.data(), edges.data(), level.data(), 3, found.data());
  lanes::report("sparseBfsTopDown", level);
  lanes::check("sparseBfsTopDown", level.host() == after && found.host()[0] == fresh);

  std::vector<unsigned> bits((n + 31) / 32);
  for (int v = 0; v < n; ++v)
    if (levels[v] == 3)
      bits[v / 32] |= 1u << v % 32;
  lanes::Buffer<unsigned> frontier(bits);
  lanes::Buffer<int> before(levels), pulled(n);
  sparseBfsBottomUp<<<blocks, 128>>>(n, first.data(), edges.data(), frontier.data(), before.data(),
                                     pulled.data(), 4);
  lanes::report("sparseBfsBottomUp", pulled);

  std::vector<int2> pairs;
  for (int v = 0; v < n && pairs.size() < 8000; ++v)
    for (int e = graph.first[v]; e < graph.first[v + 1]; ++e)
      pairs.push_back(make_int2(v, graph.edges[e]));
  lanes::Buffer<int2> ends(pairs);
  lanes::Buffer<int> triangles(pairs.size());
  sparseTriangleMerge<<<(int(pairs.size()) + 127) / 128, 128>>>(
      int(pairs.size()), ends.data(), first.data(), edges.data(), triangles.data());
  lanes::report("sparseTriangleMerge", triangles);
  lanes::check("sparseTriangleMerge",
               triangles.host() == lanes::expect<int>(pairs.size(), [&](size_t e) {
                 return pairs[e].x < pairs[e].y
                            ? commonNeighbours(graph.first.data(), graph.edges.data(), pairs[e].x,
                                               pairs[e].y)
                            : 0;
               }));

  lanes::Buffer<float> clustering(n);
  sparseClustering<<<blocks, 128>>>(n, first.data(), edges.data(), clustering.data());
  lanes::report("sparseClustering", clustering);

  lanes::Buffer<int> colours(n, [&](size_t) { return random.below(3) ? -1 : random.below(12); });
  lanes::Buffer<int> coloured(n);
  sparseColourRound<<<blocks, 128>>>(n, first.data(), edges.data(), colours.data(),
                                     coloured.data());
  lanes::report("sparseColourRound", coloured);
}

int main() {
  const Graph graph = makeGraph(5000, 9, 40, 1);
  runProducts(graph);
  runSearches(graph);
  return lanes::status();
}
