package import ScrollTraceCLI

/// The commands that need a terminal or the reference list, which the executable adds to the
/// others.
package enum TerminalCommands {
  /// The commands, in the order of the help.
  package static let all: [any Command.Type] = [DemoCommand.self, WatchCommand.self]
}
