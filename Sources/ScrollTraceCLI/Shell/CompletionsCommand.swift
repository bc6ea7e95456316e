/// `scrolltrace completions`: prints a completion script.
enum CompletionsCommand: Command {
  static let syntax = CommandSyntax(
    name: "completions",
    abstract: "Print a shell completion script.",
    examples: [
      "source <(scrolltrace completions bash)",
      "scrolltrace completions zsh > ~/.zfunc/_scrolltrace",
      "scrolltrace completions fish > ~/.config/fish/completions/scrolltrace.fish",
    ],
    exitStatuses: [],
    operand: .init(name: "shell", help: "'bash', 'zsh' or 'fish'."),
    flags: [])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let name = arguments.operands.first ?? ""
    guard let shell = CompletionScript.Shell(rawValue: name) else {
      throw UsageError(message: "Unknown shell '\(name)'; expected 'bash', 'zsh' or 'fish'")
    }
    try console.print(CompletionScript.text(for: shell, arguments.commands))
    return .done
  }
}
