// SPDX-License-Identifier: Apache-2.0
#include "CommandLine.h"

#include "support/NearestName.h"
#include "support/Parse.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace heddle::tool {
namespace {

/// The command tree as CLI11 applications, and what happened while parsing.
class Parser {
public:
  explicit Parser(const Command& root) : app_(root.summary, root.name) { add(root, app_); }

  Expected<Invocation> parse(const Command& root, std::vector<std::string> arguments) {
    std::ranges::reverse(arguments); // CLI11 takes them last first
    Wish wish = Wish::Run;
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      wish = Wish::ShortHelp;
    } catch (const CLI::CallForAllHelp&) {
      wish = Wish::LongHelp;
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string what = error.what(); // "--threads: 1 required TEXT missing"
      return fail(ErrorKind::BadInput, "{} needs a value", what.substr(0, what.find(':')));
    } catch (const CLI::ParseError& error) {
      return fail(ErrorKind::BadInput, "{}", error.what());
    }
    return finish(root, wish);
  }

private:
  void add(const Command& command, CLI::App& app) {
    app.set_help_flag("-h");
    app.set_help_all_flag("--help");
    app.allow_extras();
    for (const Flag& flag : command.flags)
      if (!isForeign(flag))
        addFlag(flag, app);
    if (command.positional)
      addFlag(*command.positional, app);
    for (const Command& child : command.children)
      add(child, *app.add_subcommand(child.name, child.summary));
  }

