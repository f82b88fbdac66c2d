// SPDX-License-Identifier: Apache-2.0
//
// X-ray transport in a body of voxels, the second application of Novak's appendix E, in every form
// of examples/xray. For each phantom, energy and form: shares of the four states beside table E.2,
// lanes, who lost the others, time. All forms must score the same bits.
#include "../../bench/cuda/benchmark.cuh"
#include "../../examples/xray/materials.cpp"
#include "../../examples/xray/phantom.cpp"
#include "../../examples/xray/xray.cu"

#include <heddle/account.cuh>

namespace {

using xray::Scores;
using xray::Simulation;

/// A column of table E.2, and how many X-rays a thread follows here.
struct Case {
  const char* phantom;
  double energy;
  std::uint32_t xraysPerThread;
  double published[xray::states];
};
constexpr Case cases[] = {{"6voxels", 5, 40, {0.1910, 0.8073, 0.0014, 0.0003}},
                          {"6voxels", 90, 40, {0.18, 0.59, 0.02, 0.21}},
                          {"body", 5, 2, {0.00260, 0.99736, 0.00003, 0.00001}},
                          {"body", 90, 20, {0.04, 0.85, 0.01, 0.10}}};
constexpr const char* stateNames[xray::states] = {"New", "Delta", "Rayleigh", "Compton"};

/// Forms of a quick run, and of one at a size that fills a GPU.
const char* const few[] = {"native",     "flattened", "persistent",       "aging",
                           "cost-aging", "word NDCR", "persistent apart", "rounds of 5"};

std::string nameOf(const Case& column) {
  return std::string(column.phantom) + " " + std::to_string(static_cast<int>(column.energy)) +
         "keV";
}

std::vector<std::string> formsOf(bool all) {
  return all ? xray::formNames() : std::vector<std::string>(std::begin(few), std::end(few));
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

void printStates(const Case& column, const Scores& scores) {
  const std::vector<double> shares = xray::stateShares(scores);
  for (std::size_t i = 0; i < shares.size(); ++i)
    study::Row(stateNames[i])
        .set("experiment", "states")
        .set("case", nameOf(column))
        .set("share", shares[i])
        .set("published", column.published[i])
        .set("distance", std::fabs(shares[i] - column.published[i]))
        .print();
}

void requireSame(const Scores& scores, const Scores& expected, const std::string& form,
                 const Case& column) {
  study::require(scores == expected, form + " scores other bits than native, " + nameOf(column));
  study::require(scores.emitted == scores.escaped + scores.absorbed, form + ": energy is lost");
}

/// One case in all forms.
void measureCase(const Case& column, int blocks, bool all) {
  const xray::Phantom phantom = xray::phantomOf(column.phantom);
  xray::Setup setup;
  setup.energy = column.energy;
  const xray::Shape shape{blocks, xray::blockSize};
  const std::uint32_t count =
      static_cast<std::uint32_t>(blocks * xray::blockSize) * column.xraysPerThread;
  Simulation simulation(phantom, xray::crossSectionsOf(phantom), setup);
  Scores expected;
  double native = 0, flattened = 0;
  for (const std::string& form : formsOf(all)) {
    simulation.clear();
    heddle::lane_account before;
    heddle::read_account(before);
    const double time = study::microseconds(1, [&] { simulation.launch(form, shape, 0, count); });
    study::Row row(form);
    row.set("experiment", "forms")
        .set("case", nameOf(column))
        .set("phantom", column.phantom)
        .set("energy", column.energy);
    setLanes(row);
    const Scores scores = simulation.scores();
    if (form == "native") {
      expected = scores;
      native = time;
      printStates(column, scores);
    }
    flattened = form == "flattened" ? time : flattened;
    requireSame(scores, expected, form, column);
    row.set("xrays", static_cast<long long>(count))
        .set("microseconds", time)
        .set("speedup", native / time);
    if (flattened > 0)
      row.set("overFlattened", flattened / time);
    row.print();
  }
}

/// All forms over native, at a size that fills a GPU. The best must reach the bar.
void recordCase(const Case& column, int repeats) {
  const xray::Phantom phantom = xray::phantomOf(column.phantom);
  xray::Setup setup;
  setup.energy = column.energy;
  const xray::Shape shape{8 * study::multiprocessors(), xray::blockSize};
  const std::uint32_t count =
      static_cast<std::uint32_t>(shape.blocks * shape.threads) * column.xraysPerThread;
  Simulation simulation(phantom, xray::crossSectionsOf(phantom), setup);
  const std::vector<std::string> names = xray::formNames();
  std::vector<benchmark::Run> runs;
  Scores expected;
  for (const std::string& form : names) {
    simulation.clear();
    simulation.launch(form, shape, 0, count);
    const Scores scores = simulation.scores();
    if (form == "native")
      expected = scores;
    requireSame(scores, expected, form, column);
    runs.emplace_back(
        [&simulation, form, shape, count](int) { simulation.launch(form, shape, 0, count); });
  }
  const std::vector<benchmark::Timing> times = benchmark::timeInTurns(runs, repeats);
  const auto record = [&](const char* name, std::size_t i) {
    return benchmark::Record(name).set("case", nameOf(column)).set("form", names[i]);
  };
  std::size_t best = 1;
  for (std::size_t i = 1; i < names.size(); ++i) {
    record("xray", i).compare(times[i], "native", times[0]);
    best = times[i].median < times[best].median ? i : best;
  }
  record("xray, best form", best)
      .compare(times[best], "native", times[0], column.energy > 50 ? 2.0 : 1.0);
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
  for (const Case& column : cases) {
    if (records)
      recordCase(column, repeats);
    else if (!quick || column.phantom == std::string("6voxels"))
      measureCase(column, blocks, !isFew);
  }
}
