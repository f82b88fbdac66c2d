// SPDX-License-Identifier: Apache-2.0
#include "phantom.h"

#include "../transport/program.h"
#include "materials.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

namespace xray {
namespace {

constexpr double mostVoxels = 1e9;

/// Novak's box: two materials in three densities.
Phantom sixVoxels() {
  Phantom phantom;
  phantom.count = {3, 1, 2};
  phantom.voxel = {10, 10, 15};
  phantom.materials = {{"water", 1.0}, {"water", 0.5}, {"bone", 1.0}};
  phantom.voxels = {0, 1, 2, 1, 0, 0};
  return phantom;
}

/// Materials of the body, by their numbers.
enum Tissue : unsigned char {
  Air,
  Skin,
  Fat,
  Muscle,
  Bone,
  Spongiosa,
  Marrow,
  Lung,
  Brain,
  Heart,
  Blood,
  Liver,
  Kidney,
  Intestine,
  Cartilage
};

/// An ellipsoid of a body that stands along z, 0 to 97 cm; x from left to right, y from front to
/// back, both from the middle.
struct Organ {
  Tissue tissue;
  double x, y, z, rx, ry, rz;

  bool holds(double px, double py, double pz) const {
    const double dx = (px - x) / rx, dy = (py - y) / ry, dz = (pz - z) / rz;
    return dx * dx + dy * dy + dz * dz < 1;
  }
};

// Later ones lie in earlier ones.
constexpr Organ organs[] = {
    {Skin, 0, 0, 85, 8.2, 10.2, 12.2},    {Fat, 0, 0, 85, 8.0, 10.0, 12.0},
    {Skin, 0, 0, 68, 6.2, 6.7, 10.0},     {Muscle, 0, 0, 68, 6.0, 6.5, 10.0},
    {Skin, 0, 0, 36, 19.2, 12.7, 36.0},   {Fat, 0, 0, 36, 19.0, 12.5, 35.8},
    {Muscle, 0, 0, 36, 17.2, 10.8, 34.8}, {Skin, -21.5, 0, 36, 4.0, 4.0, 30},
    {Muscle, -21.5, 0, 36, 3.8, 3.8, 29}, {Bone, -21.5, 0, 36, 1.3, 1.3, 28},
    {Marrow, -21.5, 0, 36, 0.7, 0.7, 27}, {Skin, 21.5, 0, 36, 4.0, 4.0, 30},
    {Muscle, 21.5, 0, 36, 3.8, 3.8, 29},  {Bone, 21.5, 0, 36, 1.3, 1.3, 28},
    {Marrow, 21.5, 0, 36, 0.7, 0.7, 27},  {Bone, 0, 0, 86, 7.6, 9.5, 10.5},
    {Brain, 0, 0, 86.5, 6.9, 8.8, 9.7},   {Air, 0, -4.5, 80, 2.0, 2.0, 3.0},
    {Bone, 0, -6.5, 76, 4.5, 2.5, 1.5},   {Cartilage, 0, -3, 70, 1.4, 1.4, 5},
    {Air, 0, -3, 66, 0.8, 0.8, 9},        {Lung, -8, 0, 50, 6.5, 8.5, 13},
    {Lung, 8, 0, 50, 6.5, 8.5, 13},       {Heart, 1.5, -3, 47, 5.0, 4.8, 6.0},
    {Blood, 1.5, -3, 47, 3.2, 3.0, 4.0},  {Blood, 1.0, 3.5, 40, 1.2, 1.2, 22},
    {Liver, -7, -1, 34, 8.5, 7.5, 5.5},   {Kidney, -7, 5, 27, 2.8, 2.6, 5.0},
    {Kidney, 7, 5, 27, 2.8, 2.6, 5.0},    {Intestine, 0, -3, 18, 12, 6.5, 9.5},
    {Air, 4, -4, 20, 2.0, 1.8, 2.5},      {Air, -5, -4, 15, 1.8, 1.5, 2.2},
    {Bone, -9, 3, 8, 6.5, 5.5, 6.0},      {Spongiosa, -9, 3, 8, 5.9, 4.9, 5.4},
    {Bone, 9, 3, 8, 6.5, 5.5, 6.0},       {Spongiosa, 9, 3, 8, 5.9, 4.9, 5.4},
};

/// Ribs are rings around the lungs; the spine is a column of vertebrae.
Tissue skeletonAt(double x, double y, double z, Tissue otherwise) {
  const double ring = std::hypot(x / 15.5, y / 10.0);
  const bool isRib = z > 36 && z < 62 && std::fmod(z - y * 0.35 + 40, 2.6) < 0.9;
  if (isRib && ring > 0.9 && ring < 1.0)
    return Bone;
  const double spine = std::hypot(x / 2.1, (y - 7.3) / 1.9);
  if (z > 6 && z < 76 && spine < 1) {
    if (std::fmod(z, 3.0) < 0.6)
      return Cartilage;
    return spine > 0.8 ? Bone : Spongiosa;
  }
  return otherwise;
}

Tissue tissueAt(double x, double y, double z) {
  Tissue found = Air;
  for (const Organ& organ : organs)
    if (organ.holds(x, y, z))
      found = organ.tissue;
  return found == Air && std::hypot(x, y) > 12 ? Air : skeletonAt(x, y, z, found);
}

/// As many voxels and materials as Zubal's phantom.
Phantom body() {
  Phantom phantom;
  phantom.count = {128, 64, 486};
  phantom.voxel = {0.4, 0.4, 0.2};
  phantom.materials = {{"air", 0.0012},  {"skin", 1.09},      {"adipose", 0.95},  {"muscle", 1.05},
                       {"bone", 1.92},   {"spongiosa", 1.18}, {"marrow", 1.03},   {"lung", 0.26},
                       {"brain", 1.04},  {"heart", 1.05},     {"blood", 1.06},    {"liver", 1.06},
                       {"kidney", 1.05}, {"intestine", 1.03}, {"cartilage", 1.10}};
  phantom.voxels.reserve(std::size_t{128} * 64 * 486);
  for (int z = 0; z < phantom.count[2]; ++z)
    for (int y = 0; y < phantom.count[1]; ++y)
      for (int x = 0; x < phantom.count[0]; ++x)
        phantom.voxels.push_back(tissueAt((x - 63.5) * 0.4, (y - 31.5) * 0.4, (z + 0.5) * 0.2));
  return phantom;
}

std::string listOf(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names)
    list += (list.empty() ? "" : ", ") + name;
  return list;
}

void checkMaterial(const std::string& where, const std::string& name) {
  if (!isKnownMaterial(name))
    transport::refuse(where + ": no material '" + name +
                      "'; there are: " + listOf(knownMaterials()));
}

/// "slab:water:5": wide enough that nothing leaves by its sides.
Phantom slab(const std::string& name) {
  const std::size_t colon = name.find(':', 5);
  const std::string material = name.substr(5, colon - 5);
  checkMaterial(name, material);
  const double thickness = colon == std::string::npos ? 0 : std::atof(name.c_str() + colon + 1);
  if (!(thickness > 0) || thickness > 1000)
    transport::refuse(name + ": expected slab:MATERIAL:CM, with a thickness above 0");
  Phantom phantom;
  phantom.count = {1, 1, 1};
  phantom.voxel = {1000, thickness, 1000};
  phantom.materials = {{material, 1.0}};
  phantom.voxels = {0};
  return phantom;
}

/// Reads the header of a file, then its voxels.
class Reader {
public:
  explicit Reader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_)
      transport::refuse(path +
                        ": cannot be read; expected 6voxels, body, slab:MATERIAL:CM or a file");
  }
  Phantom read();

