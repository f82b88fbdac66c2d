// SPDX-License-Identifier: Apache-2.0
#include "rewrite/regroup/WholeLoop.h"

#include "rewrite/code/ConditionText.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/regroup/Refusals.h"

#include <algorithm>

namespace heddle::rewrite::regroup {
namespace {

class WholeCutter {
public:
  WholeCutter(const Source& source, const BranchStatement& inside, int strip)
      : source_(source), inside_(inside), strip_(strip),
        turn_(FreshNames(source, *inside.function).make("turn")) {}

  Legal<WayLoop> cut();

private:
  Legal<std::string> bodyText();
  bool mayTestTwice() const;
  std::string strip(const std::string& body) const;

  const Source& source_;
  const BranchStatement& inside_;
  int strip_;
  std::string turn_; ///< the name of what counts a strip's iterations
  LoopHeader header_;
  bool tests_ = false;  ///< the loop has a condition
  bool leaves_ = false; ///< by break or return
  WayLoop result_;
};

/// `continue` stays: the strip is a loop with the same header.
Legal<std::string> WholeCutter::bodyText() {
  Exits exits = findExits(*header_.body);
  exits.continues.clear();
  if (auto checked = refuseExits(source_, exits); !checked)
    return tl::unexpected(checked.error());
  Edits edits;
  for (const clang::Stmt* exit : exits.breaks)
    edits.replace(*source_.rangeOf(*exit), "return heddle::flow::leave;");
  for (const clang::Stmt* exit : exits.returns)
    edits.replace(*source_.rangeOf(*exit), "{ hasReturned = true; return heddle::flow::leave; }");
  if (!exits.returns.empty())
    result_.leaving = "if (hasReturned)\n" + source_.indentUnit() + "return;";
  leaves_ = !exits.empty();
  return linesOf(source_, *source_.insideOf(*header_.body), edits);
}

bool WholeCutter::mayTestTwice() const {
  return std::ranges::all_of(inside_.instances, [](const Placed& instance) {
    return effectsOf(*headerOf(*instance.loop()).condition).pure();
  });
}

std::string WholeCutter::strip(const std::string& body) const {
  const std::string block = " {\n" + indented(body, source_.indentUnit()) + "\n}";
  const std::string proceed = leaves_ ? "\nreturn heddle::flow::proceed;" : "";
  const std::string both = fmt::format(
      "\nreturn {} == {} ? heddle::flow::proceed : heddle::flow::leave;", turn_, strip_);
  const std::string condition = tests_ ? conjunctText(source_, *header_.condition) : "";
  if (header_.testsLast)
    return fmt::format("int {0} = 0;\ndo{1} while ({2}{3}++{0} < {4});{5}", turn_, block, condition,
                       tests_ ? " && " : "", strip_, tests_ ? both : proceed);
  const bool onlyHere = tests_ && !mayTestTwice();
  const std::string first = fmt::format("int {} = 0;", turn_);
  const std::string step =
      header_.step != nullptr ? ", " + source_.textOf(header_.step->getSourceRange()) : "";
  return fmt::format("{0}for ({1} {2} < {3}{4}{5}; ++{2}{6}){7}{8}", onlyHere ? first + "\n" : "",
                     onlyHere ? ";" : first, turn_, strip_, tests_ ? " && " : "", condition, step,
                     block, onlyHere ? both : proceed);
}

Legal<WayLoop> WholeCutter::cut() {
  auto place = placeLoop(source_, inside_);
  if (!place)
    return tl::unexpected(place.error());
  header_ = place->header;
  result_.loop = inside_.loop();
  result_.range = place->range;
  result_.pragmas = std::move(place->pragmas);
  result_.init = header_.init;
  if (header_.init != nullptr && !source_.rangeOf(*header_.init))
    return refuse(refusals["macro-in-the-way"], "the loop's first part begins or ends in a macro");
  result_.needsBraces = needsScope(loopAround(inside_)) ||
                        (header_.init != nullptr &&
                         namesStandForMore(*inside_.function, *result_.loop, {header_.init}));
  tests_ = !alwaysHolds(header_.condition, source_.ast());
  const auto body = bodyText();
  if (!body)
    return tl::unexpected(body.error());
  result_.ways.push_back(strip(*body));
  const bool testsNext = tests_ && !header_.testsLast && mayTestTwice();
  result_.next = testsNext ? fmt::format("return {} ? 0 : heddle::done;",
                                         operandText(source_, *header_.condition))
                           : "return 0;";
  result_.arms.push_back(header_.body);
  result_.armRanges.push_back(place->range);
  return std::move(result_);
}

} // namespace

Legal<WayLoop> cutWholeLoop(const Source& source, const BranchStatement& inside, int strip) {
  return WholeCutter(source, inside, strip).cut();
}

BranchStatement bodyOf(const BranchStatement& loop) {
  const auto inner = [](const Placed& placed) {
    Placed body{headerOf(*placed.statement).body, placed.around};
    body.around.insert(body.around.begin(), placed.statement);
    return body;
  };
  BranchStatement body{inner(loop), loop.function, {}};
  for (const Placed& instance : loop.instances)
    body.instances.push_back(inner(instance));
  return body;
}

} // namespace heddle::rewrite::regroup
