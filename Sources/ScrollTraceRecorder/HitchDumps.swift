/// When a recorder writes a dump by itself: after a hitch.
///
/// ```swift
/// var options = RecorderOptions()
/// options.ringBytes = 4 << 20
/// options.dumpsOnHitch = HitchDumps(of: 100_000_000, to: "hitch")   // hitch-1.fxt, hitch-2.fxt …
/// ```
public struct HitchDumps: Sendable {
  /// The shortest hitch that is worth a dump, in nanoseconds.
  public var limit: Nanoseconds
  /// The beginning of the files' paths; `-1.fxt`, `-2.fxt` and so on follow, those left out that are
  /// there already.
  public var path: String
  /// How long after a dump no other is made: 10 s.
  public var pause: Nanoseconds = 10_000_000_000
  /// The most dumps of a recording.
  public var maximumCount = 16

  /// Dumps for hitches of `limit` nanoseconds and longer, in files whose paths begin with `path`.
  public init(of limit: Nanoseconds, to path: String) {
    self.limit = limit
    self.path = path
  }
}

/// The dumps that a recorder has made by itself.
public struct RecorderDumps: Sendable {
  /// The files, in their order.
  public internal(set) var paths: [String] = []
  /// Why the last one that failed did; `nil` where none has.
  public internal(set) var lastError: RecorderError?
}
