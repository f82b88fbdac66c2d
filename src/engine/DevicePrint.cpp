// SPDX-License-Identifier: Apache-2.0
#include "engine/DevicePrint.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace heddle::engine {
namespace {

class ArgumentReader {
public:
  explicit ArgumentReader(const std::byte* arguments) : begin_(arguments) {}

  template <class T> T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, begin_ + offset_, sizeof value);
    offset_ += sizeof value;
    ++count_;
    return value;
  }
  int count() const { return count_; }

private:
  const std::byte* begin_;
  std::size_t offset_ = 0;
  int count_ = 0;
};

template <class T> std::string print(const std::string& conversion, T value) {
  const int size = std::snprintf(nullptr, 0, conversion.c_str(), value);
  std::string text(std::size_t(size < 0 ? 0 : size), '\0');
  std::snprintf(text.data(), text.size() + 1, conversion.c_str(), value);
  return text;
}

/// One conversion, "%-8.3f", with its '*' replaced by numbers.
std::string convert(const std::string& flags, const std::string& length, char kind,
                    ArgumentReader& arguments) {
  switch (kind) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    if (length == "l" || length == "ll" || length == "z" || length == "j" || length == "t")
      return print(flags + "ll" + kind, static_cast<long long>(arguments.next<std::int64_t>()));
    return print(flags + length + kind, arguments.next<std::int32_t>());
  case 'c':
    return print(flags + kind, arguments.next<std::int32_t>());
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return print(flags + kind, arguments.next<double>());
  case 's': {
    const auto* text = arguments.next<const char*>();
    return print(flags + kind, text == nullptr ? "(null)" : text);
  }
  case 'p':
    return print(flags + kind, arguments.next<const void*>());
  default:
    return flags + length + kind; // as CUDA: what is not known is printed as it is
  }
}

} // namespace

std::string formatDevicePrint(const char* format, const std::byte* arguments, int& argumentCount) {
  ArgumentReader reader(arguments);
  std::string text;
  for (const char* at = format; *at != '\0'; ++at) {
    if (*at != '%') {
      text += *at;
      continue;
    }
    if (at[1] == '%') {
      text += *at++;
      continue;
    }
    std::string flags = "%", length;
    for (++at; *at != '\0' && std::strchr("-+ #0123456789.*", *at) != nullptr; ++at)
      flags += *at == '*' ? std::to_string(reader.next<std::int32_t>()) : std::string(1, *at);
    for (; *at != '\0' && std::strchr("hlLzjt", *at) != nullptr; ++at)
      length += *at;
    if (*at == '\0')
      break;
    text += convert(flags, length, *at, reader);
  }
  argumentCount = reader.count();
  return text;
}

} // namespace heddle::engine
