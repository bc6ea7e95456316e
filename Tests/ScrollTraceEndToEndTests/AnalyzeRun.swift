import Foundation
import Testing

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
  init(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let command = CommandRun(["analyze", "--format", "json"] + arguments)
    (status, errors) = (command.status, command.errors)
    let data = Data(command.output.utf8)
    let object = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any],
      sourceLocation: sourceLocation)
    report = JSONNode(value: object)
  }

  /// The only run of the report.
  var run: JSONNode { report["runs"][0] }

  /// The first surface.
  var surface: JSONNode { run["surfaces"][0] }
}

/// A value of a JSON document; what is not there is a node without a value.
struct JSONNode {
  let value: Any?

  subscript(key: String) -> JSONNode { JSONNode(value: (value as? [String: Any])?[key]) }

  subscript(index: Int) -> JSONNode {
    let array = value as? [Any] ?? []
    return JSONNode(value: index < array.count ? array[index] : nil)
  }

  var integer: Int? { (value as? NSNumber).map(\.intValue) }
  var number: Double? { (value as? NSNumber).map(\.doubleValue) }
  var string: String? { value as? String }
  var flag: Bool? { value as? Bool }
  var count: Int? { (value as? [Any])?.count }

  /// Whether the key is there and `null`.
  var isNull: Bool { value is NSNull }
}

/// A path in the temporary folder that no other test uses; the file goes away with the value.
final class TemporaryFile {
  let path: String

  init(_ name: String) {
    path = NSTemporaryDirectory() + "/scrolltrace-\(UUID().uuidString)-\(name)"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
