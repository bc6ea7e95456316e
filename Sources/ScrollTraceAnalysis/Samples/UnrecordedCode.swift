package import ScrollTraceModel

/// The function of the app that most of the sampled time without a span is in (M-26).
package struct UnrecordedCode: Equatable, Sendable {
  package let function: String
  /// The outermost function of the app above it that not all samples share, or `nil` if there is none.
  package let caller: String?
  /// The function of a library that it spends most of its time in, or `nil` if there is none.
  package let called: String?
  /// The module or file, or `nil` if unknown.
  package let module: String?
  /// The time in which the function was on the stack and no span was open.
  package let time: TimeSpan
  /// The number of samples that stand for it.
  package let samples: Int
  /// All sampled time without a span.
  package let whole: TimeSpan

  /// A Boolean value indicating whether the function explains most of the time without a span.
  package var isMost: Bool { time.nanoseconds > whole.nanoseconds / 2 }
}

extension StackSums {
  /// The part of a caller's time from which a function called is followed.
  static var followedShare: Double { 0.75 }

  /// The app's innermost function on the path along which nearly all of the time lies, or `nil` if there
  /// is none.
  ///
  /// - Parameter sharedCount: The number of outermost functions that all samples share: such a function, as
  ///   the frame loop, is followed into what takes longest, however little that is.
  func heaviestPath(
    sharedCount: Int, isOwn: (SampledFunction) -> Bool
  ) -> (stack: StackID, caller: StackID?, sum: Sum)? {
    let (roots, children) = calls()
    var found: (stack: StackID, caller: StackID?, sum: Sum)?
    var caller: StackID?
    var (candidates, depth, limit) = (roots, 0, Int64(0))
    while let next = candidates.first, totals[next].time >= limit {
      depth += 1
      let isShared = depth <= sharedCount
      if isOwn(tree.function(of: stack(next))) {
        found = (stack(next), caller, totals[next])
        if !isShared { caller = caller ?? stack(next) }
      }
      limit = isShared ? 0 : Int64(Double(totals[next].time) * Self.followedShare)
      candidates = children[next]
    }
    return found
  }
}
