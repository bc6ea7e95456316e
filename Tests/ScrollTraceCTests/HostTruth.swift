import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel

/// What a host measured of its own commits, to compare a report with.
struct HostTruth {
  /// One commit, in nanoseconds.
  struct Commit {
    var wall: Int64
    var cpu: Int64
    /// The time ready without a core, by the kernel's count.
    var ready: Int64
  }

  /// The commits by the numbers of their frames.
  let commits: [UInt64: Commit]

  /// Reads a table whose first columns are frame, due, start, end, cpu and ready.
  init(path: String) throws {
    var commits: [UInt64: Commit] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
    {
      let columns = line.split(separator: ",")
      let values = columns.dropFirst().compactMap { Int64($0) }
      guard let frame = columns.first.flatMap({ UInt64($0) }), values.count > 4 else { continue }
      commits[frame] = Commit(wall: values[2] - values[1], cpu: values[3], ready: values[4])
    }
    self.commits = commits
  }

  /// The sum of a value over the commits of frames.
  func sum(of frames: Set<UInt64>, _ value: (Commit) -> Int64) -> Int64 {
    frames.reduce(0) { $0 + (commits[$1].map(value) ?? 0) }
  }
}

/// Processes that compute while a program runs.
enum OtherLoad {
  /// The start of a shell's line that has so many of them until it ends.
  static func line(processes: Int) -> String {
    guard processes > 0 else { return "" }
    let others = String(
      repeating: "(while :; do :; done) > /dev/null 2>&1 & pids=\"$pids $!\"; ",
      count: processes)
    return "trap 'kill -9 $pids' EXIT; \(others)"
  }
}

extension SurfaceAnalysis {
  /// The names of the work among the causes, most hitch time first.
  var workOfCauses: [String] {
    causes.compactMap { cause in
      guard case .work(_, let name) = cause.kind else { return nil }
      return name
    }
  }

  /// The time without a core in the windows of hitches with a frame, in nanoseconds.
  var notScheduledInHitches: Int64 {
    hitches.lazy.filter { $0.frame != nil }.compactMap(\.attribution)
      .reduce(0) { $0 + $1.notScheduled.nanoseconds }
  }
}
