import Foundation

/// A script for Python, which is not on every machine.
struct PythonScript {
  /// Where the script is.
  let path: String

  /// Whether scripts can be run here.
  static let canRun = (try? shell("python3 --version")) == 0

  /// Runs the script with the file `input` as its input and `output` as its output; its exit status.
  func run(input: String, output: String) throws -> Int32 {
    try Self.shell("python3 \"\(path)\" < \"\(input)\" > \"\(output)\"")
  }

  private static func shell(_ command: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
