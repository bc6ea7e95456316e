package import ScrollTraceModel

/// The function of the host that most of the sampled time without a span is in (M-26).
package struct UnrecordedCode: Equatable, Sendable {
  /// The function's name.
  package let function: String
  /// The outermost function of the host above it that not all samples share, or `nil` if there is none.
  package let caller: String?
  /// The module or file, or `nil` if unknown.
  package let place: String?
  /// The time in which the function was on the stack and no span was open.
  package let time: TimeSpan
  /// The number of samples that stand for it.
  package let samples: Int
  /// All sampled time without a span.
  package let whole: TimeSpan

  /// A Boolean value indicating whether the function explains most of the time without a span.
  package var isMost: Bool { time.nanoseconds > whole.nanoseconds / 2 }

  /// The starts of the names of libraries whose functions nobody wraps in a span.
  private static let libraries = [
    "ld-linux", "ld-musl", "linux-vdso", "libc.so", "libc-", "libc++", "libm.so", "libpthread",
    "libdl.so", "librt.so", "libgcc", "libstdc++", "libswift", "libFoundation", "lib_Foundation",
    "libdispatch", "libBlocksRuntime", "libCScrollTrace",
  ]

  /// Returns whether a function is in a program or library that may be the host's own.
  static func isHost(place: String) -> Bool {
    !place.isEmpty && !libraries.contains { place.hasPrefix($0) }
  }
}

extension StackSums {
  /// The part of a caller's time from which a function called is followed.
  static var followedShare: Double { 0.75 }

  /// The innermost host function on the path along which nearly all of the time lies, or `nil` if there
  /// is none.
  ///
  /// - Parameter sharedCount: The number of outermost functions that all samples share: such a function, as
  ///   the frame loop, is followed into what takes longest, however little that is.
  func heaviestPath(
    sharedCount: Int, isHost: (SampledFunction) -> Bool
  ) -> (stack: StackID, caller: StackID?, sum: Sum)? {
    let (roots, children) = calls()
    var found: (stack: StackID, caller: StackID?, sum: Sum)?
    var caller: StackID?
    var (candidates, depth, limit) = (roots, 0, Int64(0))
    while let next = candidates.first, totals[next].time >= limit {
      depth += 1
      let isShared = depth <= sharedCount
      if isHost(tree.function(of: stack(next))) {
        found = (stack(next), caller, totals[next])
        if !isShared { caller = caller ?? stack(next) }
      }
      limit = isShared ? 0 : Int64(Double(totals[next].time) * Self.followedShare)
      candidates = children[next]
    }
    return found
  }
}
