import ScrollTraceModel

/// Process and thread numbers for viewers: 32 bits, and not zero.
struct SmallNumbers {
  private(set) var processes: [Int64] = []
  private(set) var threads: [Int64] = []
  private(set) var changedCount = 0

  init(_ trace: Trace) {
    let (processes, changed) = Self.numbers(trace.processes.map(\.systemID))
    let (threads, others) = Self.numbers(
      trace.tracks.map(\.systemID))
    self.processes = processes
    self.threads = threads
    changedCount = changed + others
  }

  /// Gives the main thread the number of its process if another thread has that, which readers of
  /// Perfetto's files would take for the main thread.
  mutating func numberMainThread(of trace: Trace) {
    guard let main = trace.mainTrack, main.index < threads.count else { return }
    let wanted = processes[trace.tracks[main.index].process.index]
    guard let other = threads.firstIndex(of: wanted), other != main.index else { return }
    threads.swapAt(other, main.index)
    changedCount += 2
  }

  /// Returns the numbers themselves if they fit, otherwise free ones in descending order.
  private static func numbers(_ wanted: [UInt64]) -> ([Int64], Int) {
    let maximum = UInt64(Int32.max)
    var taken = Set(wanted.filter { 1...maximum ~= $0 })
    var next = maximum
    var changed = 0
    let numbers = wanted.map { number in
      guard !(1...maximum ~= number) else { return Int64(number) }
      while taken.contains(next), next > 1 { next -= 1 }
      taken.insert(next)
      changed += 1
      return Int64(next)
    }
    return (numbers, changed)
  }
}
