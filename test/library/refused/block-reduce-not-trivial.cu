// expected: heddle: block_reduce takes types that are trivial to copy and to construct
#include <heddle/block_reduce.cuh>

struct Named {
  Named() : id(1) {}
  int id;
};

int main() {
  return sizeof(heddle::block_reduce_storage<Named, 64>) == 0;
}
