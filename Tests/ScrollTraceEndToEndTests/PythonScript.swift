import Foundation

/// A script for Python, which is not on every machine.
struct PythonScript {
  let path: String

  /// Whether scripts can be run here.
  static let canRun = (try? ShellRun("python3 --version").status) == 0

  /// Runs the script with the file `input` as its input and `output` as its output; its exit status.
  func run(input: String, output: String) throws -> Int32 {
    try ShellRun("python3 \"$1\" < \"$2\" > \"$3\"", [path, input, output]).status
  }
}
