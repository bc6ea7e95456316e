package import ScrollTraceModel

/// What the samples of a thread say about some windows (M-26).
package struct SampleAccount: Sendable {
  /// The time of a function.
  package struct FunctionTime: Equatable, Sendable {
    package let name: String
    /// The module or file, or `nil` if unknown.
    package let module: String?
    /// The time in which the function was innermost.
    package let own: TimeSpan
    /// The time in which the function was on the stack.
    package let total: TimeSpan
    package let ownSamples: Int
    package let totalSamples: Int

    /// Returns whether the function is in enough samples of an account, and in enough of its time.
    package func hasRow(in account: SampleAccount) -> Bool {
      let minimum = Double(account.length.nanoseconds) * SampleAccount.minimumShareOfRow
      return totalSamples >= SampleAccount.minimumSamplesOfRow
        && Double(total.nanoseconds) >= minimum
    }
  }

  /// A call path of a row.
  package struct Path: Hashable, Sendable {
    /// The functions, outermost first.
    package let functions: [String]
    /// The number of outermost functions that all samples of the account share.
    package let sharedCount: Int
    /// The position of the app's outermost function that is not only on the way to others, or else of the
    /// innermost one; `nil` if no function is the app's.
    package let firstOwn: Int?
    /// The time in the path and below it that no other path of the row has.
    package let time: TimeSpan
    package let samples: Int
  }

  /// The time in one innermost span, or in none.
  package struct Row: Equatable, Sendable {
    /// The span's category, or `nil` if no span was open.
    package let category: String?
    package let name: String?
    package let time: TimeSpan
    package let samples: Int
    /// The call paths that refine the row, longest first. Their sum is at most that of the row.
    package let paths: [Path]
  }

  /// The length of all windows.
  package let length: TimeSpan
  package let sampled: TimeSpan
  /// The number of samples that stand for it.
  package let samples: Int
  /// The rows with enough samples, longest first.
  package let rows: [Row]
  /// The outermost functions that all samples share, each once, outermost first.
  package let sharedCallers: [String]
  /// The functions, by own time, then by total time.
  package let functions: [FunctionTime]
  /// The app's functions by total time, without those that are only on the way to another.
  package let ownFunctions: [FunctionTime]
  package let flame: FlameTree
  /// The function that most of the time without a span is in, or `nil` if no function is.
  package let unrecorded: SampledCode?
  /// The function that most of the time in each work that fills a tenth of the windows is in.
  let inWork: [WorkName: SampledCode]

  package var notSampled: TimeSpan { length - sampled }

  /// A Boolean value indicating whether there are so few samples that only their order counts.
  package var isOnlyOrder: Bool { samples < Self.minimumSamples }

  /// The number of samples from which times are reported.
  package static let minimumSamples = 10
  /// The number of samples from which a row is reported.
  static let minimumSamplesOfRow = 3
  /// The share of the windows from which a row is reported.
  static let minimumShareOfRow = 0.02

  package var functionsByTotal: [FunctionTime] { Self.sortedByTotal(functions) }

  static func sortedByTotal(_ functions: [FunctionTime]) -> [FunctionTime] {
    functions.filter { $0.total > .zero }.sorted {
      ($1.total, $1.own, $0.name, $0.module ?? "") < ($0.total, $0.own, $1.name, $1.module ?? "")
    }
  }
}

/// Stacks with their times as a tree in preorder, for flame graphs.
package struct FlameTree: Sendable {
  /// A span or function below its callers.
  package struct Node: Sendable {
    package let name: String
    package let module: String?
    package let depth: Int
    /// A Boolean value indicating whether this is a span, or the time without one.
    package let isSpan: Bool
    package let time: TimeSpan
    package let samples: Int
  }

  /// The most nodes and the greatest depth of a tree.
  package static let maximumCount = 2000
  package static let maximumDepth = 64

  /// The nodes, each followed by those inside it, longest first.
  package let nodes: [Node]
}

/// The function of the app that most of the sampled time without a span, or in one, is in (M-26), or one of a
/// library if there is none.
package struct SampledCode: Equatable, Sendable {
  let sampledFunction: SampledFunction
  package let function: String
  /// The outermost function above it, of the app if it is, that not all samples share, or `nil` if there is
  /// none.
  package let caller: String?
  /// The function of a library that it spends most of its time in, or `nil` if there is none.
  package let called: String?
  /// A Boolean value indicating whether it is a function of the app.
  package let isOwn: Bool
  /// A Boolean value indicating whether the thread was waiting for events in it.
  package let isIdle: Bool
  package let module: String?
  /// The part of the time in which the function was on the stack.
  package let time: TimeSpan
  /// All sampled time without a span, or in that one.
  package let whole: TimeSpan

  /// A Boolean value indicating whether the function explains most of that time.
  package var isMost: Bool { time.nanoseconds > whole.nanoseconds / 2 }
}

extension StackSums {
  /// The part of a caller's time from which a function called is followed.
  static var followedShare: Double { 0.75 }

  /// The app's innermost function on the path along which nearly all of the time lies, or the one outside of
  /// the loop that most of the time is in, wherever it is called; `nil` if there is none.
  ///
  /// - Parameter loop: The outermost functions that all whole stacks share. The frame loop contains all that
  ///   is slow, so it is followed into what takes longest, there or in a stack that is cut off.
  func heaviestPath(
    below loop: [SampledFunction], isOwn: (SampledFunction) -> Bool
  ) -> (function: SampledFunction, caller: SampledFunction?, sum: Sum)? {
    let (roots, children) = calls()
    var found: (function: SampledFunction, caller: SampledFunction?, sum: Sum)?
    var candidates = roots
    for function in loop {
      guard let next = candidates.firstIndex(where: { tree.function(of: stack($0)) == function })
      else { break }
      let index = candidates.remove(at: next)
      if isOwn(function) { found = (function, nil, totals[index]) }
      candidates += children[index]
    }
    var next = candidates.min { (totals[$1].time, $0) < (totals[$0].time, $1) }
    var caller: SampledFunction?
    while let index = next {
      let function = tree.function(of: stack(index))
      if isOwn(function) {
        found = (function, caller, totals[index])
        caller = caller ?? function
      }
      let limit = Int64(Double(totals[index].time) * Self.followedShare)
      next = children[index].first.flatMap { totals[$0].time >= limit ? $0 : nil }
    }
    guard caller == nil else { return found }
    // Frameworks call the app at several places, and do work of their own beside it.
    let whole = roots.reduce(withoutStack?.time ?? 0) { $0.saturatingAdd(totals[$1].time) }
    var most = whole / 2
    for (function, _, total) in functions
    where total.time > most && isOwn(function) && !loop.contains(function) {
      (found, most) = ((function, nil, total), total.time)
    }
    return found
  }
}
