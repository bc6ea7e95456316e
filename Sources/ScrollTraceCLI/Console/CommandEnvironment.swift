import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a command runs in: variables, and whether people or programs read what it writes.
struct CommandEnvironment: Sendable {
  /// The environment variables that matter.
  var variables: [String: String] = [:]
  /// Whether standard output is a terminal.
  var isOutputTerminal = false
  /// Whether standard error is a terminal.
  var isErrorTerminal = false
  /// The columns of that terminal; `nil` where there is none or it does not say.
  var terminalWidth: Int?
  /// The folder the command was called in; `nil` where it is not known.
  var workingDirectory: String?

  private static let names = [
    "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "TERM", "COLORTERM", "COLUMNS", "CI",
    "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "LC_ALL", "LC_CTYPE", "LANG",
  ]

  /// The environment of the process.
  static var current: CommandEnvironment {
    var environment = CommandEnvironment()
    for name in names {
      if let value = getenv(name) { environment.variables[name] = String(cString: value) }
    }
    environment.isOutputTerminal = isatty(STDOUT_FILENO) == 1
    environment.isErrorTerminal = isatty(STDERR_FILENO) == 1
    if let folder = getcwd(nil, 0) {
      environment.workingDirectory = String(cString: folder)
      free(folder)
    }
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      environment.terminalWidth = Int(size.ws_col)
    }
    return environment
  }

  /// The same for what is written to a file: nobody sees it in this terminal.
  var forFiles: CommandEnvironment {
    var copy = self
    copy.isOutputTerminal = false
    copy.terminalWidth = nil
    copy.variables["NO_COLOR"] = "1"
    return copy
  }

  /// The width to write at: `COLUMNS`, the terminal's, or 80.
  var width: Int { columns ?? terminalWidth ?? 80 }

  private var columns: Int? {
    variables["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
  }

  /// Whether the locale is one of UTF-8.
  var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { isSet($0) }.first ?? ""
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8") || (locale.isEmpty && isBuildServer)
  }

  /// Whether a build server runs the command.
  private var isBuildServer: Bool { isSet("CI") != nil || rendersColorInLogs }

  /// Whether the log of the build server shows colours although it is no terminal.
  private var rendersColorInLogs: Bool {
    ["GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE"].contains { isSet($0) != nil }
  }

  private var isDumb: Bool { variables["TERM"] == "dumb" }

  private func isSet(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The glyphs that fonts here have.
  var tier: GraphCharset {
    guard isUnicode, !isDumb || isBuildServer else { return .ascii }
    return isOutputTerminal && !isBuildServer ? .blocks : .basic
  }

  /// The colours to use where the command line does not say: see no-color.org, clicolors.
  var palette: Palette {
    if isSet("NO_COLOR") != nil { return .none }
    if ["CLICOLOR_FORCE", "FORCE_COLOR"].contains(where: { isSet($0).map { $0 != "0" } ?? false }) {
      return colors
    }
    if variables["CLICOLOR"] == "0" { return .none }
    if rendersColorInLogs { return colors }
    return isOutputTerminal && !isDumb ? colors : .none
  }

  /// The colours that there are if there are any.
  var colors: Palette {
    let isFull =
      (variables["TERM"] ?? "").contains("256") || isSet("COLORTERM") != nil || rendersColorInLogs
    return isFull ? .full : .sixteen
  }
}
