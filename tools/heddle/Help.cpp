// SPDX-License-Identifier: Apache-2.0
#include "Help.h"

#include "report/Table.h"

namespace heddle::tool {
namespace {

std::string usageLine(const Command& command, const std::string& path) {
  std::string line = path;
  if (!command.children.empty())
    line += command.run ? " [COMMAND]" : " COMMAND";
  if (command.positional) {
    const std::string name =
        command.positional->name + (command.positional->repeatable ? "..." : "");
    line += command.positional->required ? " " + name : " [" + name + "]";
  }
  bool optional = false;
  for (const Flag& flag : command.flags) {
    if (flag.required)
      line += " " + flagTitle(flag);
    else
      optional = true;
  }
  line += optional ? " [flags]" : "";
  return command.takeRest ? line + " [-- arguments of the program]" : line;
}

std::string listing(const Command& command) {
  std::string text;
  if (!command.children.empty()) {
    report::Table table("ll");
    for (const Command& child : command.children)
      table.addRow({child.name, child.summary});
    text += "\ncommands:\n" + table.print();
  }
  report::Table table("ll");
  if (command.positional)
    table.addRow({command.positional->name, command.positional->help});
  for (const Flag& flag : command.flags)
    table.addRow({flagTitle(flag), flag.help});
  table.addRow({"-h, --help", "show this help, short or long"});
  return text + "\nflags:\n" + table.print();
}

/// The first letter in upper case: a summary as a sentence.
std::string sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

/// Indented lines of the terminal's help are list items in Markdown.
std::string asMarkdown(std::string text) {
  for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at + 1))
    text.replace(at, 3, "\n- ");
  return text;
}

void appendMarkdown(const Command& command, const std::string& path, std::string& text) {
  text += fmt::format("\n## {}\n\n{}\n\n```\n{}\n```\n", path, sentence(command.summary),
                      usageLine(command, path));
  if (!command.details.empty())
    text += "\n" + asMarkdown(command.details) + "\n";
  if (command.positional || !command.flags.empty()) {
    text += "\n| flag | meaning |\n|---|---|\n";
    const auto row = [&](const Flag& flag) {
      std::string title = flagTitle(flag);
      for (std::size_t at = title.find('|'); at != std::string::npos; at = title.find('|', at + 2))
        title.insert(at, "\\");
      text +=
          fmt::format("| `{}` | {}{} |\n", title, flag.help, flag.required ? " (required)" : "");
    };
    if (command.positional)
      row(*command.positional);
    for (const Flag& flag : command.flags)
      row(flag);
  }
  if (!command.examples.empty())
    text += fmt::format("\n```\n{}\n```\n", fmt::join(command.examples, "\n"));
  for (const Command& child : command.children)
    appendMarkdown(child, path + " " + child.name, text);
}

} // namespace

std::string shortHelp(const Command& command, const std::string& path) {
  return fmt::format("{}: {}\n\nusage: {}\n", path, command.summary, usageLine(command, path)) +
         listing(command);
}

std::string longHelp(const Command& command, const std::string& path) {
  std::string text = shortHelp(command, path);
  if (!command.details.empty())
    text += "\n" + command.details + "\n";
  if (!command.examples.empty())
    text += fmt::format("\nexamples:\n  {}\n", fmt::join(command.examples, "\n  "));
  return text;
}

std::string markdownHelp(const Command& root) {
  std::string text = "# Command line\n\n"
                     "Written by `scripts/update_golden`; `heddle help --markdown` prints it.\n"
                     "Exit status: 0 fine, 1 findings above an asked threshold, 2 an error.\n";
  appendMarkdown(root, root.name, text);
  return text;
}

} // namespace heddle::tool
