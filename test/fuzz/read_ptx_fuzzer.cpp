// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer's door to the PTX front end: any text becomes a module or an error. fuzz_ptx builds and
// runs it.
#include "ptx/ReadPtx.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  llvm::LLVMContext context;
  const auto module = heddle::ptx::readPtx(text, "fuzzed.ptx", context);
  if (module && llvm::verifyModule(**module))
    std::abort(); // what the engine gets must be well formed
  return 0;
}
