// SPDX-License-Identifier: Apache-2.0
#include "driver/ProfileArguments.h"

#include "support/Files.h"
#include "support/Parse.h"
#include "support/SplitMix64.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

namespace heddle::driver {
namespace {

constexpr std::int64_t mostElements = std::int64_t{1} << 32;

/// A type by name: its size, how a number becomes its bytes, and how one that was typed does.
struct ElementType {
  std::string_view name;
  std::size_t size;
  void (*store)(double value, std::byte* to);
  Expected<void> (*parse)(std::string_view text, std::byte* to);
};

template <class T> void storeAs(double value, std::byte* to) {
  const T converted = static_cast<T>(value);
  std::memcpy(to, &converted, sizeof converted);
}

/// A whole number exactly, also one that a double cannot hold; "1e6" is one, too.
template <class T> Expected<void> parseAs(std::string_view text, std::byte* to) {
  T value{};
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    HEDDLE_TRY(const double number, parseNumber(text));
    if constexpr (std::is_integral_v<T>) {
      if (number != std::floor(number))
        return fail(ErrorKind::BadInput, "'{}' is not a whole number", text);
      // The largest value may not be a double; the power of two behind it is.
      if (number < double(std::numeric_limits<T>::min()) ||
          number >= std::ldexp(1.0, std::numeric_limits<T>::digits))
        return fail(ErrorKind::BadInput, "{} is out of range: expected {} to {}", text,
                    +std::numeric_limits<T>::min(), +std::numeric_limits<T>::max());
    } else if (std::abs(number) > double(std::numeric_limits<T>::max()))
      return fail(ErrorKind::BadInput, "'{}' is out of the range of numbers", text);
    value = static_cast<T>(number);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value))
      return fail(ErrorKind::BadInput, "'{}' is not a finite number", text);
  std::memcpy(to, &value, sizeof value);
  return {};
}

template <class T> constexpr ElementType typeOf(std::string_view name) {
  return {name, sizeof(T), storeAs<T>, parseAs<T>};
}

constexpr ElementType elementTypes[] = {
    typeOf<std::int8_t>("i8"),    typeOf<std::int16_t>("i16"),  typeOf<std::int32_t>("i32"),
    typeOf<std::int64_t>("i64"),  typeOf<std::uint8_t>("u8"),   typeOf<std::uint16_t>("u16"),
    typeOf<std::uint32_t>("u32"), typeOf<std::uint64_t>("u64"), typeOf<float>("f32"),
    typeOf<double>("f64"),
};

Expected<ElementType> findType(std::string_view name) {
  std::string known;
  for (const ElementType& type : elementTypes) {
    if (type.name == name)
      return type;
    known += (known.empty() ? "" : " ") + std::string(type.name);
  }
  return fail(ErrorKind::BadInput, "'{}' is no type; there are {}", name, known);
}

std::vector<std::byte> fill(const ElementType& type, std::size_t count,
                            const std::function<double(std::size_t)>& value) {
  std::vector<std::byte> bytes(count * type.size);
  for (std::size_t i = 0; i < count; ++i)
    type.store(value(i), bytes.data() + i * type.size);
  return bytes;
}

Expected<std::vector<std::byte>> randomContent(const ElementType& type, std::size_t count,
                                               const std::vector<std::string_view>& parts) {
  if (parts.size() != 4)
    return fail(ErrorKind::BadInput, "random needs a seed and a range, like random:7:0:100");
  HEDDLE_TRY(const std::int64_t seed, parseInteger(parts[1]));
  HEDDLE_TRY(const double low, parseNumber(parts[2]));
  HEDDLE_TRY(const double high, parseNumber(parts[3]));
  SplitMix64 random(mix64(std::uint64_t(seed)));
  return fill(type, count, [&](std::size_t) {
    return low + (high - low) * (double(random.next() >> 11) * 0x1p-53);
  });
}

Expected<std::vector<std::byte>> content(const ElementType& type, std::size_t count,
                                         std::string_view text) {
  const std::vector<std::string_view> parts = splitText(text, ':');
  if (text == "zeros")
    return std::vector<std::byte>(count * type.size);
  if (text == "iota")
    return fill(type, count, [](std::size_t i) { return double(i); });
  if (parts.front() == "random")
    return randomContent(type, count, parts);
  if (parts.front() != "file")
    return fail(ErrorKind::BadInput,
                "'{}' is no content; use zeros, iota, random:SEED:LOW:HIGH or "
                "file:PATH",
                text);
  HEDDLE_TRY(const std::string file, readFile(std::string(text.substr(5))));
  if (file.size() != count * type.size)
    return fail(ErrorKind::BadInput, "{} has {} bytes, expected {}", text.substr(5), file.size(),
                count * type.size);
  std::vector<std::byte> bytes(file.size());
  std::memcpy(bytes.data(), file.data(), file.size());
  return bytes;
}

} // namespace

Expected<KernelArgument> parseKernelArgument(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return fail(ErrorKind::BadInput, "'{}' has no ':'; write i32:5 or f32[1024]:zeros", text);
  std::string_view typeName = text.substr(0, colon);
  const std::string_view value = text.substr(colon + 1);
  KernelArgument argument{std::string(text), false, {}};
  const std::size_t bracket = typeName.find('[');
  if (bracket == std::string_view::npos) {
    HEDDLE_TRY(const ElementType type, findType(typeName));
    argument.bytes.resize(type.size);
    if (const auto parsed = type.parse(value, argument.bytes.data()); !parsed)
      return tl::unexpected(within(typeName, parsed.error()));
    return argument;
  }
  if (!typeName.ends_with(']'))
    return fail(ErrorKind::BadInput, "'{}' lacks a ']'", typeName);
  HEDDLE_TRY(const ElementType type, findType(typeName.substr(0, bracket)));
  HEDDLE_TRY(const std::int64_t count,
             parseInteger(typeName.substr(bracket + 1, typeName.size() - bracket - 2)));
  if (count < 1 || count > mostElements)
    return fail(ErrorKind::BadInput, "a buffer of {} elements: expected 1 to {}", count,
                mostElements);
  argument.isBuffer = true;
  HEDDLE_TRY(argument.bytes, content(type, std::size_t(count), value));
  return argument;
}

} // namespace heddle::driver
