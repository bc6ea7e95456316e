import Foundation

/// A script that a shell has run.
package struct ShellRun {
  /// Its exit status.
  package let status: Int32
  /// What it printed.
  package let output: String

  /// Runs `script`.
  ///
  /// - Parameters:
  ///   - words: What the script knows as `$1`, `$2` and so on.
  ///   - folder: Where it is run.
  ///   - variables: What the environment has besides.
  ///   - keepsErrors: Whether what it says on standard error is part of the output; else it is lost.
  package init(
    _ script: String, _ words: [String] = [], in folder: String = "/",
    variables: [String: String] = [:], keepsErrors: Bool = true
  ) throws {
    let process = Process()
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-e", "-c", script, "sh"] + words
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = keepsErrors ? pipe : FileHandle.nullDevice
    try process.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: text, as: UTF8.self)
  }

  /// Whether `script` ends with the status 0.
  package static func succeeds(_ script: String) -> Bool { (try? ShellRun(script).status) == 0 }
}
