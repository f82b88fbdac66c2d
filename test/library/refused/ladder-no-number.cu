// expected: heddle: the ladder adds numbers
#include <heddle/ladder.cuh>

struct Pair {
  int x, y;
};

int main() {
  Pair* sums[2] = {};
  Pair* where = nullptr;
  return heddle::ladder::add<1, 64>(sums[0], 1u, sums, &where);
}
