// SPDX-License-Identifier: Apache-2.0
#include "frontend/ProgramSpec.h"

#include <utility>

namespace heddle::frontend {

const CompilerFlags& ProgramSpec::flagsOf(const std::string& file) const {
  const auto found = own.find(file);
  return found == own.end() ? flags : found->second;
}

void ProgramSpec::changeFlags(const std::function<void(CompilerFlags&)>& change) {
  change(flags);
  for (auto& [file, these] : own)
    change(these);
}

void ProgramSpec::moveFile(std::size_t number, std::string to) {
  if (const auto found = own.find(files[number]); found != own.end())
    own[to] = found->second; // the other one may be wanted still: two files may be one
  files[number] = std::move(to);
}

} // namespace heddle::frontend
