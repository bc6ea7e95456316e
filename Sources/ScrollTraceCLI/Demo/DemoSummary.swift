import ReferenceListEngine
import ScrollTraceKit

/// What the engine says it has done, to be held against the analysis of its recording.
struct DemoSummary {
  /// What it has counted.
  let counters: EngineCounters
  /// The recording; `nil` where there is none.
  let path: String?

  /// A few lines, the next command last.
  var text: String {
    let rows = [
      ("frames", "\(counters.frames), \(counters.deadlineMisses) after their deadline"),
      ("hitches", "\(counters.hitches), \(milliseconds(counters.hitchTime)) in all"),
      (
        "cells",
        "\(counters.cellsPrepared) prepared: \(counters.cellsReused) reused,"
          + " \(counters.cellsCreated) created"
      ),
      (
        "ahead",
        "\(counters.cellsPreparedAhead) of them: \(counters.cellsShownAhead) shown,"
          + " \(counters.cellsWasted) given up"
      ),
      (
        "loads",
        "\(counters.loadsRequested) asked for, \(counters.loadsFinished) finished,"
          + " \(counters.loadsCancelled) cancelled"
      ),
      (
        "images",
        "\(counters.decodesOnMain) decoded on the main thread,"
          + " \(counters.decodesInBackground) in the background"
      ),
      ("main", "busy for \(milliseconds(counters.mainBusy))"),
      ("background", "busy for \(milliseconds(counters.backgroundBusy))"),
    ]
    let lines = rows.map { name, fact in
      "  " + name + String(repeating: " ", count: 12 - name.count) + fact
    }
    let account = "The engine's own account:\n" + lines.joined(separator: "\n") + "\n"
    guard let path else { return account }
    return account
      + "\nNext: \(ScrollTraceCommand.name) analyze \(ShellWord.quoted(path, for: .terminal))\n"
  }

  /// Nanoseconds as milliseconds with one place.
  private func milliseconds(_ time: Int64) -> String {
    let tenths = (time + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
