import ScrollTraceTestSupport

/// Lines of shell.
enum Shell {
  /// Runs a line; what it prints, and an error where its exit status is not 0.
  @discardableResult
  static func run(_ line: String) throws -> String {
    let run = try ShellRun("set +e\n" + line)
    guard run.status == 0 else { throw CProgram.Failure(command: line, output: run.output) }
    return run.output
  }

  /// Whether a command is installed here.
  static func has(_ command: String) -> Bool {
    (try? run("command -v \(command)")) != nil
  }
}
