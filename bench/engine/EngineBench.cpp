// SPDX-License-Identifier: Apache-2.0
//
// The engine against the same kernel bodies compiled by clang -O3 as plain scalar loops over
// threads.
//
// usage: bench_engine KERNELS [NAME...]      KERNELS: the folder bench/engine/kernels
//
// Prints one JSON document; scripts/bench makes the table and holds it against the bars. Results of
// both must agree: to the bit for integers, to the last digits for floats.
#include "engine/DeviceProgram.h"
#include "engine/Launch.h"
#include "frontend/DeviceCompiler.h"
#include "support/SplitMix64.h"
#include "support/Subprocess.h"

#include <nlohmann/json.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>

using namespace heddle;

namespace {

struct Extent {
  int x, y;
};
using Reference = void (*)(void** arguments, Extent grid, Extent block);
using Bytes = std::vector<std::byte>;

/// A kernel's launch: its buffers, the first one being the result, and its scalars after them.
struct Case {
  Extent grid, block;
  std::vector<Bytes> buffers;
  std::vector<Bytes> scalars;
  bool isFloat = false;
};

template <class T> Bytes scalar(T value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T> Bytes buffer(std::size_t count, const std::function<T(std::size_t)>& make) {
  Bytes bytes(count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    const T value = make(i);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

std::vector<float> randomFloats(std::size_t count, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<float> values(count);
  for (float& value : values)
    value = float(random.next() >> 40) * 0x1p-24f;
  return values;
}

Bytes floats(std::size_t count, std::uint64_t seed) {
  const std::vector<float> values = randomFloats(count, seed);
  return buffer<float>(count, [&](std::size_t i) { return values[i]; });
}

Bytes zeros(std::size_t count) {
  return Bytes(count * 4);
}

/// Rows whose length falls off like a power law, edges anywhere.
Case graphCase() {
  constexpr int nodes = 1 << 18;
  SplitMix64 random(11);
  std::vector<int> first = {0};
  for (int i = 0; i < nodes; ++i) {
    const double u = double(random.next() >> 11) * 0x1p-53;
    first.push_back(first.back() + std::min(200, int(2 / std::sqrt(u + 1e-4))));
  }
  const auto edges = std::size_t(first.back());
  const auto make = [&](int most) {
    return buffer<int>(edges, [&](std::size_t) { return int(random.next() % unsigned(most)); });
  };
  return {{nodes / 256, 1},
          {256, 1},
          {zeros(nodes), buffer<int>(nodes, [&](std::size_t i) { return int(i * 7919 % 100003); }),
           buffer<int>(first.size(), [&](std::size_t i) { return first[i]; }), make(nodes),
           make(100)},
          {scalar(nodes)}};
}

std::map<std::string, std::function<Case()>> cases() {
  return {
      {"lcg", [] { return Case{{1024, 1}, {128, 1}, {zeros(1 << 17)}, {scalar(100)}}; }},
      {"verification",
       [] {
         return Case{{128, 1},
                     {128, 1},
                     {zeros(1 << 14)},
                     {scalar(100), scalar(100), scalar(unsigned(0.25 * (1 << 24)))},
                     true};
       }},
      {"mandelbrot",
       [] {
         return Case{{32, 64}, {32, 8}, {zeros(1 << 19)}, {scalar(1024), scalar(512), scalar(256)}};
       }},
      {"nbody",
       [] {
         constexpr int n = 8192;
         return Case{{n / 256, 1},
                     {256, 1},
                     {zeros(3 * n), floats(n, 1), floats(n, 2), floats(n, 3), floats(n, 4)},
                     {scalar(n)},
                     true};
       }},
      {"saxpy",
       [] {
         constexpr int n = 1 << 23;
         return Case{
             {n / 256, 1}, {256, 1}, {floats(n, 1), floats(n, 2)}, {scalar(1.5f), scalar(n)}, true};
       }},
      {"reduction",
       [] {
         constexpr int n = 1 << 23;
         return Case{{n / 256, 1},
                     {256, 1},
                     {zeros(n / 256), buffer<int>(n, [](std::size_t i) { return int(i % 1000); })},
                     {}};
       }},
      {"transpose",
       [] {
         constexpr int n = 2048;
         return Case{{n / 32, n / 32}, {32, 8}, {zeros(n * n), floats(n * n, 5)}, {scalar(n)}};
       }},
      {"matmul",
       [] {
         constexpr int n = 512;
         return Case{{n / 16, n / 16},
                     {16, 16},
                     {zeros(n * n), floats(n * n, 6), floats(n * n, 7)},
                     {scalar(n)},
                     true};
       }},
      {"histogram",
       [] {
         constexpr int n = 1 << 22;
         SplitMix64 random(8);
         return Case{{n / 256 / 16, 1},
                     {256, 1},
                     {zeros(256),
                      buffer<unsigned>(n, [&](std::size_t) { return unsigned(random.next()); })},
                     {scalar(16)}};
       }},
      {"graph", graphCase},
  };
}

double secondsOf(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

[[noreturn]] void die(const std::string& message) {
  std::fprintf(stderr, "bench_engine: %s\n", message.c_str());
  std::exit(2);
}

template <class T> T need(Expected<T> value) {
  if (!value)
    die(value.error().message);
  return std::move(*value);
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
double runEngine(const engine::CompiledKernel& kernel, Case& data, int workers, bool account,
                 profile::KernelProfile* profile) {
  engine::LaunchRequest request;
  request.grid = {data.grid.x, data.grid.y, 1};
  request.block = {data.block.x, data.block.y, 1};
  request.arguments.resize(kernel.argumentSize());
  engine::DeviceMemory memory;
  std::size_t argument = 0;
  for (Bytes& bytes : data.buffers) {
    memory.add(bytes.data(), bytes.size(), "buffer");
    const std::byte* pointer = bytes.data();
    std::memcpy(request.arguments.data() + kernel.argumentOffsets()[argument++], &pointer,
                sizeof pointer);
  }
  for (const Bytes& bytes : data.scalars)
    std::memcpy(request.arguments.data() + kernel.argumentOffsets()[argument++], bytes.data(),
                bytes.size());
  engine::LaunchSettings settings;
  settings.workers = workers;
  settings.account = account;
  engine::LaunchOutcome outcome;
  const double seconds =
      secondsOf([&] { outcome = need(engine::launch(kernel, request, memory, settings)); });
  if (outcome.fault)
    die(outcome.fault->message);
  if (profile != nullptr)
    *profile = outcome.profile;
  return seconds;
}

double runReference(Reference reference, Case& data) {
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
  double engineTime = 1e9, bareTime = 1e9, allCores = 1e9, referenceTime = 1e9;
  for (int i = 0; i < repeats; ++i) {
    Case a = original, b = original, c = original, d = original;
    engineTime = std::min(engineTime, runEngine(kernel, a, 1, true, &profile));
    bareTime = std::min(bareTime, runEngine(bare, b, 1, false, nullptr));
    allCores = std::min(allCores, runEngine(kernel, c, cores, true, nullptr));
    referenceTime = std::min(referenceTime, runReference(reference, d));
    if (!agree(a.buffers[0], d.buffers[0], original.isFloat) ||
        !agree(c.buffers[0], d.buffers[0], original.isFloat))
      die(name + ": the engine and the scalar loop disagree");
  }
  return {{"name", name},
          {"threadInstructions", profile.threadInstructions},
          {"efficiency", profile.efficiency()},
          {"engine", engineTime},
          {"withoutAccount", bareTime},
          {"allCores", allCores},
          {"cores", cores},
          {"reference", referenceTime}};
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
