// SPDX-License-Identifier: Apache-2.0
#include "sweep/Outputs.h"

#include <algorithm>
#include <map>

namespace heddle::sweep {
namespace {

constexpr std::size_t longestList = 8;

class Flattener {
public:
  explicit Flattener(const std::vector<std::string>& wanted) : wanted_(wanted) {}

  void add(const std::string& name, const Value& value) {
    if (value.is_object())
      for (const auto& field : value.items())
        add(name.empty() ? field.key() : name + "." + field.key(), field.value());
    else if (value.is_array())
      addList(name, value);
    else if (!value.is_null() && isWanted(name))
      row_[name] = value;
  }

  Row take() { return std::move(row_); }

private:
  void addList(const std::string& name, const Value& list) {
    const bool plain =
        std::ranges::none_of(list, [](const Value& part) { return part.is_structured(); });
    for (std::size_t i = 0; i < list.size(); ++i)
      if (plain && list.size() <= longestList)
        add(fmt::format("{}.{}", name, i), list[i]);
      else if (const std::string id = idOf(list[i]); !id.empty())
        add(free(name + "." + id), list[i]);
  }

  static std::string idOf(const Value& object) {
    for (const char* const key : {"name", "id", "device"})
      if (object.is_object() && object.contains(key) && object[key].is_string())
        return object[key].get<std::string>();
    return "";
  }

  /// Two kernels may have one name.
  std::string free(const std::string& name) {
    const int count = ++names_[name];
    return count == 1 ? name : fmt::format("{}#{}", name, count);
  }

  bool isWanted(const std::string& name) const {
    return wanted_.empty() || std::ranges::any_of(wanted_, [&](const std::string& wanted) {
             return name == wanted || name.starts_with(wanted + ".");
           });
  }

  const std::vector<std::string>& wanted_;
  std::map<std::string, int> names_;
  Row row_ = Row::object();
};

} // namespace

Row outputsOf(std::string_view document, const std::vector<std::string>& wanted) {
  const Value value = Value::parse(document, nullptr, false);
  Flattener flattener(wanted);
  if (value.is_object())
    for (const auto& field : value.items())
      if (field.key() != "schema")
        flattener.add(field.key(), field.value());
  return flattener.take();
}

} // namespace heddle::sweep
