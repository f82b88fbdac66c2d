// SPDX-License-Identifier: Apache-2.0
//
// A photon in layered tissue, from the physics: a packet of weight 1 walks in straight lines. Where
// a line meets the edge of a layer, Fresnel's equations say how likely it is reflected, and Snell's
// law where it goes if not. Where it ends inside, a share of the weight is absorbed and the rest is
// scattered by an angle of Henyey and Greenstein. Packets that are nearly gone play roulette.
//
//   drawStep  ->  crossBoundary   hits the edge of its layer
//             ->  interact        absorbed and scattered
//
// No sum here has a plain product as a term: where both are rounded at once it says fmaf. A
// compiler has nothing to fuse then, and every form of the program computes the same bits.
#pragma once

#include "../transport/direction.cuh"
#include "../transport/fixed_point.cuh"
#include "../transport/random.cuh"

#include <cmath>

namespace photon {

using transport::Score;

constexpr int weightBits = 36; ///< of a score: 2^27 photons are the most
constexpr float rouletteBelow = 1e-4f, rouletteChance = 0.1f;
constexpr int counterSlots = 256;
constexpr std::uint32_t gridCopies = 64; ///< of absorbed, in the form that has copies

/// One layer, with what a step needs of it. Layers 0 and count + 1 are what is above and below.
struct Layer {
  float index;              ///< of refraction
  float top, bottom;        ///< cm
  float meanFreePath;       ///< cm
  float absorbed;           ///< share of the weight at each interaction
  float oneMinusG, twoG;    ///< of the angle: 1 - g, 2 g
  float oneMinusG2, plusG2; ///< 1 - g^2, 1 + g^2
  float overTwoG;           ///< 1 / (2 g), 0 where g is 0
};

/// What is counted besides the grids; slots, so that photons seldom meet at an address.
struct Counters {
  Score steps, hits;
  Score reflectedSquares, transmittedSquares; ///< of weights, for the standard errors
  Score rouletteLost, rouletteGained;
  Score photons, unused;
};

/// What a launch works on, and where it scores.
struct Job {
  const Layer* layers;
  int layerCount;
  std::uint32_t seed;
  std::uint32_t firstPhoton, photons;
  float launchWeight; ///< what specular reflection leaves
  float perDr, perDz; ///< bins of the grid by the cm
  int radii, depths;
  Score* absorbed;    ///< depths x radii; the last bins hold all that is beyond
  Score* reflected;   ///< radii
  Score* transmitted; ///< radii
  Counters* counters; ///< counterSlots
  std::uint32_t* queue;
  Score* copies; ///< gridCopies x depths x radii
};

struct Photon {
  float x, y, z;
  transport::Direction way;
  float weight; ///< 0 when it is done
  std::uint32_t id, step, hits;
  int layer;
};

/// How a step ends, and the random number that decides what comes of it.
struct Step {
  bool hits;
  float chance;
};

__device__ inline Photon launchPhoton(const Job& job, std::uint32_t id) {
  Photon photon{};
  photon.way.z = 1.0f;
  photon.weight = job.launchWeight;
  photon.id = job.firstPhoton + id;
  photon.layer = 1;
  return photon;
}

__device__ inline Score weightScore(float weight) {
  return transport::fixed<weightBits>(weight);
}

__device__ inline Counters& countersOf(const Job& job, const Photon& photon) {
  return job.counters[photon.id % counterSlots];
}

__device__ inline int radiusBin(const Job& job, const Photon& photon) {
  const float radius = sqrtf(fmaf(photon.x, photon.x, photon.y * photon.y)) * job.perDr;
  return static_cast<int>(fminf(radius, static_cast<float>(job.radii - 1)));
}

/// Moves the photon to the end of its next line: an interaction, or the edge of its layer.
__device__ inline Step drawStep(const Job& job, Photon& photon) {
  const transport::Words words = transport::philox(job.seed, photon.id, 2 * photon.step);
  ++photon.step;
  const Layer& layer = job.layers[photon.layer];
  const float edge = photon.way.z < 0.0f ? layer.top : layer.bottom;
  const float toEdge =
      (edge - photon.z) / photon.way.z; // a horizontal one has infinity here, or NaN
  const float drawn = -logf(transport::unit(words.first)) * layer.meanFreePath;
  const bool hits = toEdge <= drawn;
  const float length = hits ? toEdge : drawn;
  photon.x = fmaf(photon.way.x, length, photon.x);
  photon.y = fmaf(photon.way.y, length, photon.y);
  photon.z = hits ? edge : fmaf(photon.way.z, length, photon.z);
  return {hits, transport::unit(words.second)};
}

/// Reflected and transmitted weight; the photon is done.
__device__ inline void leaveTissue(const Job& job, Photon& photon) {
  const bool isAbove = photon.layer == 0;
  Counters& counters = countersOf(job, photon);
  atomicAdd((isAbove ? job.reflected : job.transmitted) + radiusBin(job, photon),
            weightScore(photon.weight));
  atomicAdd(isAbove ? &counters.reflectedSquares : &counters.transmittedSquares,
            weightScore(photon.weight * photon.weight));
  photon.weight = 0.0f;
}

__device__ inline void crossBoundary(const Job& job, Photon& photon, float chance) {
  ++photon.hits;
  const int beyond = photon.layer + (photon.way.z < 0.0f ? -1 : 1);
  const float from = job.layers[photon.layer].index, to = job.layers[beyond].index;
  const float ratio = from / to, cosIn = fabsf(photon.way.z);
  const float cosOut2 = fmaf(-(ratio * ratio), fmaf(-cosIn, cosIn, 1.0f), 1.0f);
  const float cosOut = sqrtf(fmaxf(cosOut2, 0.0f));
  const float across = fmaf(from, cosIn, -(to * cosOut)) / fmaf(from, cosIn, to * cosOut);
  const float along = fmaf(from, cosOut, -(to * cosIn)) / fmaf(from, cosOut, to * cosIn);
  const float reflected = cosOut2 > 0.0f ? 0.5f * fmaf(across, across, along * along) : 1.0f;
  if (chance < reflected) {
    photon.way.z = -photon.way.z;
    return;
  }
  photon.way.x *= ratio;
  photon.way.y *= ratio;
  photon.way.z = copysignf(cosOut, photon.way.z);
  photon.layer = beyond;
  if (beyond == 0 || beyond > job.layerCount)
    leaveTissue(job, photon);
}

/// Turns the photon by the angle of Henyey and Greenstein, and by any angle around its line.
__device__ inline void scatter(const Layer& layer, const transport::Words& words, Photon& photon) {
  const float u = transport::unit(words.first);
  const float root = layer.oneMinusG2 / fmaf(layer.twoG, u, layer.oneMinusG);
  const float anisotropic = fmaf(-root, root, layer.plusG2) * layer.overTwoG;
  const float cosine =
      layer.overTwoG == 0.0f ? fmaf(2.0f, u, -1.0f) : fminf(fmaxf(anisotropic, -1.0f), 1.0f);
  photon.way = transport::turned(photon.way, cosine, transport::unit(words.second));
}

__device__ inline void interact(const Job& job, Photon& photon, float chance) {
  const Layer& layer = job.layers[photon.layer];
  const transport::Words words = transport::philox(job.seed, photon.id, 2 * photon.step - 1);
  const float left = fmaf(-layer.absorbed, photon.weight, photon.weight);
  const float depth = fminf(fmaxf(photon.z * job.perDz, 0.0f), static_cast<float>(job.depths - 1));
  atomicAdd(job.absorbed + static_cast<int>(depth) * job.radii + radiusBin(job, photon),
            weightScore(photon.weight) - weightScore(left));
  photon.weight = left;
  scatter(layer, words, photon);
  if (left < rouletteBelow) {
    const float won = chance < rouletteChance ? left * (1.0f / rouletteChance) : 0.0f;
    Counters& counters = countersOf(job, photon);
    atomicAdd(won > 0.0f ? &counters.rouletteGained : &counters.rouletteLost,
              won > 0.0f ? weightScore(won) - weightScore(left) : weightScore(left));
    photon.weight = won;
  }
}

/// What is counted once for each photon.
__device__ inline void finishPhoton(const Job& job, const Photon& photon) {
  Counters& counters = countersOf(job, photon);
  atomicAdd(&counters.steps, static_cast<Score>(photon.step));
  atomicAdd(&counters.hits, static_cast<Score>(photon.hits));
  atomicAdd(&counters.photons, Score{1});
}

} // namespace photon
