// SPDX-License-Identifier: Apache-2.0
#include "ptx/Form.h"

#include <algorithm>

namespace heddle::ptx {

Form::Form(const Instruction& instruction) : instruction_(&instruction) {
  std::string_view rest = instruction.modifiers;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view word = rest.substr(0, rest.find('.'));
    rest.remove_prefix(word.size());
    if (const ScalarType type = typeNamed(word))
      types_.push_back(type);
    else
      modifiers_.push_back(word);
  }
}

bool Form::has(std::string_view modifier) const {
  return std::ranges::find(modifiers_, modifier) != modifiers_.end();
}

std::string_view Form::oneOf(std::initializer_list<std::string_view> words) const {
  const auto found = std::ranges::find_if(words, [&](std::string_view word) { return has(word); });
  return found == words.end() ? std::string_view() : *found;
}

unsigned Form::elements() const {
  const std::string_view vector = oneOf({"v2", "v4", "v8"});
  return vector.empty() ? 1 : unsigned(vector[1] - '0');
}

Space Form::space() const {
  if (has("global"))
    return Space::Global;
  if (has("shared") || has("shared::cta"))
    return Space::Shared;
  if (has("shared::cluster"))
    return Space::Cluster;
  if (has("local"))
    return Space::Local;
  if (has("const"))
    return Space::Const;
  return has("param") || has("param::entry") || has("param::func") ? Space::Param : Space::Generic;
}

std::string Form::text() const {
  return std::string(instruction_->opcode) + std::string(instruction_->modifiers);
}

} // namespace heddle::ptx
