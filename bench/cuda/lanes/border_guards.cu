// SPDX-License-Identifier: Apache-2.0
//
// Stencils, image filters and tiles: clamped, mirrored, wrapped and skipped borders, tiles that the
// data does not fill, threads without an element.
#include "lanes.cuh"

// Mean of 5 by 5, coordinates clamped.
__global__ void borderBoxBlur(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int cx = min(max(x + dx, 0), width - 1);
      int cy = min(max(y + dy, 0), height - 1);
      sum += in[cy * width + cx];
    }
  out[y * width + x] = sum / 25;
}

// Gradient of the inside; edges stand out, weak ones are dropped.
__global__ void borderSobel(const unsigned char* in, float* out, int width, int height,
                            float threshold) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
      out[i] = 0.0f;
    } else {
      const int gx = in[i - width + 1] + 2 * in[i + 1] + in[i + width + 1] - in[i - width - 1] -
                     2 * in[i - 1] - in[i + width - 1];
      const int gy = in[i + width - 1] + 2 * in[i + width] + in[i + width + 1] - in[i - width - 1] -
                     2 * in[i - width] - in[i - width + 1];
      const float size = sqrtf(float(gx * gx + gy * gy));
      out[i] = size > threshold ? atan2f(float(gy), float(gx)) : 0.0f;
    }
  }
}

__host__ __device__ inline int convolveAt(const int* in, int n, const int* weights, int radius,
                                          int i) {
  int sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    if (i + k < 0)
      continue;
    if (i + k >= n)
      break;
    if (weights[k + radius] == 0)
      continue;
    sum += in[i + k] * weights[k + radius];
  }
  return sum;
}

// Signals one behind the other; outside of a signal there are zeros.
__global__ void borderConvolve(const int* signals, int n, int count, const int* weights, int radius,
                               int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * count)
    return;
  int signal = i / n;
  out[i] = convolveAt(signals + signal * n, n, weights, radius, i % n);
}

constexpr int kTile = 16;

// Five points, with a tile and its halo in shared memory.
__global__ void borderTiledStencil(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool inside = x < width && y < height;
  tile[ty][tx] = inside ? in[y * width + x] : 0.0f;
  if (threadIdx.x == 0)
    tile[ty][0] = x > 0 && y < height ? in[y * width + x - 1] : 0.0f;
  if (threadIdx.x == kTile - 1)
    tile[ty][kTile + 1] = x + 1 < width && y < height ? in[y * width + x + 1] : 0.0f;
  if (threadIdx.y == 0)
    tile[0][tx] = y > 0 && x < width ? in[(y - 1) * width + x] : 0.0f;
  if (threadIdx.y == kTile - 1)
    tile[kTile + 1][tx] = y + 1 < height && x < width ? in[(y + 1) * width + x] : 0.0f;
  __syncthreads();
  if (!inside)
    return;
  const float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  out[y * width + x] = tile[ty][tx] + 0.2f * (around - 4.0f * tile[ty][tx]);
}

