import Foundation

/// Lines of shell.
enum Shell {
  /// Runs a line; what it prints, and an error where its exit status is not 0.
  @discardableResult
  static func run(_ line: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw CProgram.Failure(command: line, output: output)
    }
    return output
  }

  /// Whether a command is installed here.
  static func has(_ command: String) -> Bool {
    (try? run("command -v \(command)")) != nil
  }
}
