// RUN: %refused fix %s --only meld --line 20 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ORDER < %t
// RUN: %refused fix %s --only meld --line 33 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ONEARM < %t
// RUN: %refused fix %s --only meld --line 36 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=THROUGHOUT < %t
// RUN: %refused fix %s --only meld --line 41 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=LOOP < %t
//
// The same statements in another order are not alike, nor is what is shorter than a branch; arms
// that are the same from end to end are for predicate.

__device__ unsigned mix(unsigned x) { return (x ^ x >> 13) * 2654435761u; }

__global__ void run(const unsigned* program, unsigned* out) {
  unsigned r = threadIdx.x;
  const unsigned k = program[r];

  // ORDER: :20: meld refused: the arms have no statements that are alike and worth a branch less [nothing-alike]
  if (k & 1) {
    r *= k;
    r ^= r >> 11;
    r += k;
    r -= r >> 3;
  } else {
    r += k;
    r -= r << 5;
    r *= k + r;
    r ^= r << 7;
  }

  // ONEARM: :33: meld refused: the branch has no else to hold against its first arm [nothing-alike]
  if (k & 2)
    r = mix(mix(mix(r)));
  // THROUGHOUT: :36: meld refused: the arms are the same up to operands [alike-throughout]
  if (k & 4)
    r = mix(mix(mix(r + 7))) ^ mix(k);
  else
    r = mix(mix(mix(r + 9))) ^ mix(k);
  // LOOP: :41: meld refused: the branch is not an if statement that is decided at run time [not-an-if]
  while (r & 7)
    r = mix(r);
  out[threadIdx.x] = r;
}
