// SPDX-License-Identifier: Apache-2.0
//
// Reads the runs of an input file:
//
//   run slab                            a run begins, with its name
//   photons 100000
//   seed 1                              may be left out
//   grid 0.001 0.01 20 50               dz and dr in cm, bins in depth and in radius; may be left
//   out above 1.0                           index of refraction; may be left out layer 1.0 10 90
//   0.75 0.02           index, absorption and scattering by the cm, anisotropy, thickness in cm
//   below 1.0                           may be left out
//
// A thickness of `inf` ends the tissue. `#` begins a comment.
#pragma once

#include "photon.h"

namespace photon {

/// All runs of a file. Ends the program with one line that names the file and the line where
/// something is wrong.
std::vector<RunInput> readInput(const std::string& path);

} // namespace photon
