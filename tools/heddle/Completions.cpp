// SPDX-License-Identifier: Apache-2.0
//
// Both scripts find the command that is being typed by walking the words so far, then offer its
// subcommands and flags, or the choices of the flag before the cursor.
#include "Completions.h"

namespace heddle::tool {
namespace {

/// Visits every command with its path of names: "heddle", "heddle schedule", ...
template <class Visit>
void forEachCommand(const Command& command, const std::string& path, Visit visit) {
  visit(command, path);
  for (const Command& child : command.children)
    forEachCommand(child, path + " " + child.name, visit);
}

std::string wordsOf(const Command& command) {
  std::string words;
  for (const Command& child : command.children)
    words += child.name + " ";
  for (const Flag& flag : command.flags)
    words += flag.name + " ";
  if (command.positional)
    for (const std::string& choice : command.positional->choices)
      words += choice + " ";
  return words + "-h --help";
}

std::string bashAction(const Flag& flag) {
  if (!flag.choices.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", fmt::join(flag.choices, " "));
  switch (flag.completes) {
  case Completes::Files:
    return "COMPREPLY=($(compgen -f -- \"$word\"))";
  case Completes::Folders:
    return "COMPREPLY=($(compgen -d -- \"$word\"))";
  case Completes::Nothing:
    break;
  }
  return "COMPREPLY=()";
}

/// Text inside single quotes in an _arguments specification.
std::string zshQuoted(const std::string& text) {
  std::string quoted;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':')
      quoted += '\\';
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted;
}

std::string zshAction(const Flag& flag) {
  if (!flag.choices.empty())
    return fmt::format("({})", fmt::join(flag.choices, " "));
  switch (flag.completes) {
  case Completes::Files:
    return "_files";
  case Completes::Folders:
    return "_files -/";
  case Completes::Nothing:
    break;
  }
  return " ";
}

std::string zshFunction(const std::string& path) {
  std::string name = "_";
  for (const char letter : path)
    name += letter == ' ' || letter == '-' ? '_' : letter;
  return name;
}

std::string zshSpecs(const Command& command) {
  std::string specs;
  for (const Flag& flag : command.flags) {
    specs += fmt::format("    '{}[{}]", flag.name, zshQuoted(flag.help));
    if (!flag.value.empty())
      specs += fmt::format(":{}:{}", zshQuoted(flag.value), zshAction(flag));
    specs += "' \\\n";
  }
  if (command.positional)
    specs += fmt::format("    '::{}:{}' \\\n", zshQuoted(command.positional->name),
                         zshAction(*command.positional));
  return specs + "    '(-h --help)'{-h,--help}'[show help]'";
}

} // namespace

std::string bashCompletions(const Command& root) {
  std::string nodes, flags, words;
  forEachCommand(root, root.name, [&](const Command& command, const std::string& path) {
    if (&command != &root)
      nodes += fmt::format("      '{}') ;;\n", path);
    words += fmt::format("    '{}') COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", path,
                         wordsOf(command));
    for (const Flag& flag : command.flags)
      if (!flag.value.empty())
        flags += fmt::format("    '{} {}') {}; return ;;\n", path, flag.name, bashAction(flag));
  });
  return "# bash completion of heddle; written by 'heddle completions bash'\n"
         "# shellcheck shell=bash disable=SC2207\n"
         "_heddle() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} node=heddle i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$node ${COMP_WORDS[i]}\" in\n" +
         nodes +
         "      *) continue ;;\n"
         "    esac\n"
         "    node+=\" ${COMP_WORDS[i]}\"\n"
         "  done\n"
         "  case \"$node ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
         flags +
         "  esac\n"
         "  case \"$node\" in\n" +
         words +
         "  esac\n"
         "}\n"
         "complete -o default -F _heddle heddle\n";
}

std::string zshCompletions(const Command& root) {
  std::string text = "#compdef heddle\n# zsh completion of heddle; written by 'heddle completions "
                     "zsh'\n\n";
  forEachCommand(root, root.name, [&](const Command& command, const std::string& path) {
    text += zshFunction(path) + "() {\n";
    if (command.children.empty()) {
      text += "  _arguments \\\n" + zshSpecs(command) + "\n}\n\n";
      return;
    }
    text += "  local -a commands=(\n";
    std::string dispatch;
    for (const Command& child : command.children) {
      text += fmt::format("    '{}:{}'\n", child.name, zshQuoted(child.summary));
      dispatch +=
          fmt::format("        {}) {} ;;\n", child.name, zshFunction(path + " " + child.name));
    }
    text += "  )\n  local context state line\n  _arguments -C \\\n" + zshSpecs(command) +
            " \\\n    '1:command:->command' '*::argument:->argument'\n"
            "  case $state in\n"
            "    command) _describe command commands ;;\n"
            "    argument)\n      case $line[1] in\n" +
            dispatch + "      esac ;;\n  esac\n}\n\n";
  });
  return text + "_heddle \"$@\"\n";
}

} // namespace heddle::tool