// Product of matrices that no tile divides.
__global__ void borderTiledProduct(const float* a, const float* b, float* c, int rows, int inner,
                                   int columns) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y;
  int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (inner + kTile - 1) / kTile; t++) {
    int ac = t * kTile + threadIdx.x, br = t * kTile + threadIdx.y;
    if (row < rows && ac < inner)
      as[threadIdx.y][threadIdx.x] = a[row * inner + ac];
    else
      as[threadIdx.y][threadIdx.x] = 0.0f;
    if (br < inner && column < columns)
      bs[threadIdx.y][threadIdx.x] = b[br * columns + column];
    else
      bs[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; k++)
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

__global__ void borderTranspose(const int* in, int* out, int width, int height) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Differences to the left neighbour. Threads past the end leave before the barrier.
__global__ void borderDifference(const int* in, int* out, int n) {
  __shared__ int values[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  values[threadIdx.x] = in[i];
  __syncthreads();
  if (threadIdx.x > 0)
    out[i] = values[threadIdx.x] - values[threadIdx.x - 1];
  else if (i > 0)
    out[i] = values[0] - in[i - 1];
  else
    out[i] = values[0];
}

__host__ __device__ inline int mirror(int i, int n) {
  if (i < 0)
    return -i;
  if (i >= n)
    return 2 * n - 2 - i;
  return i;
}

__host__ __device__ inline unsigned char medianAt(const unsigned char* in, int width, int height,
                                                  int x, int y) {
  unsigned char window[9];
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const unsigned char value = in[mirror(y + dy, height) * width + mirror(x + dx, width)];
      int at = count++;
      while (at > 0 && window[at - 1] > value) {
        window[at] = window[at - 1];
        --at;
      }
      window[at] = value;
    }
  return window[4];
}

// Median of 3 by 3 for pixels that look like noise, mirrored at the border.
__global__ void borderMedian(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const unsigned char own = in[y * width + x];
  if (own > 24 && own < 232) {
    out[y * width + x] = own;
    return;
  }
  out[y * width + x] = medianAt(in, width, height, x, y);
}

// Life on a torus, three turns held in shared memory of the block's own world.
__global__ void borderLife(const unsigned char* worlds, unsigned char* out, int turns) {
  __shared__ unsigned char now[2][12][12];
  const int x = threadIdx.x, y = threadIdx.y;
  const int at = (blockIdx.x * 12 + y) * 12 + x;
  now[0][y][x] = worlds[at];
  __syncthreads();
  int from = 0;
  for (int turn = 0; turn < turns; ++turn) {
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      int yy = y + dy;
      if (yy < 0)
        yy = 11;
      else if (yy == 12)
        yy = 0;
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0)
          continue;
        neighbours += now[from][yy][(x + dx + 12) % 12];
      }
    }
    unsigned char next = 0;
    switch (neighbours) {
    case 2:
      next = now[from][y][x];
      break;
    case 3:
      next = 1;
    }
    now[1 - from][y][x] = next;
    __syncthreads();
    from = 1 - from;
  }
  out[at] = now[from][y][x];
}

enum Face { FaceFixed, FaceInsulated, FaceLosing };

__device__ float acrossFace(Face face, float own, float wall) {
  switch (face) {
  case FaceFixed:
    return wall;
  case FaceInsulated:
    return own;
  case FaceLosing:
    return own - 0.1f * (own - wall);
  }
  return own;
}

// Heat in a box: the six faces behave differently.
__global__ void borderHeat(const float* in, float* out, int nx, int ny, int nz, float wall) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz)
    return;
  int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
  float own = in[i];
  float sum = 0;
  sum += x > 0 ? in[i - 1] : acrossFace(FaceFixed, own, wall);
  sum += x < nx - 1 ? in[i + 1] : acrossFace(FaceFixed, own, 0.5f * wall);
  sum += y > 0 ? in[i - nx] : acrossFace(FaceInsulated, own, wall);
  sum += y < ny - 1 ? in[i + nx] : acrossFace(FaceLosing, own, wall);
  if (z == 0)
    sum += acrossFace(in[i + nx * ny] > own ? FaceInsulated : FaceLosing, own, wall);
  else
    sum += in[i - nx * ny];
  if (z == nz - 1)
    sum += acrossFace(FaceLosing, own, 0.0f);
  else
    sum += in[i + nx * ny];
  out[i] = own + 0.1f * (sum - 6.0f * own);
}

