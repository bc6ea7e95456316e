import ScrollTraceKit

/// Watching where there is no screen: a line for each second and for each hitch.
extension Watch {
  /// How often it is looked, in milliseconds.
  private static let pause: Int64 = 250

  /// Prints lines until the recording ends.
  func printLines() throws -> Outcome {
    TerminalSignals.watchEnd()
    defer { TerminalSignals.ignoreEnd() }
    guard var file = try open({ try console.print($0) }) else { return Outcome() }
    var lines = WatchLines(sink: console.sink)
    try file.step(now: Self.milliseconds)
    while file.isBehind, !isAsked { try file.step(now: Self.milliseconds) }
    try console.print(lines.opening(of: file))
    while !isAsked, !file.isOver(now: Self.milliseconds) {
      Self.sleep(min(Self.pause, end.map { max(1, $0 - Self.milliseconds) } ?? Self.pause))
      try file.step(now: Self.milliseconds)
      try console.print(lines.news(of: file, now: Self.milliseconds))
      if file.replace(now: Self.milliseconds) {
        lines = WatchLines(sink: console.sink)
        try file.step(now: Self.milliseconds)
        try console.print("replaced by another recording\n" + lines.opening(of: file))
      }
    }
    if file.isOver(now: Self.milliseconds) { try file.end() }
    try console.print(lines.closing(of: file))
    return Outcome(hasLost: file.hasLost)
  }
}
