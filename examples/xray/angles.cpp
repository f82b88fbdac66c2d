// SPDX-License-Identifier: Apache-2.0
#include "angles.h"

#include "xray.h"

#include <cmath>
#include <cstdio>
#include <functional>

namespace xray {
namespace {

constexpr int bins = 50;
constexpr std::uint32_t count = 200000;

/// Shares of the bins under a density of the cosine, by Simpson's rule; and the mean of `what`.
std::vector<double> sharesOf(const std::function<double(double)>& density,
                             const std::function<double(double)>& what, double& mean) {
  constexpr int parts = 200;
  std::vector<double> shares;
  double sum = 0, weighted = 0;
  for (int bin = 0; bin < bins; ++bin) {
    double inside = 0;
    for (int i = 0; i <= parts; ++i) {
      const double cosine = -1 + 2.0 * (bin + double(i) / parts) / bins;
      const double weight = (i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2) * density(cosine);
      inside += weight;
      weighted += weight * what(cosine);
    }
    sum += inside;
    shares.push_back(inside);
  }
  mean = weighted / sum;
  for (double& share : shares)
    share /= sum;
  return shares;
}

/// Prints chi-square; bins that expect less than ten are put together with their neighbours.
bool compare(const char* name, const std::vector<unsigned>& found,
             const std::vector<double>& shares) {
  double chiSquare = 0, expected = 0, seen = 0;
  int degrees = -1;
  for (int bin = 0; bin < bins; ++bin) {
    expected += shares[static_cast<std::size_t>(bin)] * count;
    seen += found[static_cast<std::size_t>(bin)];
    if (expected < 10 && bin + 1 < bins)
      continue;
    chiSquare += (seen - expected) * (seen - expected) / expected;
    expected = seen = 0;
    ++degrees;
  }
  const double deviations = (chiSquare - degrees) / std::sqrt(2.0 * degrees);
  std::printf("  %-8s  chi-square %.1f of %d degrees, %+.1f standard deviations\n", name, chiSquare,
              degrees, deviations);
  return std::fabs(deviations) < 4;
}

} // namespace

bool printAngles(double energy, std::uint32_t seed) {
  std::printf("angles at %g keV, %u of each kind\n", energy, count);
  const double k = energy / 510.99895;
  const auto left = [&](double cosine) { return 1 / (1 + k * (1 - cosine)); };
  double mean = 0, unused = 0;
  const std::vector<double> klein = sharesOf(
      [&](double cosine) {
        const double e = left(cosine);
        return e * e * (e + 1 / e - (1 - cosine * cosine));
      },
      left, mean);
  const Angles compton = sampleCompton(energy, count, bins, seed);
  const bool comptonHolds = compare("Compton", compton.bins, klein);
  std::printf("  mean share of energy left %.5f, by the formula %.5f\n", compton.meanLeft, mean);
  constexpr double width = 0.2172; // of oxygen
  const double a = 0.5 * std::pow(energy / 12.398, 2) / width;
  const std::vector<double> thomson = sharesOf(
      [&](double cosine) { return (1 + cosine * cosine) * std::pow(1 + a * (1 - cosine), -4); },
      [](double) { return 1; }, unused);
  const Angles rayleigh = sampleRayleigh(energy, width, count, bins, seed);
  const bool rayleighHolds = compare("Rayleigh", rayleigh.bins, thomson);
  return comptonHolds && rayleighHolds && std::fabs(compton.meanLeft / mean - 1) < 2e-3;
}

} // namespace xray