// Smooths a depth map; 0 is a hole and stays one, holes and jumps do not count.
__global__ void borderBilateral(const float* depth, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float center = depth[y * width + x];
  if (center == 0.0f) {
    out[y * width + x] = 0.0f;
    return;
  }
  float sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; dy++) {
    if (y + dy < 0 || y + dy >= height)
      continue;
    for (int dx = -2; dx <= 2; dx++) {
      if (x + dx < 0 || x + dx >= width)
        continue;
      float other = depth[(y + dy) * width + x + dx];
      if (other == 0.0f)
        continue;
      float jump = other - center;
      if (jump > 0.3f || jump < -0.3f)
        continue;
      float weight = expf(-0.2f * (dx * dx + dy * dy) - 20.0f * jump * jump);
      sum += weight * other;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}

struct Turn {
  float cosine, sine, shiftX, shiftY;
};

// A turned image, bilinear; what comes from outside is grey.
__global__ void borderRotate(const float* in, float* out, int width, int height, Turn turn) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(x < width && y < height))
    return;
  const float cx = x - 0.5f * width, cy = y - 0.5f * height;
  const float sx = turn.cosine * cx - turn.sine * cy + 0.5f * width + turn.shiftX;
  const float sy = turn.sine * cx + turn.cosine * cy + 0.5f * height + turn.shiftY;
  const int x0 = static_cast<int>(floorf(sx)), y0 = static_cast<int>(floorf(sy));
  float value = 0.5f;
  if (x0 >= 0 && y0 >= 0 && x0 + 1 < width && y0 + 1 < height) {
    const float fx = sx - x0, fy = sy - y0;
    const float* p = in + y0 * width + x0;
    const float top = p[0] + fx * (p[1] - p[0]);
    const float bottom = p[width] + fx * (p[width + 1] - p[width]);
    value = top + fy * (bottom - top);
  }
  out[y * width + x] = value;
}

// How far the nearest wall is, at most 6 squares, ring after ring.
__global__ void borderNearestWall(const unsigned char* map, int width, int height, int* distance) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int ring;
  for (ring = 0; ring <= 6; ring++) {
    for (int dy = -ring; dy <= ring; dy++) {
      int yy = y + dy;
      if (yy < 0 || yy >= height)
        continue;
      int step = dy == -ring || dy == ring || ring == 0 ? 1 : 2 * ring;
      for (int xx = x - ring; xx <= x + ring; xx += step)
        if (xx >= 0 && xx < width && map[yy * width + xx])
          goto found;
    }
  }
found:
  distance[y * width + x] = ring;
}

constexpr int kWidth = 101, kHeight = 75;
const dim3 kThreads(16, 8), kBlocks((kWidth + 15) / 16, (kHeight + 7) / 8);

static void runImages() {
  lanes::Random random(51);
  const int pixels = kWidth * kHeight;
  const std::vector<unsigned char> image = lanes::expect<unsigned char>(pixels, [&](size_t i) {
    const int noise = random.below(12);
    const int shade = int(i % kWidth) + int(i / kWidth) * 2 + random.below(9);
    return static_cast<unsigned char>(noise == 0 ? 0 : noise == 1 ? 255 : shade);
  });
  const lanes::Buffer<unsigned char> in(image);
  lanes::Buffer<unsigned char> blurred(pixels), median(pixels);
  borderBoxBlur<<<kBlocks, kThreads>>>(in.data(), blurred.data(), kWidth, kHeight);
  lanes::report("borderBoxBlur", blurred);

  lanes::Buffer<float> edges(pixels);
  borderSobel<<<kBlocks, kThreads>>>(in.data(), edges.data(), kWidth, kHeight, 90.0f);
  lanes::report("borderSobel", edges);

  borderMedian<<<kBlocks, kThreads>>>(in.data(), median.data(), kWidth, kHeight);
  lanes::report("borderMedian", median);
  lanes::check("borderMedian", median.host() == lanes::expect<unsigned char>(pixels, [&](size_t i) {
                                 return image[i] > 24 && image[i] < 232
                                            ? image[i]
                                            : medianAt(image.data(), kWidth, kHeight,
                                                       int(i % kWidth), int(i / kWidth));
                               }));

  const lanes::Buffer<float> depth(pixels, [&](size_t i) {
    const float base = (i / 23) % 4 == 0 ? 2.0f : 1.0f + 0.005f * float(i % kWidth);
    return random.below(6) == 0 ? 0.0f : base + random.within(0.0f, 0.2f);
  });
  lanes::Buffer<float> smooth(pixels), turned(pixels), stepped(pixels);
  borderBilateral<<<kBlocks, kThreads>>>(depth.data(), smooth.data(), kWidth, kHeight);
  lanes::report("borderBilateral", smooth);

  const Turn turn = {std::cos(0.4f), std::sin(0.4f), 11.0f, -6.5f};
  borderRotate<<<kBlocks, kThreads>>>(depth.data(), turned.data(), kWidth, kHeight, turn);
  lanes::report("borderRotate", turned);

  const dim3 tiles((kWidth + kTile - 1) / kTile, (kHeight + kTile - 1) / kTile);
  borderTiledStencil<<<tiles, dim3(kTile, kTile)>>>(depth.data(), stepped.data(), kWidth, kHeight);
  lanes::report("borderTiledStencil", stepped);

  const lanes::Buffer<unsigned char> walls(
      pixels, [&](size_t) { return static_cast<unsigned char>(random.below(40) == 0); });
  lanes::Buffer<int> distance(pixels);
  borderNearestWall<<<kBlocks, kThreads>>>(walls.data(), kWidth, kHeight, distance.data());
  lanes::report("borderNearestWall", distance);
}

