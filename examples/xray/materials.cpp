// SPDX-License-Identifier: Apache-2.0
#include "materials.h"

#include "phantom.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace xray {
namespace {

constexpr int tabulated = 12;
constexpr double keV[tabulated] = {5, 6, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100};

struct Element {
  const char* name;
  int number;
  double weight; ///< of an atom
  double total[tabulated];
};

// clang-format off
constexpr Element elements[] = {
    {"H", 1, 1.008, {0.4193, 0.4042, 0.3914, 0.3854, 0.3764, 0.3695, 0.3570, 0.3458, 0.3355, 0.3260, 0.3091, 0.2944}},
    {"C", 6, 12.011, {19.12, 10.95, 4.576, 2.373, 0.8071, 0.4420, 0.2562, 0.2076, 0.1871, 0.1753, 0.1610, 0.1514}},
    {"N", 7, 14.007, {31.44, 18.09, 7.562, 3.879, 1.236, 0.6178, 0.3066, 0.2288, 0.1980, 0.1817, 0.1639, 0.1529}},
    {"O", 8, 15.999, {47.90, 27.70, 11.63, 5.952, 1.836, 0.8651, 0.3779, 0.2585, 0.2132, 0.1907, 0.1678, 0.1551}},
    {"Na", 11, 22.990, {119.4, 70.30, 30.18, 15.57, 4.694, 2.057, 0.7197, 0.3969, 0.2804, 0.2268, 0.1796, 0.1585}},
    {"P", 15, 30.974, {286.0, 172.6, 76.60, 40.35, 12.39, 5.352, 1.700, 0.8096, 0.4916, 0.3494, 0.2324, 0.1865}},
    {"S", 16, 32.06, {349.0, 211.6, 94.65, 50.12, 15.50, 6.708, 2.113, 0.9872, 0.5849, 0.4053, 0.2585, 0.2020}},
    {"Cl", 17, 35.45, {390.1, 238.4, 107.5, 57.25, 17.84, 7.739, 2.425, 1.117, 0.6483, 0.4395, 0.2696, 0.2050}},
    {"Ar", 18, 39.95, {422.5, 259.3, 118.0, 63.16, 19.83, 8.629, 2.697, 1.228, 0.7012, 0.4664, 0.2760, 0.2043}},
    {"K", 19, 39.098, {518.9, 320.5, 147.1, 79.07, 25.03, 10.93, 3.413, 1.541, 0.8679, 0.5678, 0.3251, 0.2345}},
    {"Ca", 20, 40.078, {602.6, 373.1, 172.6, 93.41, 29.79, 13.06, 4.080, 1.830, 1.019, 0.6578, 0.3656, 0.2571}},
};
constexpr int elementCount = static_cast<int>(std::size(elements));

// XCOM, water: incoherent and coherent scattering.
constexpr double waterCompton[tabulated] = {0.1123, 0.1259, 0.1440, 0.1550, 0.1699, 0.1774, 0.1829, 0.1827, 0.1803, 0.1770, 0.1697, 0.1626};
constexpr double waterRayleigh[tabulated] = {0.5579, 0.4489, 0.3102, 0.2305, 0.1340, 0.08856, 0.04694, 0.02868, 0.0193, 0.01387, 0.00813, 0.00534};

/// Shares by weight of H, C, N, O, Na, P, S, Cl, Ar, K, Ca: ICRU report 44, rare elements left out.
struct Composition {
  const char* name;
  double shares[elementCount];
};
constexpr Composition compositions[] = {
    {"water",     {0.1119, 0, 0, 0.8881, 0, 0, 0, 0, 0, 0, 0}},
    {"air",       {0, 0.0001, 0.7553, 0.2318, 0, 0, 0, 0, 0.0128, 0, 0}},
    {"skin",      {0.100, 0.204, 0.042, 0.645, 0.002, 0.001, 0.002, 0.003, 0, 0.001, 0}},
    {"adipose",   {0.114, 0.598, 0.007, 0.278, 0.001, 0, 0.001, 0.001, 0, 0, 0}},
    {"muscle",    {0.102, 0.143, 0.034, 0.710, 0.001, 0.002, 0.003, 0.001, 0, 0.004, 0}},
    {"bone",      {0.034, 0.155, 0.042, 0.435, 0.003, 0.103, 0.003, 0, 0, 0, 0.225}},
    {"spongiosa", {0.085, 0.404, 0.028, 0.367, 0.002, 0.034, 0.002, 0.002, 0, 0.001, 0.074}},
    {"marrow",    {0.105, 0.414, 0.034, 0.439, 0, 0.001, 0.002, 0.002, 0, 0.002, 0}},
    {"lung",      {0.103, 0.105, 0.031, 0.749, 0.002, 0.002, 0.003, 0.003, 0, 0.002, 0}},
    {"brain",     {0.107, 0.145, 0.022, 0.712, 0.002, 0.004, 0.002, 0.003, 0, 0.003, 0}},
    {"heart",     {0.104, 0.139, 0.029, 0.718, 0.001, 0.002, 0.002, 0.002, 0, 0.003, 0}},
    {"blood",     {0.102, 0.110, 0.033, 0.745, 0.001, 0.001, 0.002, 0.003, 0, 0.002, 0}},
    {"liver",     {0.102, 0.139, 0.030, 0.716, 0.002, 0.003, 0.003, 0.002, 0, 0.003, 0}},
    {"kidney",    {0.103, 0.132, 0.030, 0.724, 0.002, 0.002, 0.002, 0.002, 0, 0.002, 0.001}},
    {"intestine", {0.106, 0.115, 0.022, 0.751, 0.001, 0.001, 0.001, 0.002, 0, 0.001, 0}},
    {"cartilage", {0.096, 0.099, 0.022, 0.744, 0.005, 0.022, 0.009, 0.003, 0, 0, 0}},
};
// clang-format on

/// Between two energies of the tables, and beyond their ends, by a straight line in the logarithms.
double interpolate(const double (&values)[tabulated], double energy) {
  int low = 0;
  while (low < tabulated - 2 && keV[low + 1] < energy)
    ++low;
  const double share = std::log(energy / keV[low]) / std::log(keV[low + 1] / keV[low]);
  return values[low] * std::pow(values[low + 1] / values[low], share);
}

const Composition* find(const std::string& name) {
  const auto* found = std::find_if(std::begin(compositions), std::end(compositions),
                                   [&](const Composition& each) { return name == each.name; });
  return found == std::end(compositions) ? nullptr : found;
}

/// By the gram.
struct Parts {
  double total, compton, rayleigh;
};

Parts partsOf(const Composition& composition, double energy) {
  const double electronsOfWater = 0.1119 / 1.008 + 0.8881 * 8 / 15.999;
  double all = 0, electrons = 0, coherent = 0, total[tabulated] = {};
  for (int e = 0; e < elementCount; ++e) {
    const double share = composition.shares[e];
    const double number = elements[e].number;
    all += share;
    electrons += share * number / elements[e].weight;
    coherent += share * std::pow(number / 8, 1.4);
    for (int i = 0; i < tabulated; ++i)
      total[i] += share * elements[e].total[i];
  }
  Parts parts{};
  parts.total = interpolate(total, energy) / all;
  parts.compton = interpolate(waterCompton, energy) * electrons / all / electronsOfWater;
  parts.rayleigh = interpolate(waterRayleigh, energy) / 0.8881 * coherent / all;
  const double most = 0.999 * parts.total; // something is always absorbed
  const double scale = std::min(1.0, most / (parts.compton + parts.rayleigh));
  parts.compton *= scale;
  parts.rayleigh *= scale;
  return parts;
}

/// The form factor of oxygen is half at 0.3 / Angstrom; that of heavier atoms falls later.
double formWidthOf(const Composition& composition) {
  double all = 0, number = 0;
  for (int e = 0; e < elementCount; ++e) {
    all += composition.shares[e];
    number += composition.shares[e] * elements[e].number;
  }
  constexpr double ofOxygen = 0.466;
  return std::pow(ofOxygen * std::cbrt(number / all / 8), 2);
}

} // namespace

