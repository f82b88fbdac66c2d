// SPDX-License-Identifier: Apache-2.0
#include "curand/SobolTables.h"

#include <cassert>
#include <string_view>

namespace heddle::curand {
namespace {

constexpr unsigned wordBits = 64;

constexpr std::string_view storedNumbers =
#include "curand/SobolNumbers.def"
    ;
constexpr std::string_view storedScrambles =
#include "curand/SobolScrambles.def"
    ;

/// The next `bits` bits of the text, which fill its digits from the right.
class DigitReader {
public:
  explicit DigitReader(std::string_view digits) : rest_(digits) {}

  /// Highest first, as those of several numbers may be more than a word's.
  std::vector<bool> read(unsigned bits) {
    const std::size_t count = (bits + 3) / 4;
    assert(count <= rest_.size() && "as many as the script wrote");
    std::vector<bool> result;
    for (std::size_t place = 0; place < count * 4; ++place)
      if (place >= count * 4 - bits)
        result.push_back((valueOf(rest_[place / 4]) >> (3 - place % 4) & 1) != 0);
    rest_.remove_prefix(count);
    return result;
  }

  std::uint64_t readWord(unsigned bits) {
    std::uint64_t word = 0;
    for (const bool bit : read(bits))
      word = word << 1 | (bit ? 1 : 0);
    return word;
  }

  bool isAtEnd() const { return rest_.empty(); }

private:
  static unsigned valueOf(char digit) {
    return unsigned(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }

  std::string_view rest_;
};

/// Whether the powers of x modulo the polynomial are all that there are.
bool isPrimitive(unsigned polynomial, unsigned degree) {
  unsigned power = 1, steps = 0;
  do {
    power <<= 1;
    if ((power >> degree) != 0)
      power ^= polynomial;
    ++steps;
  } while (power > 1);
  return power == 1 && steps == (1U << degree) - 1;
}

/// m_1 to m_degree: odd, and m_i of i bits.
std::vector<std::uint64_t> readNumbers(unsigned degree, DigitReader& reader) {
  const std::vector<bool> bits = reader.read(degree * (degree - 1) / 2);
  std::vector<std::uint64_t> numbers;
  auto next = bits.begin();
  for (unsigned i = 0; i < degree; ++i) {
    std::uint64_t upper = 0;
    for (unsigned bit = 0; bit < i; ++bit)
      upper = upper << 1 | (*next++ ? 1 : 0);
    numbers.push_back(upper << 1 | 1);
  }
  return numbers;
}

/// Each number is made of the `degree` ones before it, as Bratley and Fox say.
SobolVectors makeVectors(unsigned polynomial, unsigned degree, std::vector<std::uint64_t> numbers) {
  for (unsigned i = degree; i < wordBits; ++i) {
    std::uint64_t number = numbers[i - degree] ^ numbers[i - degree] << degree;
    for (unsigned k = 1; k < degree; ++k)
      if ((polynomial >> (degree - k) & 1) != 0)
        number ^= numbers[i - k] << k;
    numbers.push_back(number);
  }
  SobolVectors vectors = {};
  for (unsigned i = 0; i < wordBits; ++i)
    vectors[i] = numbers[i] << (wordBits - 1 - i);
  return vectors;
}

/// The first dimension has no polynomial: van der Corput's sequence.
SobolVectors firstVectors() {
  SobolVectors vectors = {};
  for (unsigned i = 0; i < wordBits; ++i)
    vectors[i] = std::uint64_t{1} << (wordBits - 1 - i);
  return vectors;
}

std::vector<SobolVectors> makePlain() {
  std::vector<SobolVectors> dimensions = {firstVectors()};
  DigitReader reader(storedNumbers);
  for (unsigned degree = 1; dimensions.size() < knownDimensions; ++degree)
    for (unsigned inner = 0; inner < 1U << (degree - 1); ++inner) {
      const unsigned polynomial = 1U << degree | inner << 1 | 1;
      if (isPrimitive(polynomial, degree))
        dimensions.push_back(makeVectors(polynomial, degree, readNumbers(degree, reader)));
    }
  assert(reader.isAtEnd() && dimensions.size() == knownDimensions && "the script stores these");
  return dimensions;
}

/// A product over GF(2): the sum of the columns whose bits are set.
std::uint64_t times(const SobolVectors& columns, std::uint64_t vector) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < wordBits; ++i)
    if ((vector >> (wordBits - 1 - i) & 1) != 0)
      sum ^= columns[i];
  return sum;
}

ScrambledVectors makeScrambled() {
  ScrambledVectors made;
  DigitReader reader(storedScrambles);
  for (std::size_t dimension = 0; dimension < knownScrambled; ++dimension) {
    made.constants.push_back(reader.readWord(wordBits));
    SobolVectors columns = {};
    for (unsigned i = 0; i < wordBits; ++i) {
      const unsigned below = wordBits - 1 - i;
      columns[i] = std::uint64_t{1} << below | reader.readWord(below);
    }
    SobolVectors& vectors = made.vectors.emplace_back();
    for (unsigned i = 0; i < wordBits; ++i)
      vectors[i] = times(columns, sobolVectors()[dimension][i]);
  }
  assert(reader.isAtEnd() && "the script stores these");
  return made;
}

} // namespace

const std::vector<SobolVectors>& sobolVectors() {
  static const auto* const vectors = new std::vector<SobolVectors>(makePlain());
  return *vectors;
}

const ScrambledVectors& scrambledSobolVectors() {
  static const auto* const vectors = new ScrambledVectors(makeScrambled());
  return *vectors;
}

} // namespace heddle::curand
