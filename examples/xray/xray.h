// SPDX-License-Identifier: Apache-2.0
//
// What the program asks of its kernels: the forms by name, and a simulation in one of them.
#pragma once

#include "materials.h"
#include "phantom.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace xray {

/// The source, the beam and the detector around a phantom.
struct Setup {
  double energy = 90; ///< keV
  std::uint32_t xrays = 100000, seed = 1;
  bool pencil = false;          ///< a beam through the middle; else a field as large as the body
  double sourceDistance = 100;  ///< cm, from the body
  double detectorDistance = 10; ///< cm, behind it
  int pixelsX = 128, pixelsZ = 128;
};

/// Everything that a simulation scored, as whole numbers.
struct Scores {
  std::vector<unsigned long long> image, dose;
  unsigned long long xrays = 0, deltas = 0, rayleighs = 0, comptons = 0, primaries = 0, emitted = 0,
                     escaped = 0, absorbed = 0;

  bool operator==(const Scores& other) const;
};
constexpr double keVPerScore = 1.0 / (1 << 24);

/// Shares of the four states of figure E.2, in its order: new, delta, Rayleigh, Compton.
std::vector<double> stateShares(const Scores& scores);

struct Shape {
  int blocks, threads;
};
constexpr int blockSize = 256; ///< of the regrouped form, whose blocks have one size
Shape defaultShape(std::uint32_t xrays);

std::vector<std::string> formNames();

/// Runs it; `progress` is told the share that is done. Ends the program where CUDA fails.
Scores simulate(const Phantom& phantom, const CrossSections& sections, const Setup& setup,
                const std::string& form, Shape shape, const std::function<void(double)>& progress);

/// Histograms of the cosine of `count` scatterings at one energy, in equal bins from -1 to 1, and
/// for Compton the sum of the shares of energy that are left.
struct Angles {
  std::vector<unsigned> bins;
  double meanLeft;
};
Angles sampleCompton(double energy, std::uint32_t count, int bins, std::uint32_t seed);
Angles sampleRayleigh(double energy, double width, std::uint32_t count, int bins,
                      std::uint32_t seed);

} // namespace xray