bool isKnownMaterial(const std::string& name) {
  return find(name) != nullptr;
}

std::vector<std::string> knownMaterials() {
  std::vector<std::string> names;
  for (const Composition& each : compositions)
    names.emplace_back(each.name);
  return names;
}

double massAttenuation(const std::string& material, double energy) {
  return partsOf(*find(material), energy).total;
}

CrossSections crossSectionsOf(const Phantom& phantom) {
  constexpr double least = 4, most = 100;
  CrossSections sections;
  sections.perKeV = 4;
  sections.energies = static_cast<int>((most - least) * sections.perKeV) + 1;
  sections.majorant.assign(static_cast<std::size_t>(sections.energies), 0.0f);
  std::vector<bool> used(phantom.materials.size());
  for (const unsigned char voxel : phantom.voxels)
    used[voxel] = true;
  for (std::size_t m = 0; m < phantom.materials.size(); ++m) {
    const Composition& composition = *find(phantom.materials[m].name);
    const double density = phantom.materials[m].density;
    sections.formWidth.push_back(static_cast<float>(formWidthOf(composition)));
    for (int e = 0; e < sections.energies; ++e) {
      const Parts parts = partsOf(composition, least + e / sections.perKeV);
      const auto total = static_cast<float>(parts.total * density);
      sections.attenuation.push_back(
          {total, static_cast<float>(parts.compton * density),
           static_cast<float>((parts.compton + parts.rayleigh) * density)});
      float& highest = sections.majorant[static_cast<std::size_t>(e)];
      if (used[m])
        highest = std::max(highest, total);
    }
  }
  return sections;
}

} // namespace xray
