// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/IndexSum.h"

#include "rewrite/code/Builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace heddle::rewrite {
namespace {

using clang::Expr;

void addTerms(const Expr* expression, std::vector<const Expr*>& terms) {
  if (const clang::BinaryOperator* sum = operatorOf(expression, clang::BO_Add)) {
    addTerms(sum->getLHS(), terms);
    addTerms(sum->getRHS(), terms);
  } else
    terms.push_back(expression);
}

} // namespace

int axisOfProduct(const Expr* expression, llvm::StringRef one, llvm::StringRef other) {
  const clang::BinaryOperator* product = operatorOf(expression, clang::BO_Mul);
  if (product == nullptr)
    return -1;
  const std::string left = builtinOf(product->getLHS()), right = builtinOf(product->getRHS());
  for (int axis = 0; axis < 3; ++axis) {
    const std::string end{'.', char('x' + axis)};
    const std::string first = one.str() + end, second = other.str() + end;
    if ((left == first && right == second) || (left == second && right == first))
      return axis;
  }
  return -1;
}

std::optional<IndexSum> indexSumOf(const Expr* expression) {
  if (operatorOf(expression, clang::BO_Add) == nullptr)
    return std::nullopt;
  std::vector<const Expr*> terms;
  addTerms(expression, terms);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const int axis = axisOfProduct(terms[i], "blockIdx", "blockDim");
    const std::string thread = fmt::format("threadIdx.{}", char('x' + std::max(axis, 0)));
    for (std::size_t j = 0; axis >= 0 && j < terms.size(); ++j)
      if (builtinOf(terms[j]) == thread) {
        IndexSum sum{axis, {}};
        for (std::size_t k = 0; k < terms.size(); ++k)
          if (k != i && k != j)
            sum.rest.push_back(terms[k]);
        return sum;
      }
  }
  return std::nullopt;
}

} // namespace heddle::rewrite
