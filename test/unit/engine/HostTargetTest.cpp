// SPDX-License-Identifier: Apache-2.0
#include "engine/HostTarget.h"

#include "support/Files.h"

#include <gtest/gtest.h>

#include <llvm/Support/TargetSelect.h>

namespace heddle::engine {
namespace {

/// What Linux says of the processor, against what LLVM may use: on a Neoverse V1 without SVE every
/// kernel with a vector loop ended in an illegal instruction.
TEST(HostTarget, UsesNoExtensionThatIsOff) {
#if defined(__aarch64__) && defined(__linux__)
  llvm::InitializeNativeTarget();
  const auto target = hostTarget();
  ASSERT_TRUE(target);
  const auto cpu = readFile("/proc/cpuinfo");
  ASSERT_TRUE(cpu);
  for (const auto& [linux, name] :
       {std::pair{" sve", "-sve"}, {" bf16", "-bf16"}, {" i8mm", "-i8mm"}, {" atomics", "-lse"}}) {
    const bool isOn = cpu->find(linux) != std::string::npos;
    const auto& features = target->getFeatures().getFeatures();
    EXPECT_NE(std::ranges::find(features, name) != features.end(), isOn) << name;
  }
#else
  GTEST_SKIP() << "LLVM asks the processor itself";
#endif
}

} // namespace
} // namespace heddle::engine
