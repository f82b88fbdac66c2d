// SPDX-License-Identifier: Apache-2.0
//
// Mean, spread and shape of a sample. Sums run in index order, so the same sample gives the same
// bytes.
#pragma once

#include <vector>

namespace heddle::model {

struct Summary {
  double mean = 0;
  double sd = 0;            ///< of the sample, n - 1 in the denominator; 0 for one value
  double standardError = 0; ///< of the mean
  double min = 0;
  double max = 0;
  double quantiles[5] = {}; ///< 5, 25, 50, 75 and 95 %
};

/// Needs at least one value.
Summary summarize(const std::vector<double>& values);

/// A probability density at equally spaced places; it integrates to 1.
struct Density {
  std::vector<double> x;
  std::vector<double> y;
};

/// Estimates the density of a sample with a Gaussian kernel of Silverman's width. Values that can
/// only differ by `resolution` are smoothed at least that much, so that the steps between them do
/// not show. Needs a value and a resolution above 0.
Density estimateDensity(const std::vector<double>& values, double resolution, int points);

} // namespace heddle::model
