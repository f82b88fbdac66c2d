// SPDX-License-Identifier: Apache-2.0
//
// The one error type of the host side. A function that can fail because of the user or the machine
// returns Expected<T>; our own bugs are asserted, a rewrite that is refused is a verdict and no
// error.
//
//   return fail(ErrorKind::NotFound, "no device '{}'; known: {}", name, list);
//
// Messages: lower case, no full stop; name the thing, what was found, what was expected, what to
// do.
#pragma once

#include <fmt/format.h>
#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace heddle {

enum class ErrorKind {
  BadInput,    ///< a value the user gave is impossible or malformed
  NotFound,    ///< a name the user gave stands for nothing
  Io,          ///< a file or stream could not be read or written
  Unsupported, ///< a program uses what Heddle does not run
};

struct Error {
  ErrorKind kind;
  std::string message;
};

/// A value or an Error. Derived from tl::expected only to make every result [[nodiscard]].
template <class T> class [[nodiscard]] Expected : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

public:
  using Base::Base;
  Expected(Base base) : Base(std::move(base)) {}
};

template <class... Args>
tl::unexpected<Error> fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{kind, fmt::format(format, std::forward<Args>(args)...)});
}

/// The same error with a place in front: "devices/x.json: field 'name' is missing".
inline Error within(std::string_view place, Error error) {
  error.message = fmt::format("{}: {}", place, error.message);
  return error;
}

} // namespace heddle

#define HEDDLE_CONCAT_(a, b) a##b
#define HEDDLE_CONCAT(a, b) HEDDLE_CONCAT_(a, b)

/// `HEDDLE_TRY(auto device, findDevice(name));` declares the value, or returns the error to the
/// caller.
#define HEDDLE_TRY(declaration, expression)                                                        \
  auto HEDDLE_CONCAT(expected_, __LINE__) = (expression);                                          \
  if (!HEDDLE_CONCAT(expected_, __LINE__))                                                         \
    return tl::unexpected(std::move(HEDDLE_CONCAT(expected_, __LINE__)).error());                  \
  declaration = *std::move(HEDDLE_CONCAT(expected_, __LINE__))

/// `HEDDLE_CHECK(validate(x));` for an Expected<void>: returns its error to the caller.
#define HEDDLE_CHECK(expression)                                                                   \
  if (auto HEDDLE_CONCAT(expected_, __LINE__) = (expression); !HEDDLE_CONCAT(expected_, __LINE__)) \
  return tl::unexpected(std::move(HEDDLE_CONCAT(expected_, __LINE__)).error())