private:
  [[noreturn]] void refuse(const std::string& message) const {
    transport::refuse(path_ + ":" + std::to_string(line_) + ": " + message);
  }
  template <class T>
  void three(std::istringstream& words, std::array<T, 3>& into, const char* what);
  void readMaterial(std::istringstream& words);
  void readData();

  std::string path_;
  std::ifstream file_;
  int line_ = 0;
  Phantom phantom_;
};

template <class T>
void Reader::three(std::istringstream& words, std::array<T, 3>& into, const char* what) {
  for (T& each : into)
    if (!(words >> each) || !(each > 0))
      refuse(std::string("expected ") + what + ", three numbers above 0");
}

void Reader::readMaterial(std::istringstream& words) {
  Phantom::Material material{};
  if (!(words >> material.name >> material.density) || !(material.density > 0) ||
      material.density > 30)
    refuse("expected 'material NAME DENSITY', with a density above 0 and up to 30 g/cm^3");
  checkMaterial(path_ + ":" + std::to_string(line_), material.name);
  if (phantom_.materials.size() == 256)
    refuse("more than 256 materials");
  phantom_.materials.push_back(material);
}

void Reader::readData() {
  const double expected = double(phantom_.count[0]) * phantom_.count[1] * phantom_.count[2];
  if (phantom_.count[0] == 0 || phantom_.voxel[0] == 0 || phantom_.materials.empty())
    refuse("'data' comes after voxels, size and materials");
  if (expected > mostVoxels)
    refuse("more than a thousand million voxels");
  phantom_.voxels.assign(std::istreambuf_iterator<char>(file_), {});
  if (static_cast<double>(phantom_.voxels.size()) != expected)
    transport::refuse(path_ + ": has " + std::to_string(phantom_.voxels.size()) +
                      " voxels; expected " + std::to_string(static_cast<long long>(expected)));
  for (const unsigned char voxel : phantom_.voxels)
    if (voxel >= phantom_.materials.size())
      transport::refuse(path_ + ": has a voxel of material " + std::to_string(voxel) +
                        "; there are " + std::to_string(phantom_.materials.size()));
}

Phantom Reader::read() {
  std::string text;
  std::getline(file_, text);
  ++line_;
  if (text != "heddle-phantom 1")
    refuse("expected 'heddle-phantom 1'");
  while (std::getline(file_, text)) {
    ++line_;
    std::istringstream words(text);
    std::string word;
    words >> word;
    if (word == "voxels")
      three(words, phantom_.count, "the voxels of each axis");
    else if (word == "size")
      three(words, phantom_.voxel, "the size of a voxel");
    else if (word == "material")
      readMaterial(words);
    else if (word == "data") {
      readData();
      return std::move(phantom_);
    } else
      refuse("unknown word '" + word + "'; expected voxels, size, material or data");
  }
  transport::refuse(path_ + ": ends before its 'data'");
}

} // namespace

Phantom phantomOf(const std::string& name) {
  if (name == "6voxels")
    return sixVoxels();
  if (name == "body")
    return body();
  if (name.rfind("slab:", 0) == 0)
    return slab(name);
  return Reader(name).read();
}

std::string phantomText(const Phantom& phantom) {
  std::ostringstream text;
  text << "heddle-phantom 1\nvoxels " << phantom.count[0] << ' ' << phantom.count[1] << ' '
       << phantom.count[2] << "\nsize " << phantom.voxel[0] << ' ' << phantom.voxel[1] << ' '
       << phantom.voxel[2] << '\n';
  for (const Phantom::Material& material : phantom.materials)
    text << "material " << material.name << ' ' << material.density << '\n';
  text << "data\n";
  text.write(reinterpret_cast<const char*>(phantom.voxels.data()),
             static_cast<std::streamsize>(phantom.voxels.size()));
  return text.str();
}

} // namespace xray
