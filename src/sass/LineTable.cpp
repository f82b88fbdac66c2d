// SPDX-License-Identifier: Apache-2.0
#include "sass/LineTable.h"

#include <llvm/Support/DataExtractor.h>

#include <algorithm>
#include <vector>

namespace heddle::sass {
namespace {

// Versions of DWARF; the fifth has another header.
constexpr std::uint16_t firstKnown = 2, firstWithOperations = 4, lastKnown = 4;

enum Standard : std::uint8_t {
  Copy = 1,
  AdvanceAddress,
  AdvanceLine,
  ConstantAddress = 8,
  FixedAddress
};
enum Extended : std::uint8_t { EndSequence = 1, SetAddress };

class Program {
public:
  Program(const llvm::DataExtractor& data,
          const std::function<Place(std::uint64_t offset)>& relocated,
          std::map<Place, std::uint32_t>& found)
      : data_(data), relocated_(relocated), found_(found) {}

  /// Reads the program at the cursor; false where there is none.
  bool read(llvm::DataExtractor::Cursor& at) {
    const std::uint64_t end = placeBehind(at);
    const std::uint16_t version = data_.getU16(at);
    const std::uint64_t code = placeBehind(at);
    leastStep_ = data_.getU8(at);
    if (version >= firstWithOperations)
      data_.getU8(at);
    data_.getU8(at); // whether a line begins a statement
    lineBase_ = std::int8_t(data_.getU8(at));
    lineRange_ = data_.getU8(at);
    firstSpecial_ = data_.getU8(at);
    operands_.assign(1, 0);
    for (int i = 1; i < firstSpecial_; ++i)
      operands_.push_back(data_.getU8(at));
    if (!at || version < firstKnown || version > lastKnown || lineRange_ == 0 || code > end ||
        end > data_.size())
      return false;
    at.seek(code);
    while (at && at.tell() < end)
      step(at);
    at.seek(end);
    return bool(at);
  }

private:
  /// What begins behind as many bytes as the next number says.
  std::uint64_t placeBehind(llvm::DataExtractor::Cursor& at) const {
    const std::uint32_t bytes = data_.getU32(at);
    return at.tell() + bytes;
  }

  void note() { found_[place_] = std::uint32_t(line_); }

  void step(llvm::DataExtractor::Cursor& at) {
    const std::uint8_t operation = data_.getU8(at);
    if (operation >= firstSpecial_) {
      const unsigned adjusted = operation - firstSpecial_;
      place_.address += adjusted / lineRange_ * leastStep_;
      line_ += std::uint64_t(lineBase_ + int(adjusted % lineRange_));
      return note();
    }
    switch (operation) {
    case 0:
      return extended(at);
    case Copy:
      return note();
    case AdvanceAddress:
      place_.address += data_.getULEB128(at) * leastStep_;
      return;
    case AdvanceLine:
      line_ += std::uint64_t(data_.getSLEB128(at));
      return;
    case ConstantAddress:
      place_.address += (255u - firstSpecial_) / lineRange_ * leastStep_;
      return;
    case FixedAddress:
      place_.address += data_.getU16(at);
      return;
    default:
      for (int i = 0; i < operands_[operation]; ++i)
        data_.getULEB128(at);
    }
  }

  void extended(llvm::DataExtractor::Cursor& at) {
    const std::uint64_t size = data_.getULEB128(at), begin = at.tell();
    const std::uint8_t operation = data_.getU8(at);
    if (operation == EndSequence)
      line_ = 1;
    else if (operation == SetAddress)
      place_ = relocated_(at.tell());
    at.seek(begin + std::min<std::uint64_t>(size, data_.size())); // never back
  }

  const llvm::DataExtractor& data_;
  const std::function<Place(std::uint64_t offset)>& relocated_;
  std::map<Place, std::uint32_t>& found_;
  std::uint8_t leastStep_ = 1, lineRange_ = 1, firstSpecial_ = 1;
  std::int8_t lineBase_ = 0;
  std::vector<std::uint8_t> operands_;
  Place place_;
  std::uint64_t line_ = 1; ///< wraps
};

} // namespace

std::map<Place, std::uint32_t>
readLineTable(std::string_view section,
              const std::function<Place(std::uint64_t offset)>& relocated) {
  std::map<Place, std::uint32_t> found;
  const llvm::DataExtractor data(llvm::StringRef(section), /*IsLittleEndian=*/true,
                                 /*AddressSize=*/8);
  llvm::DataExtractor::Cursor at(0);
  while (at && at.tell() < section.size() && Program(data, relocated, found).read(at)) {
  }
  llvm::consumeError(at.takeError());
  return found;
}

} // namespace heddle::sass
