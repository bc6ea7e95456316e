import Foundation

/// Says which of the tests ran that must not be left out, for whoever runs them all.
enum RanTests {
  /// Adds a line to the file that `SCROLLTRACE_RAN` names.
  static func note(_ name: String) {
    guard let path = ProcessInfo.processInfo.environment["SCROLLTRACE_RAN"],
      let file = fopen(path, "a")
    else { return }
    fputs(name + "\n", file)
    fclose(file)
  }
}
