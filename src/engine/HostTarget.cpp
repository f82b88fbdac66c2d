// SPDX-License-Identifier: Apache-2.0
#include "engine/HostTarget.h"

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace heddle::engine {
namespace {

#if defined(__aarch64__) && defined(__linux__)
struct Extension {
  unsigned long vector; ///< AT_HWCAP or AT_HWCAP2
  unsigned long bit;
  const char* name; ///< LLVM's
};

/// Those that LLVM makes instructions of where nobody asks for them by name. What needs one of them
/// goes with it.
constexpr Extension extensions[] = {
    {AT_HWCAP, HWCAP_ATOMICS, "lse"},      {AT_HWCAP, HWCAP_ASIMDRDM, "rdm"},
    {AT_HWCAP, HWCAP_FPHP, "fullfp16"},    {AT_HWCAP, HWCAP_ASIMDFHM, "fp16fml"},
    {AT_HWCAP, HWCAP_ASIMDDP, "dotprod"},  {AT_HWCAP, HWCAP_FCMA, "complxnum"},
    {AT_HWCAP, HWCAP_JSCVT, "jsconv"},     {AT_HWCAP, HWCAP_LRCPC, "rcpc"},
    {AT_HWCAP, HWCAP_ILRCPC, "rcpc-immo"}, {AT_HWCAP, HWCAP_SHA3, "sha3"},
    {AT_HWCAP, HWCAP_FLAGM, "flagm"},      {AT_HWCAP, HWCAP_SVE, "sve"},
    {AT_HWCAP2, HWCAP2_SVE2, "sve2"},      {AT_HWCAP2, HWCAP2_FRINT, "fptoint"},
    {AT_HWCAP2, HWCAP2_I8MM, "i8mm"},      {AT_HWCAP2, HWCAP2_BF16, "bf16"},
    {AT_HWCAP2, HWCAP2_RNG, "rand"},
};

void leaveOutWhatIsOff(llvm::orc::JITTargetMachineBuilder& target) {
  for (const Extension& each : extensions)
    if ((getauxval(each.vector) & each.bit) == 0)
      target.getFeatures().AddFeature(each.name, false);
}
#else
void leaveOutWhatIsOff(llvm::orc::JITTargetMachineBuilder&) {} // LLVM asks the processor itself
#endif

} // namespace

Expected<llvm::orc::JITTargetMachineBuilder> hostTarget() {
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return fail(ErrorKind::Unsupported, "LLVM does not know this processor: {}",
                llvm::toString(target.takeError()));
  leaveOutWhatIsOff(*target);
  return std::move(*target);
}

} // namespace heddle::engine
