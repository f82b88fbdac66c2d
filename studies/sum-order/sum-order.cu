// SPDX-License-Identifier: Apache-2.0
//
// Floating-point addition is not associative, so a parallel sum need not match a sequential one.
// The same numbers are summed forward and backward by one thread, by a block whose threads take
// every 256th number, and pairwise by a tree. Each sum is held against the sum in double precision,
// and against the bound that is known in advance: k additions after one another are off by at most
// k * 2^-24 of the sum of the absolute values.
//
//   heddle run studies/sum-order/sum-order.cu -- --largest 65536
#include "../study.cuh"

constexpr int blockSize = 256;
constexpr double halfUlp = 1.0 / (1 << 24);

__global__ void sumForward(const float* in, float* sum, int count) {
  float x = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    x += in[i];
  *sum = x;
}

__global__ void sumBackward(const float* in, float* sum, int count) {
  float x = 0;
#pragma unroll 1
  for (int i = count - 1; i >= 0; --i)
    x += in[i];
  *sum = x;
}

/// Every thread sums its share, then the block halves the partial sums.
__global__ void sumByBlock(const float* in, float* sum, int count) {
  __shared__ float partial[blockSize];
  float x = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockSize)
    x += in[i];
  partial[threadIdx.x] = x;
  for (int stride = blockSize / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    *sum = partial[0];
}

__global__ void addPairs(const float* in, float* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    out[i] = in[2 * i] + in[2 * i + 1];
}

/// The lecture's example: the first sum is 1, the second 0.
__global__ void addThree(float x, float y, float z, float* sums) {
  sums[0] = (x + y) + z;
  sums[1] = x + (y + z);
}

std::vector<float> randomValues(int count) {
  std::vector<float> values(count);
  unsigned state = 12345;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / (1 << 24);
  }
  return values;
}

/// Halves the numbers until one is left; `count` is a power of two.
float sumPairwise(const std::vector<float>& in) {
  study::DeviceArray<float> from(in), to(in.size());
  float *source = from.data(), *target = to.data();
  for (int pairs = static_cast<int>(in.size() / 2); pairs >= 1; pairs /= 2) {
    addPairs<<<(pairs + blockSize - 1) / blockSize, blockSize>>>(source, target, pairs);
    std::swap(source, target);
  }
  float sum = 0;
  STUDY_CHECK(cudaMemcpy(&sum, source, sizeof sum, cudaMemcpyDeviceToHost));
  return sum;
}

template <class Kernel> float sumWith(Kernel kernel, int threads, const std::vector<float>& in) {
  study::DeviceArray<float> input(in), sum(1);
  kernel<<<1, threads>>>(input.data(), sum.data(), static_cast<int>(in.size()));
  STUDY_CHECK(cudaGetLastError());
  return sum.values()[0];
}

class Account {
public:
  explicit Account(const std::vector<float>& in) : count_(static_cast<int>(in.size())) {
    for (const float value : in)
      exact_ += value; // all positive: also the sum of the absolute values
  }
  /// `additions` is the longest chain of additions any of the numbers goes through.
  void add(const char* order, float sum, int additions) {
    sums_.push_back(sum);
    const double error = std::abs(sum - exact_) / exact_;
    const double bound = additions * halfUlp;
    study::Row(order)
        .set("experiment", "order")
        .set("count", count_)
        .set("relativeError", error)
        .set("bound", bound)
        .set("ofBound", error / bound)
        .print();
    study::require(error <= bound, std::string(order) + " is further off than it can be");
  }
  void printDistinct() {
    std::sort(sums_.begin(), sums_.end());
    const auto distinct = std::unique(sums_.begin(), sums_.end()) - sums_.begin();
    study::Row("distinct sums")
        .set("experiment", "distinct")
        .set("count", count_)
        .set("distinct", static_cast<int>(distinct))
        .print();
  }

private:
  int count_;
  double exact_ = 0;
  std::vector<float> sums_;
};

void measure(int count) {
  const std::vector<float> in = randomValues(count);
  int levels = 0;
  while (1 << levels < count)
    ++levels;
  float onHost = 0;
  for (const float value : in)
    onHost += value;
  const float forward = sumWith(sumForward, 1, in);
  study::require(forward == onHost, "the device's forward sum is not the host's");
  Account account(in);
  account.add("forward", forward, count - 1);
  account.add("backward", sumWith(sumBackward, 1, in), count - 1);
  account.add("block of 256", sumWith(sumByBlock, blockSize, in), count / blockSize - 1 + 8);
  account.add("pairwise", sumPairwise(in), levels);
  account.printDistinct();
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int largest = static_cast<int>(arguments.number("largest", 1 << 20));
  const bool records = arguments.records();
  arguments.done();
  if (records) // of speedups: this study compares sums, not times
    return 0;

  study::DeviceArray<float> sums(2);
  addThree<<<1, 1>>>(1e30f, -1e30f, 1.0f, sums.data());
  const std::vector<float> three = sums.values();
  study::Row("(x + y) + z").set("experiment", "three").set("sum", double(three[0])).print();
  study::Row("x + (y + z)").set("experiment", "three").set("sum", double(three[1])).print();
  for (int count = 1 << 12; count <= largest; count *= 4)
    measure(count);
}
