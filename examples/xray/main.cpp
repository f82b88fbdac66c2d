// SPDX-License-Identifier: Apache-2.0
//
// X-ray transport in a body of voxels: runs it, prints totals, writes the image and the dose.
// Of several forms the first is printed. Status 1 where another one gives other bits.
#include "../transport/program.h"
#include "angles.h"
#include "image.h"
#include "xray.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace {

using namespace xray;

constexpr const char* usage =
    "usage: xray [--phantom NAME] [--energy KEV] [--xrays N] [--seed N] [--pencil] [--pixels N]\n"
    "            [--form NAME,...|all] [--out FOLDER]\n"
    "       xray --angles KEV            holds sampled angles against the formulas\n"
    "       xray --write-phantom FILE [--phantom NAME]";

struct Options {
  Setup setup;
  std::string phantom = "6voxels", folder, phantomFile;
  std::vector<std::string> forms = {"native"};
  double angles = 0; ///< energy; 0: not asked for
};

double number(const std::string& flag, const std::string& text, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(value >= least && value <= most)) {
    std::ostringstream message;
    message << flag << " is '" << text << "'; expected a number from " << least << " to " << most;
    transport::refuse(message.str());
  }
  return value;
}

std::vector<std::string> formsOf(const std::string& list) {
  const std::vector<std::string> forms = transport::formsOf(list, formNames());
  if (forms.empty())
    transport::refuse("--form names no form");
  return forms;
}

void readFlag(const std::string& flag, const std::string& value, Options& options) {
  if (flag == "--phantom")
    options.phantom = value;
  else if (flag == "--energy")
    options.setup.energy = number(flag, value, 5, 100);
  else if (flag == "--xrays")
    options.setup.xrays = static_cast<std::uint32_t>(number(flag, value, 1, 4e9));
  else if (flag == "--seed")
    options.setup.seed = static_cast<std::uint32_t>(number(flag, value, 0, 4294967295.0));
  else if (flag == "--pixels")
    options.setup.pixelsX = options.setup.pixelsZ = static_cast<int>(number(flag, value, 1, 8192));
  else if (flag == "--form")
    options.forms = formsOf(value);
  else if (flag == "--out")
    options.folder = value;
  else if (flag == "--angles")
    options.angles = number(flag, value, 5, 100);
  else if (flag == "--write-phantom")
    options.phantomFile = value;
  else
    transport::refuse("unknown argument '" + flag + "'; --help lists them");
}

Options readArguments(int count, char** values) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string flag = values[i];
    if (flag == "--help")
      transport::help(usage);
    if (flag == "--pencil") {
      options.setup.pencil = true;
      continue;
    }
    if (flag.rfind("--", 0) != 0)
      transport::refuse("unknown argument '" + flag + "'; --help lists them");
    if (i + 1 == count)
      transport::refuse(flag + " needs a value");
    readFlag(flag, values[++i], options);
  }
  return options;
}

Scores simulateShown(const Options& options, const Phantom& phantom, const CrossSections& sections,
                     const std::string& form) {
  const transport::Progress progress(options.phantom + ", " + form);
  return simulate(phantom, sections, options.setup, form, defaultShape(options.setup.xrays),
                  [&](double share) { progress(share); });
}

/// Table E.2 of Novak's supplement, where it has this case.
const double* published(const std::string& phantom, double energy) {
  static const double table[4][4] = {{0.1910, 0.8073, 0.0014, 0.0003},
                                     {0.18, 0.59, 0.02, 0.21},
                                     {0.00260, 0.99736, 0.00003, 0.00001},
                                     {0.04, 0.85, 0.01, 0.10}};
  const int body = phantom == "body" ? 1 : phantom == "6voxels" ? 0 : -1;
  const int high = energy == 90 ? 1 : energy == 5 ? 0 : -1;
  return body < 0 || high < 0 ? nullptr : table[2 * body + high];
}

void print(const Options& options, const Scores& scores) {
  const auto all = static_cast<double>(scores.emitted);
  unsigned long long seen = 0;
  for (const unsigned long long pixel : scores.image)
    seen += pixel;
  std::printf("%s, %g keV: %llu X-rays\n", options.phantom.c_str(), options.setup.energy,
              scores.xrays);
  std::printf("  absorbed     %.6f of the energy\n", static_cast<double>(scores.absorbed) / all);
  std::printf("  escaped      %.6f, %.6f of all to the detector\n",
              static_cast<double>(scores.escaped) / all, static_cast<double>(seen) / all);
  std::printf("  unscattered  %.6f of the X-rays\n",
              static_cast<double>(scores.primaries) / static_cast<double>(scores.xrays));
  std::printf("  balance      %lld missing of %llu\n",
              static_cast<long long>(scores.emitted - scores.absorbed - scores.escaped),
              scores.emitted);
  const char* const names[] = {"new", "delta", "Rayleigh", "Compton"};
  const std::vector<double> shares = stateShares(scores);
  const double* beside = published(options.phantom, options.setup.energy);
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (beside != nullptr)
      std::printf("  %-11s  %.5f of all states, table E.2: %g\n", names[i], shares[i], beside[i]);
    else
      std::printf("  %-11s  %.5f of all states\n", names[i], shares[i]);
}

/// Whether the other forms score what the first one scored.
bool compareForms(const Options& options, const Phantom& phantom, const CrossSections& sections,
                  const Scores& expected) {
  std::size_t differ = 0;
  for (std::size_t i = 1; i < options.forms.size(); ++i)
    if (!(simulateShown(options, phantom, sections, options.forms[i]) == expected)) {
      ++differ;
      std::printf("  %s gives other scores than %s\n", options.forms[i].c_str(),
                  options.forms[0].c_str());
    }
  if (options.forms.size() > 1 && differ == 0)
    std::printf("  equal bits   in %zu forms\n", options.forms.size());
  return differ == 0;
}

/// Energies in keV, as doubles in the machine's own order of bytes.
std::string rawOf(const std::vector<unsigned long long>& scores) {
  std::string bytes;
  for (const unsigned long long score : scores) {
    const double value = static_cast<double>(score) * keVPerScore;
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

} // namespace

int main(int count, char** values) {
  transport::programName() = "xray";
  const Options options = readArguments(count, values);
  if (options.angles > 0)
    return printAngles(options.angles, options.setup.seed) ? 0 : 1;
  const Phantom phantom = phantomOf(options.phantom);
  if (!options.phantomFile.empty()) {
    transport::writeWhole(options.phantomFile, phantomText(phantom));
    return 0;
  }
  const CrossSections sections = crossSectionsOf(phantom);
  const Scores scores = simulateShown(options, phantom, sections, options.forms[0]);
  print(options, scores);
  const bool equal = compareForms(options, phantom, sections, scores);
  if (!options.folder.empty()) {
    const std::string png = pngOf(scores.image, options.setup.pixelsX);
    transport::writeWhole(options.folder + "/image.png", png);
    transport::writeWhole(options.folder + "/image.raw", rawOf(scores.image));
    transport::writeWhole(options.folder + "/dose.raw", rawOf(scores.dose));
  }
  return equal ? 0 : 1;
}
