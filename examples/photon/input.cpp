// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include "../transport/program.h"

#include <cmath>
#include <fstream>
#include <sstream>

namespace photon {
namespace {

constexpr double mostPhotons = 1 << 27; // what the scores can hold
constexpr std::size_t mostLayers = 64;

/// Reads one file line by line.
class Reader {
public:
  explicit Reader(const std::string& path) : path_(path), file_(path) {
    if (!file_)
      transport::refuse(path + ": cannot be read");
  }
  std::vector<RunInput> read();

private:
  [[noreturn]] void refuse(const std::string& message) const {
    transport::refuse(path_ + ":" + std::to_string(line_) + ": " + message);
  }
  double number(std::istringstream& words, const char* what, double least, double most) const;
  void readWord(const std::string& word, std::istringstream& words);
  void readLayer(std::istringstream& words);
  void readGrid(std::istringstream& words);
  void endRun() const;
  RunInput& run() {
    if (runs_.empty())
      refuse("expected 'run NAME' before anything else");
    return runs_.back();
  }

  std::string path_;
  std::ifstream file_;
  int line_ = 0;
  std::vector<RunInput> runs_;
};

std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

double Reader::number(std::istringstream& words, const char* what, double least,
                      double most) const {
  std::string text;
  if (!(words >> text))
    refuse(std::string("expected ") + what + ", found the end of the line");
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != 0 || std::isnan(value))
    refuse(std::string("expected ") + what + ", found '" + text + "'");
  if (value < least || value > most)
    refuse(std::string(what) + " is " + text + "; expected " + plain(least) + " to " + plain(most));
  return value;
}

void Reader::readLayer(std::istringstream& words) {
  LayerInput layer{};
  layer.index = number(words, "the index of refraction", 1, 10);
  layer.absorption = number(words, "the absorption", 0, 1e6);
  layer.scattering = number(words, "the scattering", 0, 1e6);
  layer.anisotropy = number(words, "the anisotropy", -0.999, 0.999);
  layer.thickness = number(words, "the thickness", 0, INFINITY);
  if (layer.absorption + layer.scattering <= 0)
    refuse("the layer neither absorbs nor scatters: a photon would never interact");
  if (layer.thickness <= 0)
    refuse("the thickness is 0; expected more");
  if (std::isinf(layer.thickness) && layer.absorption <= 0)
    refuse("a layer without end must absorb");
  std::vector<LayerInput>& layers = run().layers;
  if (!layers.empty() && std::isinf(layers.back().thickness))
    refuse("a layer below one without end");
  if (layers.size() == mostLayers)
    refuse("more than " + std::to_string(mostLayers) + " layers");
  layers.push_back(layer);
}

void Reader::readGrid(std::istringstream& words) {
  RunInput& here = run();
  here.dz = number(words, "dz", 1e-9, 1e9);
  here.dr = number(words, "dr", 1e-9, 1e9);
  here.depths = static_cast<int>(number(words, "the bins in depth", 1, 4096));
  here.radii = static_cast<int>(number(words, "the bins in radius", 1, 4096));
}

void Reader::endRun() const {
  if (runs_.empty())
    return;
  const std::string head = path_ + ": run '" + runs_.back().name + "' has no ";
  if (runs_.back().layers.empty())
    transport::refuse(head +
                      "layer; expected 'layer INDEX ABSORPTION SCATTERING ANISOTROPY THICKNESS'");
  if (runs_.back().photons == 0)
    transport::refuse(head + "photons; expected 'photons NUMBER'");
}

void Reader::readWord(const std::string& word, std::istringstream& words) {
  if (word == "run") {
    endRun();
    RunInput next;
    if (!(words >> next.name) || next.name.find('/') != std::string::npos)
      refuse("expected a name without '/' after 'run'");
    for (const RunInput& other : runs_)
      if (other.name == next.name)
        refuse("a second run '" + next.name + "'");
    runs_.push_back(std::move(next));
  } else if (word == "photons") {
    run().photons =
        static_cast<std::uint32_t>(number(words, "the number of photons", 1, mostPhotons));
  } else if (word == "seed") {
    run().seed = static_cast<std::uint32_t>(number(words, "the seed", 0, 4294967295.0));
  } else if (word == "grid") {
    readGrid(words);
  } else if (word == "above") {
    run().above = number(words, "the index of refraction", 1, 10);
  } else if (word == "below") {
    run().below = number(words, "the index of refraction", 1, 10);
  } else if (word == "layer") {
    readLayer(words);
  } else {
    refuse("unknown word '" + word + "'; expected run, photons, seed, grid, above, layer or below");
  }
}

std::vector<RunInput> Reader::read() {
  for (std::string text; std::getline(file_, text);) {
    ++line_;
    std::istringstream words(text.substr(0, text.find('#')));
    std::string word;
    if (!(words >> word))
      continue;
    readWord(word, words);
    if (words >> word)
      refuse("'" + word + "' is one word too many");
  }
  if (runs_.empty())
    transport::refuse(path_ + ": has no run; expected 'run NAME'");
  endRun();
  return std::move(runs_);
}

} // namespace

std::vector<RunInput> readInput(const std::string& path) {
  return Reader(path).read();
}

} // namespace photon
