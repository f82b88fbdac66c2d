// SPDX-License-Identifier: Apache-2.0
//
// What NVIDIA's own assembler makes of device code, where a CUDA toolkit is installed: LLVM turns
// the IR into PTX, ptxas says how many registers each kernel takes. Nothing else in Heddle needs a
// toolkit. docs/design/registers.md.
//
// Both run as programs of their own: LLVM's code generator ends the process it is in when it meets
// an instruction that the chosen GPU does not have.
#pragma once

#include "frontend/DeviceModule.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct PtxasKernel {
  int registers = 0;
  int spillStores = 0; ///< bytes of each thread, as all that follow
  int spillLoads = 0;
  int stack = 0;
  int shared = 0; ///< static, of a block

  bool operator==(const PtxasKernel&) const = default;
};

struct PtxasReport {
  std::string architecture;                   ///< "sm_90": what it was assembled for
  std::map<std::string, PtxasKernel> kernels; ///< by symbol
};

/// In PATH, below CUDA_HOME or CUDA_PATH, or in /usr/local/cuda.
std::optional<std::filesystem::path> findPtxas();

/// The device itself if ptxas knows it, else the next newer one: 10 * major + minor. Nothing for
/// devices before 3.5, whose instructions and register limits are too different to speak for.
std::optional<int> nearestArchitecture(const std::vector<int>& known, int computeCapability);

/// The architectures in what `ptxas --help` prints, ascending.
std::vector<int> knownArchitectures(std::string_view help);

/// Takes what `ptxas -v` prints apart.
std::map<std::string, PtxasKernel> parsePtxasOutput(std::string_view output);

/// The same, also under the names that a module has for them which was read from nvcc's PTX: the
/// names of kernels that are static or in a namespace without a name differ (ptx::commonName).
std::map<std::string, PtxasKernel>
withCommonNames(const std::map<std::string, PtxasKernel>& kernels);

/// Nothing where there is no toolkit, or where it cannot take this code; that is no error. Results
/// are kept by content.
std::optional<PtxasReport> askPtxas(const DeviceModule& module, int computeCapability,
                                    bool useCache);

/// Of a module that was PTX, how many machine instructions each block is (sass/MatchBlocks.h),
/// where ptxas can be asked and the device has instructions that can be read.
void countMachineInstructions(DeviceModule& module, int computeCapability, bool useCache);

} // namespace heddle::frontend
