// SPDX-License-Identifier: Apache-2.0
//
// The engine against the same kernel bodies compiled by clang -O3 as plain scalar loops over
// threads.
//
// usage: bench_engine KERNELS [NAME...]      KERNELS: the folder bench/engine/kernels
//
// Prints one JSON document; scripts/bench makes the table and holds it against the bars. Results of
// both must agree: to the bit for integers, to the last digits for floats.
#include "KernelCases.h"
#include "engine/DeviceProgram.h"
#include "frontend/DeviceCompiler.h"
#include "support/Subprocess.h"

#include <nlohmann/json.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

using namespace heddle;
using namespace heddle::bench;

namespace {

using Reference = void (*)(void** arguments, Extent grid, Extent block);

/// By the wall, and of this thread alone: other people's work does not count as ours.
struct Seconds {
  double wall = 1e9, own = 1e9;

  void keepLess(const Seconds& other) {
    wall = std::min(wall, other.wall);
    own = std::min(own, other.own);
  }
};

double readClock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

Seconds secondsOf(const std::function<void()>& work) {
  const double wall = readClock(CLOCK_MONOTONIC), own = readClock(CLOCK_THREAD_CPUTIME_ID);
  work();
  return {readClock(CLOCK_MONOTONIC) - wall, readClock(CLOCK_THREAD_CPUTIME_ID) - own};
}

std::unique_ptr<engine::DeviceProgram> load(const std::string& bitcode, bool account) {
  return need(
      engine::DeviceProgram::load(need(frontend::parseDeviceModule(bitcode, "kernel")), account));
}

/// The scalar loop as a shared library, made by clang -O3.
Reference loadReference(const std::string& source) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string name = std::filesystem::path(source).stem().string(); // dlopen goes by name
  const std::string library = (folder / fmt::format("heddle-{}-{}.so", name, getpid())).string();
  Subprocess clang = need(
      Subprocess::start({"clang++-19", "-x", "c++", "-std=c++17", "-O3", "-ffp-contract=off", "-w",
                         "-fPIC", "-shared", "-DHEDDLE_REFERENCE", source, "-o", library}));
  if (clang.wait().exitCode != 0)
    die(source + " does not compile as a scalar loop");
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  std::filesystem::remove(library);
  if (handle == nullptr)
    die(dlerror());
  return reinterpret_cast<Reference>(dlsym(handle, "reference"));
}

bool agree(const Bytes& a, const Bytes& b, bool isFloat) {
  if (!isFloat)
    return a == b;
  for (std::size_t i = 0; i < a.size(); i += sizeof(float)) {
    float x, y;
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (std::abs(x - y) > 1e-4f * std::max(1.0f, std::abs(y)))
      return false;
  }
  return true;
}

/// Runs one case on the engine with the given number of threads; the result replaces the buffers.
Seconds runEngine(const engine::CompiledKernel& kernel, Case& data, int workers, bool account,
                  profile::KernelProfile* profile) {
  engine::DeviceMemory memory;
  const engine::LaunchRequest request = requestOf(kernel, data, memory);
  engine::LaunchSettings settings;
  settings.workers = workers;
  settings.account = account;
  engine::LaunchOutcome outcome;
  const Seconds seconds =
      secondsOf([&] { outcome = need(engine::launch(kernel, request, memory, settings)); });
  if (outcome.fault)
    die(outcome.fault->message);
  if (profile != nullptr)
    *profile = outcome.profile;
  return seconds;
}

Seconds runReference(Reference reference, Case& data) {
  std::vector<void*> pointers;
  std::vector<std::byte*> addresses;
  addresses.reserve(data.buffers.size());
  for (Bytes& bytes : data.buffers) {
    addresses.push_back(bytes.data());
    pointers.push_back(&addresses.back());
  }
  for (Bytes& bytes : data.scalars)
    pointers.push_back(bytes.data());
  return secondsOf([&] { reference(pointers.data(), data.grid, data.block); });
}

nlohmann::ordered_json measure(const std::string& folder, const std::string& name,
                               const Case& original) {
  constexpr int repeats = 5;
  const std::string source = folder + "/" + name + ".cu";
  frontend::CompileOptions options;
  options.flags.device = {"-ffp-contract=off"}; // as the scalar loop
  const std::string bitcode = need(frontend::compileDevice(source, options));
  const auto counted = load(bitcode, true);
  const auto plain = load(bitcode, false);
  const engine::CompiledKernel& kernel = *need(counted->kernel("kernel"));
  const engine::CompiledKernel& bare = *need(plain->kernel("kernel"));
  const Reference reference = loadReference(source);
  profile::KernelProfile profile;
  const int cores = int(std::thread::hardware_concurrency());
  Seconds engineTime, bareTime, allCores, referenceTime;
  for (int i = 0; i < repeats; ++i) {
    Case a = original, b = original, c = original, d = original;
    engineTime.keepLess(runEngine(kernel, a, 1, true, &profile));
    bareTime.keepLess(runEngine(bare, b, 1, false, nullptr));
    allCores.keepLess(runEngine(kernel, c, cores, true, nullptr));
    referenceTime.keepLess(runReference(reference, d));
    if (!agree(a.buffers[0], d.buffers[0], original.isFloat) ||
        !agree(c.buffers[0], d.buffers[0], original.isFloat))
      die(name + ": the engine and the scalar loop disagree");
  }
  return {{"name", name},
          {"threadInstructions", profile.threadInstructions},
          {"efficiency", profile.efficiency()},
          {"engine", engineTime.own},
          {"withoutAccount", bareTime.own},
          {"speedup", engineTime.wall / allCores.wall},
          {"cores", cores},
          {"reference", referenceTime.own}};
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2)
    die("which folder holds the kernels?");
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const auto& [name, make] : cases()) {
    const bool wanted = argc == 2 || std::find(argv + 2, argv + argc, name) != argv + argc;
    if (wanted)
      results.push_back(measure(argv[1], name, make()));
  }
  std::printf("%s\n", results.dump(2).c_str());
}
