// SPDX-License-Identifier: Apache-2.0
//
// Bodies of voxels: two that are made here, and others from a file:
//
//   heddle-phantom 1
//   voxels 128 64 486               x, y and z; the beam goes along y
//   size 0.4 0.4 0.2                of a voxel, in cm
//   material air 0.0012             number 0, and its density in g/cm^3; then number 1 ...
//   material water 1.0
//   data                            then a byte a voxel, its material's number, x fastest
#pragma once

#include <array>
#include <string>
#include <vector>

namespace xray {

struct Phantom {
  struct Material {
    std::string name;
    double density; ///< g/cm^3
  };
  std::array<int, 3> count{};
  std::array<double, 3> voxel{}; ///< cm
  std::vector<Material> materials;
  std::vector<unsigned char> voxels;
};

/// `6voxels` is the box of 30 x 10 x 30 cm; `body` an upright body of 128 x 64 x 486 voxels and 15
/// materials; `slab:MATERIAL:CM` a slab; all else a file. Ends the program with one line where it
/// cannot be had.
Phantom phantomOf(const std::string& name);

/// As a file of the kind above.
std::string phantomText(const Phantom& phantom);

} // namespace xray
