// SPDX-License-Identifier: Apache-2.0
//
// What the program asks of its kernels: the forms by name, and a simulation in one of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace photon {

/// A layer as the input gives it; a thickness of infinity ends the tissue.
struct LayerInput {
  double index, absorption, scattering, anisotropy, thickness;
};

/// One run of an input.
struct RunInput {
  std::string name;
  std::uint32_t photons = 0, seed = 1;
  double dz = 0.001, dr = 0.01;
  int depths = 100, radii = 50;
  double above = 1, below = 1; ///< indices of refraction
  std::vector<LayerInput> layers;
};

/// Everything that a simulation scored, as whole numbers.
struct Scores {
  std::vector<unsigned long long> absorbed, reflected, transmitted;
  unsigned long long steps = 0, hits = 0, photons = 0, reflectedSquares = 0, transmittedSquares = 0,
                     rouletteLost = 0, rouletteGained = 0;

  bool operator==(const Scores& other) const;
};

/// The same as shares of all photons.
struct Totals {
  double specular, reflected, transmitted, absorbed; ///< reflected: diffusely
  double reflectedError, transmittedError;           ///< standard errors
  double hitProbability, stepsPerPhoton;
  /// Scores of all weight that came in, and what is missing of them.
  unsigned long long whole;
  long long missing;
};
Totals totalsOf(const RunInput& run, const Scores& scores);

/// How many threads share the photons.
struct Shape {
  int blocks, threads;
};
constexpr int blockSize = 256; ///< of the regrouped form, whose blocks have one size
Shape defaultShape(std::uint32_t photons);

std::vector<std::string> formNames();

/// Runs it; `progress` is told the share that is done. Ends the program where CUDA fails.
Scores simulate(const RunInput& run, const std::string& form, Shape shape,
                const std::function<void(double)>& progress);

} // namespace photon
