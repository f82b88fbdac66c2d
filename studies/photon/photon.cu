// SPDX-License-Identifier: Apache-2.0
//
// Photon transport in layered tissue, the first application of Novak's appendix E, in every form of
// examples/photon. For each skin model and each form: lanes, who lost the others, time. All forms
// must score the same bits.
#include "../../bench/cuda/benchmark.cuh"
#include "../../examples/photon/input.cpp"
#include "../../examples/photon/photon.cu"

#include <heddle/account.cuh>

namespace {

using photon::RunInput;
using photon::Scores;
using photon::Simulation;

/// A skin model, the probability that the document gives it, and how many photons a thread follows:
/// about as many steps in each.
struct Model {
  const char* run;
  double published;
  std::uint32_t photonsPerThread;
};
constexpr Model models[] = {
    {"skin-thick", 0.02, 2}, {"skin-7", 0.04, 2}, {"skin-4", 0.16, 12}, {"skin-2", 0.44, 60}};

/// Forms of a quick run, and of one at a size that fills a GPU.
const char* const few[] = {"native", "flattened", "persistent", "persistent copies", "frequency",
                           "laggard", "aging",    "word AB"};

RunInput inputOf(const std::string& name) {
  const std::string here = __FILE__;
  const std::string folder = here.substr(0, here.find_last_of('/') + 1);
  for (const RunInput& run : photon::readInput(folder + "../../examples/photon/skin.txt"))
    if (run.name == name)
      return run;
  study::stop(2, "examples/photon/skin.txt has no run " + name);
}

std::vector<std::string> formsOf(bool all) {
  return all ? photon::formNames() : std::vector<std::string>(std::begin(few), std::end(few));
}

void setLanes(study::Row& row) {
  heddle::lane_account lanes;
  if (!heddle::read_account(lanes))
    return;
  const double slots = 32.0 * static_cast<double>(lanes.warp_instructions);
  const auto percent = [&](unsigned long long part) {
    return 100 * static_cast<double>(part) / slots;
  };
  row.set("lanes", percent(lanes.used))
      .set("lostToBranches", percent(lanes.lost_to_branches))
      .set("lostToFinished", percent(lanes.lost_to_finished))
      .set("worst", lanes.worst)
      .set("lostToWorst", percent(lanes.lost_to_worst))
      .set("warpInstructions", static_cast<double>(lanes.warp_instructions));
}

/// One model in all forms.
void measureModel(const Model& model, int blocks, bool all) {
  RunInput run = inputOf(model.run);
  const photon::Shape shape{blocks, photon::blockSize};
  run.photons = static_cast<std::uint32_t>(blocks * photon::blockSize) * model.photonsPerThread;
  Simulation simulation(run);
  Scores expected;
  double native = 0, flattened = 0;
  for (const std::string& form : formsOf(all)) {
    simulation.clear();
    heddle::lane_account before;
    heddle::read_account(before);
    const double time =
        study::microseconds(1, [&] { simulation.launch(form, shape, 0, run.photons); });
    study::Row row(form);
    row.set("experiment", "forms").set("model", model.run).set("published", model.published);
    setLanes(row);
    const Scores scores = simulation.scores();
    if (form == "native") {
      expected = scores;
      native = time;
    }
    flattened = form == "flattened" ? time : flattened;
    study::require(scores == expected, form + " scores other bits than native, " + model.run);
    const photon::Totals totals = photon::totalsOf(run, scores);
    study::require(totals.missing == 0, form + ": energy is lost");
    row.set("p", totals.hitProbability)
        .set("photons", static_cast<long long>(run.photons))
        .set("stepsPerPhoton", totals.stepsPerPhoton)
        .set("microseconds", time)
        .set("speedup", native / time);
    if (flattened > 0)
      row.set("overFlattened", flattened / time);
    row.print();
  }
}

/// All forms over native, at a size that fills a GPU. The best must reach the bar.
void recordModel(const Model& model, int repeats) {
  RunInput run = inputOf(model.run);
  const photon::Shape shape{8 * study::multiprocessors(), photon::blockSize};
  run.photons = std::min(
      static_cast<std::uint32_t>(shape.blocks * shape.threads) * model.photonsPerThread, 1u << 26);
  Simulation simulation(run);
  std::vector<std::string> names = photon::formNames();
  std::vector<benchmark::Run> runs;
  Scores expected;
  for (const std::string& form : names) {
    simulation.clear();
    simulation.launch(form, shape, 0, run.photons);
    const Scores scores = simulation.scores();
    if (form == "native")
      expected = scores;
    study::require(scores == expected, form + " scores other bits than native, " + model.run);
    runs.emplace_back(
        [&simulation, form, shape, &run](int) { simulation.launch(form, shape, 0, run.photons); });
  }
  const std::vector<benchmark::Timing> times = benchmark::timeInTurns(runs, repeats);
  const auto record = [&](const char* name, std::size_t i) {
    return benchmark::Record(name).set("model", model.run).set("form", names[i]);
  };
  std::size_t best = 1;
  for (std::size_t i = 1; i < names.size(); ++i) {
    record("photon", i).compare(times[i], "native", times[0]);
    best = times[i].median < times[best].median ? i : best;
  }
  record("photon, best form", best)
      .compare(times[best], "native", times[0], model.published == 0.16 ? 1.3 : 1.0);
  record("photon, what heddle fix makes", 1).compare(times[1], "native", times[0], 1.0);
}

} // namespace

int main(int count, char** values) {
  study::Arguments arguments(count, values);
  const int blocks = static_cast<int>(arguments.number("blocks", 6));
  const bool quick = arguments.number("quick", 2) == 1;
  const bool isFew = quick || arguments.number("few", 2) == 1;
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  for (const Model& model : models) {
    if (records)
      recordModel(model, repeats);
    else
      measureModel(model, blocks, !isFew);
  }
}
