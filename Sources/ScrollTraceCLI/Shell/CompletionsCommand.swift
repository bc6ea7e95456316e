import ScrollTraceKit

/// `scrolltrace completions`: the script that makes a shell complete the command.
enum CompletionsCommand: Command {
  static let syntax = CommandSyntax(
    name: "completions",
    abstract: "Print a completion script for bash, zsh or fish.",
    discussion: """
      EXAMPLES:
        source <(scrolltrace completions bash)
        scrolltrace completions zsh > ~/.zfunc/_scrolltrace
        scrolltrace completions fish > ~/.config/fish/completions/scrolltrace.fish
      """,
    operand: .init(name: "shell", help: "bash, zsh or fish."),
    flags: [])

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let name = arguments.operands.first ?? ""
    guard let shell = CompletionScript.Shell(rawValue: name) else {
      throw UsageError(message: "There are completions for bash, zsh and fish, not for '\(name)'")
    }
    return console.show(
      CompletionScript.text(for: shell, ScrollTraceCommand.commands.map { $0.syntax }))
  }
}

/// `scrolltrace man`: the manual page.
enum ManCommand: Command {
  static let syntax = CommandSyntax(
    name: "man",
    abstract: "Print the manual page.",
    discussion: """
      EXAMPLE:
        scrolltrace man > scrolltrace.1 && man -l scrolltrace.1
      """,
    flags: [])

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    console.show(ManPage.text(ScrollTraceCommand.commands.map { $0.syntax }))
  }
}

extension Console {
  /// Prints a text, or says why not.
  fileprivate func show(_ text: String) -> ExitStatus {
    do {
      try print(text)
      return .done
    } catch {
      complain(about: error.path, error.problem)
      return .unjudged
    }
  }
}
