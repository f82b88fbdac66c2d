// SPDX-License-Identifier: Apache-2.0
//
// The kernels of test/unit/sass/machine.ptx, as ptxas of CUDA 13.0 assembled them for sm_90. What
// they write and how often they execute what follows from their source and from 48, 32 and 96
// instructions of machine code.
#include "sassrun/Program.h"
#include "sassrun/Block.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace heddle::sassrun {
namespace {

std::optional<std::uint64_t> noVariables(const std::string&) {
  return {};
}

std::string cubin() {
  auto text = readFile(HEDDLE_SOURCE_FOLDER "/test/unit/sass/machine.sm_90.cubin");
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

std::unique_ptr<Program> load(const std::string& content) {
  auto loaded = Program::load(content, 90, noVariables);
  return loaded ? *std::move(loaded) : nullptr;
}

/// A block of a kernel on its own memory.
template <class T> class Launch {
public:
  Launch(const Program& program, const std::string& name, int threads, std::vector<T>& memory,
         const std::vector<std::size_t>& arguments)
      : memory_(memory), counts_(program.code().size()) {
    launch_.block = {threads, 1, 1};
    for (const std::size_t place : arguments) {
      const std::uint64_t address = at(place);
      const auto* bytes = reinterpret_cast<const std::byte*>(&address);
      launch_.arguments.insert(launch_.arguments.end(), bytes, bytes + sizeof address);
    }
    first_ = program.indexOf(*program.at(program.kernel(name)->entry));
    block_ = std::make_unique<Block>(program, *program.kernel(name), launch_, private_, counts_);
  }

  Expected<void> run() { return block_->run(0, 100'000); }
  T read(std::size_t place) {
    T value = {};
    EXPECT_TRUE(block_->global().read(at(place), &value, sizeof value));
    return value;
  }
  const InstructionCounts& counts(std::size_t instruction) const {
    return counts_[first_ + instruction];
  }

private:
  std::uint64_t at(std::size_t place) const {
    return reinterpret_cast<std::uint64_t>(memory_.data() + place);
  }

  std::vector<T>& memory_;
  std::vector<InstructionCounts> counts_;
  LaunchShape launch_;
  MemoryView view_ = [this](std::uint64_t address) {
    const LiveRange all{at(0), at(memory_.size())};
    return address >= all.begin && address < all.end ? all : LiveRange{};
  };
  PrivateMemory private_{view_};
  std::size_t first_ = 0;
  std::unique_ptr<Block> block_;
};

TEST(SassrunProgram, HasTheKernels) {
  const auto program = load(cubin());
  ASSERT_TRUE(program);
  std::map<std::string, std::uint32_t> parameters;
  for (const auto& [name, kernel] : program->kernels()) {
    EXPECT_EQ(kernel.unrunnable.value_or(""), "") << name;
    EXPECT_EQ(kernel.parameterOffset, 0x210U) << name;
    parameters[name] = kernel.parameterBytes;
  }
  EXPECT_EQ(parameters,
            (std::map<std::string, std::uint32_t>{{"branch", 16}, {"loop", 16}, {"quotient", 24}}));
  EXPECT_EQ(program->code().size(), 48U + 32 + 96);
}

/// Of 32 lanes 20 are below zero and take the long side; 4 of those scale the argument of ex2.
TEST(SassrunProgram, RunsABranch) {
  const auto program = load(cubin());
  ASSERT_TRUE(program);
  constexpr std::size_t in = 256;
  std::vector<float> memory(in + 5 * 32);
  for (std::size_t t = 0; t < 32; ++t) {
    memory[in + t] = t < 20 ? -1.0F : float(t);
    memory[in + 32 + t] = 1.5F;
    memory[in + 64 + t] = 0.5F;
    memory[in + 96 + t] = t < 4 ? -127.0F : 3.0F;
    memory[in + 128 + t] = 8.0F;
  }
  const std::vector<float> before = memory;
  Launch<float> launch(*program, "branch", 32, memory, {0, in});
  ASSERT_TRUE(launch.run());
  for (std::size_t t = 0; t < 32; ++t) {
    const bool isLong = t < 20;
    EXPECT_NEAR(launch.read(t), isLong ? 3 * std::sin(1.5) : double(t), 1e-5) << t;
    EXPECT_NEAR(launch.read(32 + t), isLong ? std::sin(1.5) : 0, 1e-5) << t;
    EXPECT_NEAR(launch.read(64 + t), isLong ? std::cos(0.5) : 0, 1e-5) << t;
    EXPECT_EQ(launch.read(96 + t), t < 4 ? 0x1p-127F : isLong ? 8.0F : 0.0F) << t;
    EXPECT_EQ(launch.read(128 + t), isLong ? 3.0F : 0.0F) << t;
  }
  EXPECT_EQ(memory, before);
  for (std::size_t i = 0; i < 48; ++i) {
    const bool isSide = i >= 11 && i <= 31, isRun = i <= 34;
    SCOPED_TRACE(i);
    EXPECT_EQ(launch.counts(i).executions, i == 32 ? 2U : isRun ? 1U : 0U);
    EXPECT_EQ(launch.counts(i).lanes, isSide ? 20U : isRun ? 32U : 0U);
  }
  EXPECT_EQ(launch.counts(10).on, 12U); // the jump
  EXPECT_EQ(launch.counts(21).on, 4U);  // those below -126
  EXPECT_EQ(launch.counts(23).on, 4U);
  EXPECT_EQ(launch.counts(27).on, 0U); // no argument of lg2 is subnormal
}

/// What a lane adds up is never less than what it began with: one round.
TEST(SassrunProgram, RunsALoopWithAtomics) {
  const auto program = load(cubin());
  ASSERT_TRUE(program);
  std::vector<std::uint32_t> memory(128);
  for (std::uint32_t t = 0; t < 40; ++t)
    memory[64 + t] = 3 * t + 1;
  Launch<std::uint32_t> launch(*program, "loop", 40, memory, {0, 64});
  ASSERT_TRUE(launch.run());
  for (std::uint32_t t = 0; t < 40; ++t) {
    EXPECT_EQ(launch.read(t), 3 * t + 1) << t;
    EXPECT_EQ(launch.read(64 + t), 0U) << t;
    EXPECT_EQ(memory[64 + t], 3 * t + 1) << t;
  }
  for (std::size_t i = 0; i <= 17; ++i) {
    EXPECT_EQ(launch.counts(i).executions, 2U) << i;
    EXPECT_EQ(launch.counts(i).lanes, 40U) << i;
  }
  EXPECT_EQ(launch.counts(14).on, 0U);
}

/// ptxas's own routine is called, and executed: 13 instructions of the kernel and 68 of it.
TEST(SassrunProgram, RunsADivisionOf64Bits) {
  const auto program = load(cubin());
  ASSERT_TRUE(program);
  const std::pair<std::uint64_t, std::uint64_t> divisions[] = {
      {0xfedcba9876543210, 0x12345}, {7, 9}, {~std::uint64_t{0}, 1}, {1ULL << 63, 3}, {5, 0}};
  for (const auto& [a, b] : divisions) {
    std::vector<std::uint64_t> memory = {0, a, b};
    Launch<std::uint64_t> launch(*program, "quotient", 1, memory, {0, 1, 2});
    ASSERT_TRUE(launch.run());
    EXPECT_EQ(launch.read(0), b == 0 ? ~std::uint64_t{0} : a / b) << a << " / " << b;
    for (std::size_t i = 0; i < 96; ++i)
      EXPECT_EQ(launch.counts(i).executions, i <= 80 ? 1U : 0U) << i;
  }
}

TEST(SassrunProgram, MemoryThatIsNotLiveIsAFailure) {
  const auto program = load(cubin());
  ASSERT_TRUE(program);
  std::vector<std::uint32_t> memory(16);
  Launch<std::uint32_t> launch(*program, "loop", 32, memory, {0, 8});
  const auto ran = launch.run();
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message, "reads memory that is not live");
}

TEST(SassrunProgram, OtherArchitecturesAreRefused) {
  const auto loaded = Program::load(cubin(), 80, noVariables);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "machine code of sm_80 cannot be run, only that of sm_90");
  EXPECT_FALSE(Program::load("no file of ptxas", 90, noVariables));
}

/// Program headers, which are for drivers, stand at the end.
TEST(SassrunProgram, CutFilesAreRefused) {
  const std::string whole = cubin();
  std::uint64_t headers = 0;
  ASSERT_GT(whole.size(), 64U);
  std::memcpy(&headers, whole.data() + 0x20, sizeof headers);
  ASSERT_GT(headers, 11'000U);
  for (std::size_t size = 0; size < headers; size += 61)
    EXPECT_FALSE(Program::load(whole.substr(0, size), 90, noVariables)) << size;
  EXPECT_FALSE(Program::load(whole.substr(0, headers - 1), 90, noVariables));
}

/// A kernel of a damaged file is refused, or runs to some end; it uses no memory but its own.
TEST(SassrunProgram, DamagedFilesDoNoHarm) {
  const std::string whole = cubin();
  std::size_t runnable = 0, refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += 67) {
    std::string damaged = whole;
    damaged[at] = char(~damaged[at]);
    const auto program = load(damaged);
    if (!program) {
      ++refused;
      continue;
    }
    for (const auto& [name, kernel] : program->kernels()) {
      if (kernel.unrunnable || program->at(kernel.entry) == nullptr) {
        ++refused;
        continue;
      }
      std::vector<std::uint64_t> memory(128, 3);
      const std::vector<std::uint64_t> before = memory;
      (void)Launch<std::uint64_t>(*program, name, 32, memory, {0, 32, 64}).run();
      EXPECT_EQ(memory, before) << at << " " << name;
      ++runnable;
    }
  }
  EXPECT_GT(runnable, 0U);
  EXPECT_GT(refused, 0U);
}

/// An operation that is not known is named, with the place where it is.
TEST(SassrunProgram, UnknownOperationMakesAKernelUnrunnable) {
  std::string damaged = cubin();
  constexpr std::size_t loopCode = 0x1980;
  const std::uint64_t matrix[] = {0x00000014080c723c, 0x004fee000000080c}; // HMMA.16816.F16
  std::memcpy(damaged.data() + loopCode + 3 * instructionBytes, matrix, sizeof matrix);
  const auto program = load(damaged);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kernel("loop")->unrunnable.value_or(""),
            "operation 0x23c (0x00000014080c723c 0x004fee000000080c) at 0x30 of .text.loop");
  EXPECT_FALSE(program->kernel("branch")->unrunnable);
}

} // namespace
} // namespace heddle::sassrun
