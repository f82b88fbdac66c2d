// SPDX-License-Identifier: Apache-2.0
//
// The estimate of registers against ptxas, kernel by kernel.
//
// usage: bench_registers FOLDER-OR-FILE...      compiles every .cu file it finds
//
// Prints one line for each kernel and GPU, then one for each GPU: mean absolute error, bias, worst.
// Needs a CUDA toolkit's ptxas; without one it says so and measures nothing.
#include "analysis/LaunchBounds.h"
#include "frontend/DeviceCompiler.h"
#include "frontend/DeviceModule.h"
#include "frontend/Ptxas.h"
#include "lowering/registers/RegisterPressure.h"
#include "machine/ResidentBlocks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace heddle;
using Clock = std::chrono::steady_clock;

constexpr int capabilities[][2] = {{9, 0}, {8, 0}, {7, 5}};

struct Row {
  std::string kernel;
  int estimate = 0;
  int ptxas = 0;

  int error() const { return estimate - ptxas; }
};

struct Times {
  double total = 0, longest = 0; ///< seconds, of the estimate
  std::string longestKernel;
};

std::vector<fs::path> findSources(int count, char** words) {
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(words[i])) {
      files.emplace_back(words[i]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(words[i]))
      if (entry.path().extension() == ".cu")
        files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

int estimate(const llvm::Function& kernel, const machine::SmLimits& limits) {
  const analysis::LaunchBounds bounds = analysis::launchBoundsOf(kernel);
  const int most = machine::mostRegisters(limits, bounds.threads, bounds.blocks, bounds.registers);
  const int demand =
      lowering::registerDemand(kernel, {.computeCapability = limits.computeCapability.number(),
                                        .free = std::min(most, machine::freeRegisters(limits))});
  return std::min(demand, most);
}

void compare(const fs::path& file, const frontend::DeviceModule& module,
             const machine::SmLimits& limits, std::vector<Row>& rows, Times& times) {
  const int device = limits.computeCapability.number();
  const auto report = frontend::askPtxas(module, device, true);
  if (!report) {
    fmt::print("{}: ptxas does not take it for sm_{}\n", file.string(), device);
    return;
  }
  for (const auto& [symbol, found] : report->kernels) {
    const std::string name = fmt::format("{} {}", file.stem().string(), symbol);
    const auto start = Clock::now();
    rows.push_back({name, estimate(*module.module->getFunction(symbol), limits), found.registers});
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    times.total += seconds;
    if (seconds > times.longest) {
      times.longest = seconds;
      times.longestKernel = name;
    }
  }
}

void summarise(int device, const std::vector<Row>& rows) {
  double sum = 0, bias = 0;
  std::vector<int> errors;
  const Row* worst = &rows.front();
  for (const Row& row : rows) {
    sum += std::abs(row.error());
    bias += row.error();
    errors.push_back(std::abs(row.error()));
    if (std::abs(row.error()) > std::abs(worst->error()))
      worst = &row;
  }
  std::ranges::sort(errors);
  const auto count = double(rows.size());
  fmt::print("sm_{}: {} kernels, mean absolute error {:.2f}, bias {:+.2f}, median {}, nine of ten "
             "within {}, worst {:+d} ({}: {} for {})\n",
             device, rows.size(), sum / count, bias / count, errors[rows.size() / 2],
             errors[rows.size() * 9 / 10], worst->error(), worst->kernel, worst->estimate,
             worst->ptxas);
}

} // namespace

int main(int count, char** words) {
  if (!frontend::findPtxas()) {
    fmt::print("[SKIP] no ptxas in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda\n");
    return 0;
  }
  std::map<int, std::vector<Row>> rows;
  Times times;
  for (const fs::path& file : findSources(count, words)) {
    const auto bitcode = frontend::compileDevice(file.string(), {});
    if (!bitcode)
      continue; // meant not to compile
    const auto module = frontend::parseDeviceModule(*bitcode, file.string());
    for (const auto& [major, minor] : capabilities)
      compare(file, *module, *machine::findSmLimits({major, minor}), rows[10 * major + minor],
              times);
  }
  for (const auto& [device, list] : rows)
    for (const Row& row : list)
      fmt::print("sm_{} {:+4d} {:4d} estimated {:4d} ptxas  {}\n", device, row.error(),
                 row.estimate, row.ptxas, row.kernel);
  for (const auto& [device, list] : rows)
    if (!list.empty())
      summarise(device, list);
  fmt::print("estimates took {:.1f} ms in all, the longest {:.1f} ms ({})\n", 1e3 * times.total,
             1e3 * times.longest, times.longestKernel);
  return 0;
}
