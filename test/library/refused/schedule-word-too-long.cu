// expected: a fixed word has at most 64 letters of 2 ways, 32 of 3 or 4, 21 of 5 to 8
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<
      heddle::fixed<0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1>, 5>(
      [] { return heddle::done; }, [] {}, [] {}, [] {}, [] {}, [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