static void runArrays() {
  lanes::Random random(52);
  const int n = 37, count = 130, radius = 9;
  const std::vector<int> signals =
      lanes::expect<int>(n * count, [&](size_t) { return random.between(-50, 50); });
  const std::vector<int> weights =
      lanes::expect<int>(2 * radius + 1, [](size_t k) { return k % 3 == 1 ? 0 : int(k) - 8; });
  const lanes::Buffer<int> in(signals), weightBuffer(weights);
  lanes::Buffer<int> convolved(n * count), differences(n * count);
  borderConvolve<<<(n * count + 127) / 128, 128>>>(in.data(), n, count, weightBuffer.data(), radius,
                                                   convolved.data());
  lanes::report("borderConvolve", convolved);
  lanes::check("borderConvolve", convolved.host() == lanes::expect<int>(n * count, [&](size_t i) {
                                   return convolveAt(signals.data() + i / n * n, n, weights.data(),
                                                     radius, int(i % n));
                                 }));

  const int width = 70, height = 61;
  lanes::Buffer<int> transposed(width * height);
  borderTranspose<<<dim3(3, 2), dim3(32, 8)>>>(in.data(), transposed.data(), width, height);
  lanes::report("borderTranspose", transposed);
  lanes::check("borderTranspose",
               transposed.host() == lanes::expect<int>(width * height, [&](size_t i) {
                 return signals[i % height * width + i / height];
               }));

  const auto small = [&](size_t) { return float(random.between(-3, 3)); };
  const int rows = 53, inner = 41, columns = 60;
  const std::vector<float> a = lanes::expect<float>(rows * inner, small);
  const std::vector<float> b = lanes::expect<float>(inner * columns, small);
  const lanes::Buffer<float> aBuffer(a), bBuffer(b);
  lanes::Buffer<float> product(rows * columns);
  borderTiledProduct<<<dim3(4, 4), dim3(kTile, kTile)>>>(aBuffer.data(), bBuffer.data(),
                                                         product.data(), rows, inner, columns);
  lanes::report("borderTiledProduct", product);
  lanes::check("borderTiledProduct",
               product.host() == lanes::expect<float>(rows * columns, [&](size_t i) {
                 float sum = 0;
                 for (int k = 0; k < inner; ++k)
                   sum += a[i / columns * inner + k] * b[k * columns + i % columns];
                 return sum;
               }));

  const lanes::Buffer<unsigned char> worlds(
      30 * 144, [&](size_t) { return static_cast<unsigned char>(random.below(3) == 0); });
  lanes::Buffer<unsigned char> after(30 * 144);
  borderLife<<<30, dim3(12, 12)>>>(worlds.data(), after.data(), 3);
  lanes::report("borderLife", after);

  const int nx = 19, ny = 17, nz = 14, cells = nx * ny * nz;
  const lanes::Buffer<float> heat(cells, [&](size_t) { return random.within(0.0f, 9.0f); });
  lanes::Buffer<float> warmed(cells);
  borderHeat<<<(cells + 127) / 128, 128>>>(heat.data(), warmed.data(), nx, ny, nz, 5.0f);
  lanes::report("borderHeat", warmed);

  borderDifference<<<(n * count + 127) / 128, 128>>>(in.data(), differences.data(), n * count);
  lanes::report("borderDifference", differences);
  lanes::check("borderDifference",
               differences.host() == lanes::expect<int>(n * count, [&](size_t i) {
                 return signals[i] - (i ? signals[i - 1] : 0);
               }));
}

int main() {
  runImages();
  runArrays();
  return lanes::status();
}
