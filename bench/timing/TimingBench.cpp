// SPDX-License-Identifier: Apache-2.0
//
// Speed of the timing model, on one core and on traces of real kernels. Bar: at least 5 million
// warp-instructions are replayed a second.
//
// usage: bench_timing KERNELS [--benchmark_...]      KERNELS: the folder bench/engine/kernels
#include "../engine/KernelCases.h"
#include "engine/DeviceProgram.h"
#include "frontend/DeviceCompiler.h"
#include "machine/DeviceCatalog.h"
#include "timing/SmReplay.h"
#include "timing/TimeLaunch.h"

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>

namespace heddle::bench {
namespace {

/// A launch that has run, and the code its trace speaks of.
struct Traced {
  std::unique_ptr<engine::DeviceProgram> program;
  engine::LaunchOutcome outcome;
};

Traced traced(const std::string& folder, const std::string& name, Case data) {
  const std::string bitcode = need(frontend::compileDevice(folder + "/" + name + ".cu", {}));
  Traced result;
  result.program =
      need(engine::DeviceProgram::load(need(frontend::parseDeviceModule(bitcode, name)), true));
  const engine::CompiledKernel& kernel = *need(result.program->kernel("kernel"));
  engine::DeviceMemory memory;
  const engine::LaunchRequest request = requestOf(kernel, data, memory);
  result.outcome = need(engine::launch(kernel, request, memory, {}));
  if (result.outcome.fault)
    die(name + ": " + result.outcome.fault->message);
  return result;
}

/// 2^17 warps: 4 million elements, one a thread.
Case manyWarps() {
  constexpr int elements = 1 << 22, threads = 128;
  Case data = cases().at("lcg")();
  data.grid = {elements / threads, 1};
  data.buffers[0].resize(std::size_t{4} * elements);
  return data;
}

/// One multiprocessor with its eight blocks, four times over.
void replaySpeed(benchmark::State& state, const profile::KernelTrace& trace,
                 const machine::Device& device) {
  const timing::DeviceCosts costs(device);
  const timing::ReplaySettings settings{
      .resident = 8, .blocks = 32, .bytesPerCycle = costs.dramBytes / device.multiprocessors};
  double instructions = 0, steps = 0, cycles = 0;
  for (auto iteration : state) {
    (void)iteration;
    const timing::ReplayResult result = timing::replay(trace, costs, settings);
    instructions += result.instructions;
    steps += double(result.steps);
    cycles = result.cycles;
  }
  state.counters["instructions"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["cycles"] = cycles;
}

void wholeEstimate(benchmark::State& state, const Traced& launch, const machine::Device& device) {
  double cycles = 0;
  for (auto iteration : state) {
    (void)iteration;
    timing::LaunchTimer timer(device); // one that has seen the launch may take its time again
    profile::KernelProfile profile = launch.outcome.profile;
    const int threads = profile.block[0] * profile.block[1] * profile.block[2];
    const machine::Residency residency = machine::residencyOf(
        device, {.threads = threads, .registers = 16}, machine::RegisterCount::Fixed);
    timer.time(launch.outcome.trace, {16, 0, profile::RegisterSource::Kind::Given}, residency,
               profile);
    cycles = profile.timing->cycles;
  }
  state.counters["cycles"] = cycles;
}

void measure(const std::string& folder) {
  std::map<std::string, Traced> launches;
  for (const std::string name : {"graph", "lcg", "matmul", "reduction"})
    launches.emplace(name, traced(folder, name, cases().at(name)()));
  const Traced many = traced(folder, "lcg", manyWarps());
  for (const std::string on : {"8800gtx", "h200"}) {
    const machine::Device device = need(machine::resolveDevice(on));
    for (const auto& [name, launch] : launches)
      benchmark::RegisterBenchmark(("replay/" + name + "/" + on).c_str(), [&trace =
                                                                               launch.outcome.trace,
                                                                           device](auto& state) {
        replaySpeed(state, trace, device);
      })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("estimate/131072-warps/" + on).c_str(), [&many,
                                                                           device](auto& state) {
      wholeEstimate(state, many, device);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}

} // namespace
} // namespace heddle::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2)
    heddle::bench::die("bench_timing: which folder holds the kernels?");
  heddle::bench::measure(argv[1]);
}
