// SPDX-License-Identifier: Apache-2.0
//
// Photon transport in layered tissue: reads an input, runs it, prints totals and writes the grids.
// Of several forms the first is printed. Status 1 where another one gives other bits.
#include "../transport/program.h"
#include "input.h"

#include <algorithm>
#include <sstream>

namespace {

using namespace photon;

constexpr const char* usage = "usage: photon [--form NAME,...|all] [--out FOLDER] INPUT";

struct Options {
  std::vector<std::string> forms = {"native"};
  std::string folder, input;
};

std::vector<std::string> formsOf(const std::string& list) {
  const std::vector<std::string> forms = transport::formsOf(list, formNames());
  if (forms.empty())
    transport::refuse(std::string("no form is named; ") + usage);
  return forms;
}

Options readArguments(int count, char** values) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = values[i];
    if (word == "--help")
      transport::help(usage);
    const bool isFlag = word == "--form" || word == "--out";
    if (isFlag && i + 1 == count)
      transport::refuse(word + " needs a value");
    if (word == "--form")
      options.forms = formsOf(values[++i]);
    else if (word == "--out")
      options.folder = values[++i];
    else if (word.rfind("--", 0) == 0 || !options.input.empty())
      transport::refuse("unknown argument '" + word + "'; " + usage);
    else
      options.input = word;
  }
  if (options.input.empty())
    transport::refuse(std::string("no input; ") + usage);
  return options;
}

/// The grids as text: a line for each radius, then one for each depth.
std::string gridText(const RunInput& run, const Scores& scores) {
  std::ostringstream text;
  const double all = static_cast<double>(run.photons) * static_cast<double>(1ull << 36);
  text << "# run " << run.name << ", " << run.photons << " photons; weights as shares of all\n"
       << "# reflected and transmitted by radius, bins of " << run.dr
       << " cm; the last holds all beyond\n";
  for (std::size_t i = 0; i < scores.reflected.size(); ++i)
    text << static_cast<double>(scores.reflected[i]) / all << ' '
         << static_cast<double>(scores.transmitted[i]) / all << '\n';
  text << "# absorbed: a line a depth, bins of " << run.dz << " cm; a number a radius\n";
  for (std::size_t i = 0; i < scores.absorbed.size(); ++i)
    text << static_cast<double>(scores.absorbed[i]) / all
         << (i % static_cast<std::size_t>(run.radii) + 1 == static_cast<std::size_t>(run.radii)
                 ? '\n'
                 : ' ');
  return text.str();
}

void print(const RunInput& run, const Scores& scores) {
  const Totals totals = totalsOf(run, scores);
  std::printf("run %s: %u photons, %.1f steps each\n", run.name.c_str(), run.photons,
              totals.stepsPerPhoton);
  std::printf("  reflected     %.5f +- %.5f diffusely, %.5f specularly\n", totals.reflected,
              totals.reflectedError, totals.specular);
  std::printf("  transmitted   %.5f +- %.5f\n", totals.transmitted, totals.transmittedError);
  std::printf("  absorbed      %.5f\n", totals.absorbed);
  std::printf("  balance       %lld missing of %llu\n", totals.missing, totals.whole);
  std::printf("  boundary hit  %.4f of all steps\n", totals.hitProbability);
}

Scores simulateShown(const RunInput& run, const std::string& form) {
  const transport::Progress progress(run.name + ", " + form);
  return simulate(run, form, defaultShape(run.photons), [&](double share) { progress(share); });
}

/// Whether the other forms score what the first one scored.
bool compareForms(const RunInput& run, const std::vector<std::string>& forms,
                  const Scores& expected) {
  std::size_t differ = 0;
  for (std::size_t i = 1; i < forms.size(); ++i)
    if (!(simulateShown(run, forms[i]) == expected)) {
      ++differ;
      std::printf("  %s gives other scores than %s\n", forms[i].c_str(), forms[0].c_str());
    }
  if (forms.size() > 1 && differ == 0)
    std::printf("  equal bits    in %zu forms\n", forms.size());
  return differ == 0;
}

} // namespace

int main(int count, char** values) {
  transport::programName() = "photon";
  const Options options = readArguments(count, values);
  const std::vector<RunInput> runs = readInput(options.input);
  bool equal = true;
  for (const RunInput& run : runs) {
    const Scores scores = simulateShown(run, options.forms[0]);
    print(run, scores);
    equal = compareForms(run, options.forms, scores) && equal;
    if (!options.folder.empty())
      transport::writeWhole(options.folder + "/" + run.name + ".txt", gridText(run, scores));
  }
  return equal ? 0 : 1;
}
