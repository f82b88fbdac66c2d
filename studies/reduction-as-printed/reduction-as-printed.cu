// SPDX-License-Identifier: Apache-2.0
//
// The reductions as two documents print them, and what is wrong with them. Each row names a defect,
// what should come out and what does; `present` says that the two differ.
//
// Gholami: the loops of kernels 3 and 4 end at `d > 1` and drop the last addition; the unrolled
// warp of kernel 5 relies on an order of the lanes that nothing promises; three cumulative
// speedups, the bandwidths and the number of elements of the table contradict its times. ME964: the
// better reduction never assigns `stride >> 1` and begins one past the end; it runs here for a few
// rounds, with its reads guarded, so that this program ends.
#include "../study.cuh"

namespace {

constexpr int threads = 1024;
constexpr int warpLanes = 32;

// --- The kernels, as printed -------------------------------------------------------------------

/// Kernel 3 of the document; kernel 4 is the same tree behind another load.
template <int PerThread> __global__ void sequentialAsPrinted(const int* g_inData, int* sums) {
  __shared__ int sData[threads];
  unsigned int tId = threadIdx.x;
  unsigned int i = blockIdx.x * (PerThread * blockDim.x) + threadIdx.x;
  sData[tId] = g_inData[i] + (PerThread == 2 ? g_inData[i + blockDim.x] : 0);
  __syncthreads();
  for (unsigned int d = blockDim.x / 2; d > 1; d >>= 1) {
    if (tId < d)
      if (tId + d < blockDim.x)
        sData[tId] += sData[tId + d];
    __syncthreads();
  }
  if (tId == 0)
    sums[blockIdx.x] = sData[0];
}

/// The six lines of the unrolled warp, as printed: no volatile, no __syncwarp.
__device__ void unrolledAsPrinted(int* sData, unsigned tId) {
  sData[tId] += sData[tId + 32];
  sData[tId] += sData[tId + 16];
  sData[tId] += sData[tId + 8];
  sData[tId] += sData[tId + 4];
  sData[tId] += sData[tId + 2];
  sData[tId] += sData[tId + 1];
}

/// Runs those lines over 64 values, all lanes at once or one lane after another. Both orders are
/// allowed: nothing between the lines makes a lane wait for another.
__global__ void unrolledWarp(const int* input, int* sum, bool oneByOne) {
  __shared__ int sData[2 * warpLanes];
  const unsigned tId = threadIdx.x;
  sData[tId] = input[tId];
  sData[tId + warpLanes] = input[tId + warpLanes];
  __syncwarp();
  if (!oneByOne)
    unrolledAsPrinted(sData, tId);
  for (unsigned turn = 0; oneByOne && turn < warpLanes; ++turn) {
    if (tId == turn)
      unrolledAsPrinted(sData, tId);
    __syncwarp();
  }
  if (tId == 0)
    *sum = sData[0];
}

struct Lecture {
  int sum;
  int rounds;
  int firstStride;
  int lastStride;
  int outOfRange; // reads past partialSum in all rounds
};

/// ME964's better implementation for at most `limit` rounds. Reads past the array give 0 and are
/// counted. `assigns`: `stride >>= 1` in place of the printed `stride >> 1`.
__global__ void lectureReduction(const int* input, Lecture* seen, unsigned start, bool assigns,
                                 int limit) {
  __shared__ int partialSum[threads];
  const unsigned t = threadIdx.x;
  partialSum[t] = input[t];
  int rounds = 0;
  unsigned last = 0;
  for (unsigned stride = start; stride >= 1 && rounds < limit; ++rounds) {
    __syncthreads();
    int other = 0;
    if (t < stride) {
      if (t + stride < blockDim.x)
        other = partialSum[t + stride];
      else
        atomicAdd(&seen->outOfRange, 1);
    }
    __syncthreads(); // the guard must not turn the printed code into a race
    partialSum[t] += other;
    last = stride;
    if (assigns)
      stride >>= 1;
  }
  if (t == 0) {
    seen->sum = partialSum[0];
    seen->rounds = rounds;
    seen->firstStride = int(start);
    seen->lastStride = int(last);
  }
}

// --- What they do ------------------------------------------------------------------------------

int unexpected = 0;
int rows = 0;

/// The ratio is 0 where nothing should be found.
void printRow(const char* document, const char* defect, double expected, double found,
              bool present) {
  study::Row(document)
      .set("number", ++rows)
      .set("defect", defect)
      .set("expected", expected)
      .set("found", found)
      .set("ratio", expected == 0 ? 0 : found / expected)
      .set("present", present)
      .print();
}

/// One defect: the row, and a complaint where it is not there.
void report(const char* document, const char* defect, double expected, double found,
            double tolerance = 0) {
  const bool present = std::fabs(expected - found) > tolerance;
  printRow(document, defect, expected, found, present);
  if (!present) {
    fprintf(stderr, "%s, %s: %g as it should be: the defect is not there\n", document, defect,
            found);
    ++unexpected;
  }
}

/// What must be right: else the comparison proves nothing.
void require(const char* what, int expected, int found) {
  study::require(found == expected, std::string(what) + ": " + std::to_string(found) +
                                        ", expected " + std::to_string(expected));
}

template <int PerThread> int sumAsPrinted(const int* input, unsigned elements) {
  const unsigned blocks = elements / (threads * PerThread);
  study::DeviceArray<int> sums(blocks);
  sequentialAsPrinted<PerThread><<<blocks, threads>>>(input, sums.data());
  STUDY_CHECK(cudaGetLastError());
  int total = 0;
  for (const int sum : sums.values())
    total += sum;
  return total;
}

void droppedSteps(const int* input, unsigned elements, int expected) {
  report("Gholami", "kernel 3 ends at d > 1", expected, sumAsPrinted<1>(input, elements));
  report("Gholami", "kernel 4 ends at d > 1", expected, sumAsPrinted<2>(input, elements));
}

void unrolledRace(const int* input, const std::vector<int>& values) {
  int expected = 0;
  for (int i = 0; i < 2 * warpLanes; ++i)
    expected += values[size_t(i)];
  study::DeviceArray<int> sum(1);
  unrolledWarp<<<1, warpLanes>>>(input, sum.data(), true);
  STUDY_CHECK(cudaGetLastError());
  report("Gholami", "kernel 5 with its lanes one by one", expected, sum.values()[0]);
  // What the compiler and the machine make of it here may be right or wrong: a row, not a defect.
  unrolledWarp<<<1, warpLanes>>>(input, sum.data(), false);
  STUDY_CHECK(cudaGetLastError());
  const int found = sum.values()[0];
  printRow("Gholami", "kernel 5 as it ran here", expected, found, found != expected);
}

Lecture runLecture(const int* input, unsigned start, bool assigns, int limit) {
  study::DeviceArray<Lecture> seen(std::vector<Lecture>(1));
  lectureReduction<<<1, threads>>>(input, seen.data(), start, assigns, limit);
  STUDY_CHECK(cudaGetLastError());
  return seen.values()[0];
}

void lectureDefects(const int* input, const std::vector<int>& values) {
  int expected = 0;
  for (int i = 0; i < threads; ++i)
    expected += values[size_t(i)];
  constexpr int limit = 40; // a correct loop needs 10 rounds
  const Lecture corrected = runLecture(input, threads / 2, true, limit);
  require("the corrected lecture reduction", expected, corrected.sum);
  require("its rounds", 10, corrected.rounds);
  require("its reads out of range", 0, corrected.outOfRange);

  const Lecture printed = runLecture(input, threads, false, limit);
  report("ME964", "rounds until stride >> 1 ends the loop", corrected.rounds, printed.rounds);
  report("ME964", "stride in the last round", corrected.lastStride, printed.lastStride);
  report("ME964", "sum after those rounds", expected, printed.sum);
  const Lecture started = runLecture(input, threads, true, limit);
  report("ME964", "reads out of range when stride starts at blockDim.x", corrected.outOfRange,
         started.outOfRange);
}

// --- What the table says ----------------------------------------------------------------------

struct Line {
  double milliseconds, gigabytesPerSecond, step, cumulative; // as printed
};

constexpr Line table[] = {{39.811775, 1.065, 0, 0},
                          {34.879562, 1.330, 1.14, 1.14},
                          {33.555614, 1.410, 1.03, 1.17},
                          {31.712257, 1.650, 1.05, 1.22},
                          {29.756232, 2.100, 1.06, 1.3}};
constexpr double peakGigabytesPerSecond = 32; // as stated
constexpr double statedElements = 1e9;

void tableDefects() {
  const Line& first = table[0];
  const Line& last = table[4];
  // Half a unit of the last printed digit is rounding, not a defect.
  report("Gholami", "cumulative speedup of kernel 3", first.milliseconds / table[2].milliseconds,
         table[2].cumulative, 0.005);
  report("Gholami", "cumulative speedup of kernel 4", first.milliseconds / table[3].milliseconds,
         table[3].cumulative, 0.005);
  report("Gholami", "cumulative speedup of kernel 5", first.milliseconds / last.milliseconds,
         last.cumulative, 0.005);
  report("Gholami", "elements by time and bandwidth of kernel 1", statedElements,
         first.milliseconds * first.gigabytesPerSecond * 1e6 / 4, 0.05 * statedElements);
  report("Gholami", "elements by time and bandwidth of kernel 5", statedElements,
         last.milliseconds * last.gigabytesPerSecond * 1e6 / 4, 0.05 * statedElements);
  report("Gholami", "milliseconds for 1e9 elements at the stated peak",
         4 * statedElements / (peakGigabytesPerSecond * 1e6), last.milliseconds, 1);
  report("Gholami", "gain of kernel 5 in bandwidth, which is that in time",
         first.milliseconds / last.milliseconds, last.gigabytesPerSecond / first.gigabytesPerSecond,
         0.05);
  report("Gholami", "elements that 1343 blocks of 1024 threads reach, two each", statedElements,
         2.0 * 1343 * 1024);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const unsigned elements = unsigned(arguments.number("elements", 1 << 20));
  const bool records = arguments.records();
  arguments.done();
  if (elements % (2 * threads) != 0)
    study::stop(2, "--elements must be a multiple of 2048");
  if (records) // of speedups: this study compares sums, not times
    return 0;

  // Ones: a dropped step loses exactly half, so that the row says what was lost.
  const std::vector<int> values(elements, 1);
  study::DeviceArray<int> input(values);
  droppedSteps(input.data(), elements, int(elements));
  unrolledRace(input.data(), values);
  lectureDefects(input.data(), values);
  tableDefects();
  return unexpected == 0 ? 0 : 1;
}
