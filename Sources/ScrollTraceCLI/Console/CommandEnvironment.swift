package import ScrollTraceKit
import ScrollTracePlatform

/// The environment of a command: its variables, its terminal and its folder.
package struct CommandEnvironment: Sendable {
  /// The environment variables, without those of the process, which are read when they are used.
  package var variables: [String: String] = [:]
  private var isOfProcess = false
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  /// The columns of the terminal, or `nil` if unknown.
  package var terminalWidth: Int?
  /// The working directory, or `nil` if unknown.
  package var workingDirectory: String?

  package init(
    variables: [String: String] = [:], isOutputTerminal: Bool = false, terminalWidth: Int? = nil
  ) {
    self.variables = variables
    self.isOutputTerminal = isOutputTerminal
    self.terminalWidth = terminalWidth
  }

  static var current: CommandEnvironment {
    var environment = CommandEnvironment()
    environment.isOfProcess = true
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

  /// The environment for files: no terminal and no colors.
  var forFiles: CommandEnvironment {
    var copy = self
    copy.isOutputTerminal = false
    copy.terminalWidth = nil
    copy.variables["NO_COLOR"] = "1"
    return copy
  }

  /// Returns the value of a variable, or `nil` if it is not defined.
  package subscript(name: String) -> String? {
    variables[name] ?? (isOfProcess ? getenv(name).map { String(cString: $0) } : nil)
  }

  /// The output width: `COLUMNS`, the terminal's, or 80.
  package var width: Int { columns ?? terminalWidth ?? 80 }

  /// Whether the terminal or `COLUMNS` states the output width.
  package var isWidthKnown: Bool { (columns ?? terminalWidth) != nil }

  private var columns: Int? {
    self["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
  }

  /// Whether the locale uses UTF-8.
  package var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { isSet($0) }.first ?? ""
    let name = locale.lowercased()
    return name.includes("utf-8") || name.includes("utf8") || (locale.isEmpty && isBuildServer)
  }

  private var isBuildServer: Bool { isSet("CI") != nil || rendersColorInLogs }

  /// Whether the log of the build server shows colors.
  private var rendersColorInLogs: Bool {
    ["GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE"].contains { isSet($0) != nil }
  }

  private var isDumb: Bool { self["TERM"] == "dumb" }

  private func isSet(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  package var tier: GraphCharset {
    guard isUnicode, !isDumb || isBuildServer else { return .ascii }
    return isOutputTerminal && !isBuildServer ? .blocks : .basic
  }

  /// The default colors: see no-color.org and bixense.com/clicolors.
  package var palette: Palette {
    if isSet("NO_COLOR") != nil { return .none }
    if ["CLICOLOR_FORCE", "FORCE_COLOR"].contains(where: { isSet($0).map { $0 != "0" } ?? false }) {
      return colors
    }
    if self["CLICOLOR"] == "0" { return .none }
    if rendersColorInLogs { return colors }
    return isOutputTerminal && !isDumb ? colors : .none
  }

  /// The colors of the terminal if colors are on.
  package var colors: Palette {
    let isFull =
      (self["TERM"] ?? "").includes("256") || isSet("COLORTERM") != nil || rendersColorInLogs
    return isFull ? .full : .sixteen
  }
}
