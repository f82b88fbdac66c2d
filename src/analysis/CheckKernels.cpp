// SPDX-License-Identifier: Apache-2.0
#include "analysis/CheckKernels.h"

#include "analysis/DivergentBarriers.h"
#include "analysis/DivergentBranches.h"
#include "analysis/ReductionIdioms.h"
#include "analysis/SourceForm.h"
#include "frontend/DeviceModule.h"

#include <algorithm>
#include <tuple>

namespace heddle::analysis {
namespace {

void checkKernel(llvm::Function& kernel, bool data, Findings& to) {
  const ThreadDependence threads(kernel);
  llvm::DenseSet<const llvm::Instruction*> explained;
  const std::size_t before = to.size();
  findReductions(threads, kernel, explained, to);
  findDivergentBranches(threads, explained, data, to);
  findDivergentBarriers(threads, to);
  for (std::size_t i = before; i < to.size(); ++i)
    to[i].kernel = frontend::plainFunctionName(kernel.getName().str());
}

/// A function that several kernels call, or an instance of a template, is the same source.
void keepEachOnce(Findings& findings) {
  const auto key = [](const profile::Finding& finding) {
    return std::tie(finding.where, finding.id, finding.severity, finding.kernel);
  };
  const auto place = [](const profile::Finding& finding) {
    return std::tie(finding.where, finding.id);
  };
  std::ranges::sort(findings, {}, key);
  const auto rest = std::ranges::unique(findings, {}, place);
  findings.erase(rest.begin(), rest.end());
}

} // namespace

std::vector<std::string> findingIds() {
  return {"heddle-conflicting-reduction", "heddle-data-dependent-branch",
          "heddle-divergent-barrier",     "heddle-divergent-branch",
          "heddle-divergent-reduction",   "heddle-reduction-tail"};
}

Findings checkKernels(llvm::Module& module, bool data) {
  bringToSourceForm(module);
  Findings findings;
  for (const std::string& name : frontend::kernelNames(module))
    if (llvm::Function* kernel = module.getFunction(name); !kernel->isDeclaration())
      checkKernel(*kernel, data, findings);
  keepEachOnce(findings);
  return findings;
}

} // namespace heddle::analysis
