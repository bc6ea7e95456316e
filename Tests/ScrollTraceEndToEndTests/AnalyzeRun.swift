import Foundation
import ScrollTraceTestSupport

@testable import ScrollTraceCLI

/// One run of a `scrolltrace` command in this process.
struct CommandRun {
  let status: ScrollTraceCLI.ExitStatus
  let output: String
  let errors: String

  /// The output and the errors.
  var text: String { output + errors }

  init(_ arguments: [String], variables: [String: String] = [:]) {
    nonisolated(unsafe) var output = ""
    nonisolated(unsafe) var errors = ""
    let console = Console(
      environment: CommandEnvironment(variables: variables),
      output: {
        output += $0
        return 0
      },
      error: {
        errors += $0
        return 0
      })
    status = ScrollTraceCommand.run(arguments, on: console)
    (self.output, self.errors) = (output, errors)
  }
}

/// One run of `scrolltrace analyze --format json`, with its report as a JSON object.
struct AnalyzeRun {
  let status: ScrollTraceCLI.ExitStatus
  let errors: String
  let report: JSONNode

  /// Runs the command in this process.
  init(_ arguments: [String]) throws {
    let command = CommandRun(["analyze", "--format", "json"] + arguments)
    (status, errors) = (command.status, command.errors)
    report = try JSONNode(command.output)
  }

  /// The only run of the report.
  var run: JSONNode { report["runs"][0] }

  /// The first surface.
  var surface: JSONNode { run["surfaces"][0] }
}

/// A path in the temporary folder that no other test uses; the file goes away with the value.
final class TemporaryFile {
  let path: String

  init(_ name: String) {
    path = NSTemporaryDirectory() + "/scrolltrace-\(UUID().uuidString)-\(name)"
  }

  /// Writes the file.
  convenience init(_ name: String, _ text: String) throws {
    self.init(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
