// RUN: %refused fix %s --only meld --line 22 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=HIDES < %t
// RUN: %refused fix %s --only meld --line 33 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=REFERENCE < %t
// RUN: %refused fix %s --only meld --line 43 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=MACRO < %t
// RUN: %refused fix %s --only meld --line 52 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=FUSED < %t
//
// Names that would mean another variable, variables that cannot be declared in front, half a macro,
// and a product that is added in another part.

#define BOTH(a, b) a = x; b = x

__device__ unsigned mix(unsigned x) { return (x ^ x >> 13) * 2654435761u; }
__device__ float bend(float x) { return sqrtf(fabsf(x) + 1.0f); }

__global__ void name(unsigned* out) {
  unsigned x = threadIdx.x, t = out[x];

  // HIDES: :22: meld refused: line 27 means another t than the other arm [unhoistable-declaration]
  if (x & 1) {
    unsigned t = x * 5;
    t ^= t >> 3;
    x = mix(mix(mix(t)));
  } else {
    x = x + t;
    unsigned u = x * 3;
    x = mix(mix(mix(u)));
  }

  // REFERENCE: :33: meld refused: line 34 declares r, a reference, which cannot be set later [unhoistable-declaration]
  if (x & 2) {
    unsigned& r = out[x & 31];
    x = mix(mix(mix(x)));
    r = x;
  } else {
    x = mix(mix(mix(x)));
    out[3] = x;
  }

  // MACRO: :43: meld refused: line 45 begins or ends in a macro [macro-in-the-way]
  if (x & 4) {
    x = mix(mix(mix(x)));
    BOTH(out[5], out[7]);
  } else {
    x = mix(mix(mix(x)));
    out[6] = x - 1;
  }
  float a = float(x), b = a + 1, y = 0;
  // FUSED: :52: meld refused: p may be a product that is added in another part than it is computed in, which a compiler fuses or not; the parts meet in line 56 [fuses-otherwise]
  if (x & 8) {
    float p = a * b;
    if (x & 16)
      out[7] = x;
    y = bend(bend(p + 2.0f) * 3.0f) / bend(a);
  } else {
    float p = a;
    y = bend(bend(p + 2.0f) * 3.0f) / bend(a);
  }
  out[threadIdx.x] = t + __float_as_uint(y);
}