  void addFlag(const Flag& flag, CLI::App& app) {
    const std::string names =
        flag.formerName.empty() ? flag.name : flag.name + "," + flag.formerName;
    if (flag.value.empty())
      app.add_flag_callback(names, [this, &flag] { apply(flag, ""); });
    else if (flag.repeatable)
      app.add_option_function<std::vector<std::string>>(names,
                                                        [this, &flag](const auto& texts) {
                                                          for (const std::string& text : texts)
                                                            apply(flag, text);
                                                        })
          ->expected(1, flag.name.starts_with("-") ? 1 : CLI::detail::expected_max_vector_size)
          ->allow_extra_args(!flag.name.starts_with("-")) // `--arg A FILE`: one value each time
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    else
      app.add_option_function<std::string>(names, setter(flag))
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  std::function<void(const std::string&)> setter(const Flag& flag) {
    return [this, &flag](const std::string& text) { apply(flag, text); };
  }

  void apply(const Flag& flag, const std::string& text) {
    given_[&flag] = true;
    if (auto done = flag.set(text); !done && !error_)
      error_ = within(flag.name, done.error());
  }

  /// Follows the parsed subcommands down to the one that was asked for.
  Expected<Invocation> finish(const Command& root, Wish wish) {
    Invocation invocation{wish, &root, root.name};
    const CLI::App* app = &app_;
    for (auto chosen = app->get_subcommands(); !chosen.empty(); chosen = app->get_subcommands()) {
      app = chosen.front();
      const auto& children = invocation.command->children;
      invocation.command = &*std::ranges::find(children, app->get_name(), &Command::name);
      invocation.path += " " + invocation.command->name;
    }
    if (wish != Wish::Run) {
      HEDDLE_CHECK(refuseUnknownTopic(*app, invocation));
      return invocation;
    }
    HEDDLE_CHECK(refuseExtras(*app, invocation));
    if (error_)
      return tl::unexpected(*error_);
    return requireFlags(invocation);
  }

  /// Help is given whatever else is wrong, but for a command that does not exist.
  static Expected<void> refuseUnknownTopic(const CLI::App& app, const Invocation& invocation) {
    const std::vector<std::string> extras = app.remaining(true);
    const bool unknown = !extras.empty() && !extras.front().starts_with("-");
    return unknown && !invocation.command->children.empty() ? refuseExtras(app, invocation)
                                                            : Expected<void>();
  }

  static Expected<void> refuseExtras(const CLI::App& app, const Invocation& invocation) {
    const std::vector<std::string> extras = app.remaining(true);
    if (extras.empty())
      return {};
    const std::string& extra = extras.front();
    const std::string hint = fmt::format(" (see '{} --help')", invocation.path);
    std::vector<std::string> names;
    if (extra.starts_with("-")) {
      const std::string name = extra.substr(0, extra.find('='));
      for (const Flag& flag : invocation.command->flags)
        if (!isForeign(flag))
          names.push_back(flag.name);
      return fail(ErrorKind::BadInput, "unknown flag '{}'{}{}", name, didYouMean(name, names),
                  hint);
    }
    for (const Command& child : invocation.command->children)
      names.push_back(child.name);
    if (names.empty())
      return fail(ErrorKind::BadInput, "unexpected argument '{}'{}", extra, hint);
    return fail(ErrorKind::BadInput, "unknown command '{}'{}{}", extra, didYouMean(extra, names),
                hint);
  }

  Expected<Invocation> requireFlags(const Invocation& invocation) const {
    std::vector<const Flag*> flags;
    for (const Flag& flag : invocation.command->flags)
      flags.push_back(&flag);
    if (invocation.command->positional)
      flags.push_back(&*invocation.command->positional);
    for (const Flag* flag : flags)
      if (flag->required && !given_.contains(flag))
        return fail(ErrorKind::BadInput, "{} is missing: {} (see '{} --help')", flagTitle(*flag),
                    flag->help, invocation.path);
    return invocation;
  }

  CLI::App app_;
  std::optional<Error> error_;
  std::map<const Flag*, bool> given_;
};

/// The command that the first words name, and how many words that were.
std::pair<const Command*, std::size_t> namedCommand(const Command& root,
                                                    std::span<const std::string> arguments) {
  const Command* command = &root;
  std::size_t depth = 0;
  for (; depth < arguments.size(); ++depth) {
    const auto child = std::ranges::find(command->children, arguments[depth], &Command::name);
    if (child == command->children.end())
      break;
    command = &*child;
  }
  return {command, depth};
}

/// Gives flags the number they stand for where none follows.
std::vector<std::string> withNumbers(const Command& command, std::vector<std::string> arguments) {
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const auto flag = std::ranges::find(command.flags, arguments[at], &Flag::name);
    if (flag == command.flags.end() || flag->ifAlone.empty())
      continue;
    if (at + 1 == arguments.size() || !parseInteger(arguments[at + 1]))
      arguments[at] += "=" + flag->ifAlone;
  }
  return arguments;
}

/// Hands a command the flags of a compiler and the arguments of another program; what is left
/// follows our own rules.
Expected<std::vector<std::string>> ownArguments(const Command& root,
                                                std::vector<std::string> arguments) {
  const auto [command, depth] = namedCommand(root, arguments);
  if (command->takeRest) {
    const auto dashes = std::ranges::find(arguments, "--");
    if (dashes != arguments.end())
      command->takeRest({dashes + 1, arguments.end()});
    arguments.erase(dashes, arguments.end());
  }
  arguments = withNumbers(*command, std::move(arguments));
  if (!command->takeForeign)
    return arguments;
  std::vector<std::string> own(arguments.begin(), arguments.begin() + std::ptrdiff_t(depth));
  for (std::size_t at = depth; at < arguments.size();) {
    HEDDLE_TRY(const std::size_t taken, command->takeForeign(std::span(arguments).subspan(at)));
    if (taken == 0)
      own.push_back(arguments[at]);
    at += std::max<std::size_t>(taken, 1);
  }
  return own;
}

} // namespace

Expected<Invocation> parseCommandLine(const Command& root, std::vector<std::string> arguments) {
  HEDDLE_TRY(std::vector<std::string> own, ownArguments(root, std::move(arguments)));
  return Parser(root).parse(root, std::move(own));
}

} // namespace heddle::tool
