// SPDX-License-Identifier: Apache-2.0
#include "profile/RegisterUse.h"

namespace heddle::profile {
namespace {

constexpr std::string_view names[] = {"estimate", "ptxas", "given"}; ///< by kind

} // namespace

RegisterSource RegisterSource::ptxasFor(std::string architecture) {
  RegisterSource source(Kind::Ptxas);
  source.architecture_ = std::move(architecture);
  return source;
}

std::string RegisterSource::text() const {
  std::string text(names[std::size_t(kind_)]);
  return architecture_.empty() ? text : text + " " + architecture_;
}

std::optional<RegisterSource> RegisterSource::fromText(std::string_view text) {
  for (const Kind kind : {Kind::Estimate, Kind::Ptxas, Kind::Given})
    if (text == names[std::size_t(kind)])
      return kind;
  constexpr std::string_view another = "ptxas ";
  if (!text.starts_with(another))
    return {};
  return ptxasFor(std::string(text.substr(another.size())));
}

} // namespace heddle::profile
