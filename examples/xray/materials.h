// SPDX-License-Identifier: Apache-2.0
//
// What tissues are made of, and how they attenuate X-rays.
//
// Totals are those of the elements in the tables of NIST (J. H. Hubbell and S. M. Seltzer, NISTIR
// 5632, 1995), put together by weight and read between their energies by a straight line in the
// logarithms. Their parts are approximate: Compton is XCOM's for water by the number of electrons,
// Rayleigh XCOM's for oxygen times (Z / 8)^1.4, and the photoelectric effect what is left. Edges
// above 4 keV (calcium's is at 4.04) do not matter from 5 keV on.
#pragma once

#include <string>
#include <vector>

namespace xray {

struct Phantom;

/// For each material of a phantom, at evenly spaced energies from 4 to 100 keV, by the cm.
struct CrossSections {
  struct Entry {
    float total, compton, scattered; ///< scattered: Compton and Rayleigh
  };
  int energies = 0;
  double perKeV = 0;
  std::vector<Entry> attenuation; ///< of material m: [m * energies] and on
  std::vector<float> majorant;    ///< of all materials that some voxel is made of
  std::vector<float> formWidth;   ///< of each material's form factor, squared, in 1 / Angstrom^2
};
CrossSections crossSectionsOf(const Phantom& phantom);

bool isKnownMaterial(const std::string& name);
std::vector<std::string> knownMaterials();

/// All interactions of a gram by the cm^2, at 5 to 100 keV.
double massAttenuation(const std::string& material, double keV);

} // namespace xray
