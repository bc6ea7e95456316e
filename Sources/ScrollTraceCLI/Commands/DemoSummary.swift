import ReferenceListEngine
import ScrollTraceKit

/// What the engine says it has done, to be held against the analysis of its recording.
struct DemoSummary {
  /// What it has counted.
  let counters: EngineCounters
  /// The recording.
  let path: String

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
        "loads",
        "\(counters.loadsRequested) asked for, \(counters.loadsFinished) finished,"
          + " \(counters.lateResults) too late for their cell"
      ),
      (
        "images",
        "\(counters.decodesOnMain) decoded on the main thread,"
          + " \(counters.decodesInBackground) in the background"
      ),
      ("background", "busy for \(milliseconds(counters.backgroundBusy))"),
    ]
    let lines = rows.map { name, fact in
      "  " + name + String(repeating: " ", count: 12 - name.count) + fact
    }
    return """
      The engine's own account:
      \(lines.joined(separator: "\n"))

      Next: \(ScrollTraceCommand.name) analyze \(Sink.terminal.escape(path))

      """
  }

  /// Nanoseconds as milliseconds with one place.
  private func milliseconds(_ time: Int64) -> String {
    let tenths = (time + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
