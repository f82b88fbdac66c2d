// SPDX-License-Identifier: Apache-2.0
#include "Commands.h"

#include "driver/PayoffCommand.h"
#include "driver/PolicySweepCommand.h"
#include "driver/SimulateCommand.h"
#include "driver/WordCommands.h"
#include "model/Policy.h"

#include <memory>

namespace heddle::tool {
namespace {

std::vector<std::string> policyNames() {
  std::vector<std::string> names;
  for (const model::PolicyInfo& info : model::allPolicies())
    names.emplace_back(info.name);
  return names;
}

std::string policyRules() {
  std::string text = "Policies:\n";
  for (const model::PolicyInfo& info : model::allPolicies())
    text += fmt::format("  {:<12} {}\n", info.name, info.rule);
  text.pop_back();
  return text;
}

Flag probabilityFlag(std::optional<double>& target) {
  return numberFlag("--p", "P", "probability of path A in a two-way branch", target);
}

Flag waysFlag(std::vector<double>& target) {
  return numberListFlag("--ways", "P,P,..", "probabilities of 2 to 8 paths, instead of --p",
                        target);
}

Command bestCommand(CommonOptions& common) {
  auto search = std::make_shared<model::WordSearch>();
  Command command;
  command.name = "best";
  command.summary = "the best fixed word for a branch probability";
  command.details = "Searches all words of up to --segments segments (x times A, then y times B) "
                    "with runs up to\n"
                    "--max, by Novak's eq. (1) and by the exact Markov chain. The equation is an "
                    "approximation, up\n"
                    "to 1.8 % pessimistic; both answers are printed and told apart.";
  command.examples = {"heddle schedule best --p 0.18"};
  command.flags = withOutputFlags(
      {required(numberFlag("--p", "P", "probability of path A", search->p)),
       integerFlag("--segments", "at most this many segments (default 3)", search->segments),
       integerFlag("--max", "longest run of one path (default 10)", search->longestRun)},
      common);
  command.run = [search, &common] { return driver::runBestWord(*search, common.output()); };
  return command;
}

Command tableCommand(CommonOptions& common) {
  Command command;
  command.name = "table";
  command.summary = "table B.1 of the best fixed words, and where the exact optimum differs";
  command.examples = {"heddle schedule table"};
  command.flags = withOutputFlags({}, common);
  command.run = [&common] { return driver::runWordTable(common.output()); };
  return command;
}

struct SimulateFlags {
  driver::SimulateOptions one;
  std::optional<int> iterations;
  bool all = false;
  std::string svg;
};

Expected<std::string> runSimulateOrSweep(SimulateFlags& flags, const CommonOptions& common) {
  if (!flags.all) {
    flags.one.iterations = flags.iterations.value_or(flags.one.iterations);
    flags.one.svgFile = flags.svg;
    return driver::runSimulate(flags.one, common.output());
  }
  if (flags.one.branch.p || !flags.one.branch.ways.empty())
    return fail(ErrorKind::BadInput, "--all sweeps p itself; leave out --p and --ways");
  driver::PolicySweepOptions sweep;
  sweep.iterations = flags.iterations;
  sweep.warps = flags.one.warps;
  sweep.seed = flags.one.seed;
  sweep.beam = flags.one.beam;
  sweep.svgFolder = flags.svg;
  return driver::runPolicySweep(sweep, common.output());
}

Command simulateCommand(CommonOptions& common) {
  auto flags = std::make_shared<SimulateFlags>();
  driver::SimulateOptions& one = flags->one;
  static constexpr model::Ties ties[] = {model::Ties::Fair, model::Ties::First, model::Ties::Last};
  Command command;
  command.name = "simulate";
  command.summary = "efficiency of a scheduling policy, by Monte Carlo over whole warps";
  command.details = "Every lane of a warp of 32 has --iterations iterations to do and takes a "
                    "random path in each.\n"
                    "In every step the policy picks one path; lanes that want it run it, the "
                    "others wait. Overhead\n"
                    "is not counted: 'heddle schedule payoff' adds it. The result depends on the "
                    "seed alone, not on\n"
                    "the number of threads. --all runs every policy over a sweep of p, for 100 and "
                    "1000 iterations\n"
                    "(or --iterations alone), with the headroom a schedule could reach that knows "
                    "all decisions.\n\n" +
                    policyRules();
  command.examples = {
      "heddle schedule simulate --policy aging --p 0.1",
      "heddle schedule simulate --policy cost-aging --ways .18,.59,.02,.21 --cost 1,1,5,10",
      "heddle schedule simulate --policy fixed --word ABBB --p 0.12 --json",
      "heddle schedule simulate --all --svg figures"};
  command.flags = withOutputFlags(
      {withChoices(
           textFlag("--policy", "NAME", "how the next path is picked (default aging)", one.policy),
           policyNames()),
       probabilityFlag(one.branch.p), waysFlag(one.branch.ways),
       numberListFlag("--cost", "T,T,..", "cost of each path (default all 1)", one.branch.costs),
       textFlag("--word", "WORD", "the word of the fixed policy, such as ABB", one.word),
       integerFlag("--iterations", "iterations of every lane (default 1000)", flags->iterations),
       integerFlag("--warps", "warps to simulate (default 2000)", one.warps), seedFlag(one.seed),
       switchFlag("--no-skip", "alternating and fixed: run a path even if no lane wants it",
                  one.skipEmpty, false),
       choiceFlag("--ties", "frequency: which of equally wanted paths (default fair)",
                  {"fair", "first", "last"}, [&one](std::size_t index) { one.ties = ties[index]; }),
       switchFlag("--headroom", "also search what any schedule could reach (short loops)",
                  one.headroom),
       integerFlag("--beam", "states the headroom search keeps (default 300)", one.beam),
       switchFlag("--all", "every policy over a sweep of p", flags->all),
       completing(textFlag("--svg", "PATH", "write a picture; with --all, a folder of figures",
                           flags->svg),
                  Completes::Files),
       jobsFlag(common)},
      common);
  command.run = [flags, &common] { return runSimulateOrSweep(*flags, common); };
  return command;
}

Command payoffCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::PayoffOptions>();
  Command command;
  command.name = "payoff";
  command.summary = "whether scheduling the iterations of a loop pays, and from where on";
  command.details = "Native, per iteration: loop + sum [1-(1-p_k)^32] path_k. Scheduled: sum N_k "
                    "(path_k + loop +\n"
                    "turn), with the steps N_k of each policy simulated. Times are in any one "
                    "unit. The threshold is\n"
                    "the path time, in units of the loop time, above which a policy pays. --turn "
                    "takes one time for\n"
                    "all policies, or one for each: 0.08,alternating=0.05.";
  command.examples = {
      "heddle schedule payoff --p .16 --path 2.5,2.5 --loop 0.12 --turn 0.08 --iterations 1000",
      "heddle schedule payoff --ways .18,.59,.02,.21 --path 1,1,5,10 --loop 0.1 --turn 0.1"};
  command.flags = withOutputFlags(
      {probabilityFlag(options->branch.p), waysFlag(options->branch.ways),
       required(numberListFlag("--path", "T,T,..", "time of each path", options->branch.costs)),
       required(
           numberFlag("--loop", "T", "time of the rest of the loop body, tL", options->loopTime)),
       textFlag("--turn", "T", "time of a scheduling decision, tS (default 0)", options->turn),
       textFlag("--word", "WORD", "word of the fixed policy (default: the best, for two ways)",
                options->word),
       integerFlag("--iterations", "iterations of every lane (default 1000)", options->iterations),
       integerFlag("--warps", "warps to simulate (default 500)", options->warps),
       seedFlag(options->seed), jobsFlag(common)},
      common);
  command.run = [options, &common] { return driver::runPayoff(*options, common.output()); };
  return command;
}

} // namespace

Command scheduleCommand(CommonOptions& common) {
  Command command;
  command.name = "schedule";
  command.summary = "models of iteration scheduling: best words, efficiency, payoff";
  command.details =
      "A loop whose body takes one of several paths loses lanes in every iteration. Iteration\n"
      "scheduling runs one path per turn for the whole warp and lets lanes that want another path\n"
      "wait, so that lanes on the same path meet (Novak, 'Loop Optimization for Divergence\n"
      "Reduction'). These commands say what that would gain before anything is rewritten.";
  command.children = {bestCommand(common), tableCommand(common), simulateCommand(common),
                      payoffCommand(common)};
  return command;
}

} // namespace heddle::tool
