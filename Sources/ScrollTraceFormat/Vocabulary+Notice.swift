/// The names of category `scrolltrace.notice`.
extension Vocabulary {
  /// What there is to know about a trace; the arguments stand behind each.
  public enum Notice {
    /// `notClosed`
    @inlinable public static var notClosed: StaticString { "notClosed" }
    /// `keepsLastPart`: `duration` where known, `count` of chunks.
    @inlinable public static var keepsLastPart: StaticString { "keepsLastPart" }
    /// `presentedBeforeBegin`: `surface`, `count`.
    @inlinable public static var presentedBeforeBegin: StaticString { "presentedBeforeBegin" }
    /// `noMainTrack`
    @inlinable public static var noMainTrack: StaticString { "noMainTrack" }
    /// `noFrames`
    @inlinable public static var noFrames: StaticString { "noFrames" }
    /// `repeatedFrameNumbers`: `surface`, `count`.
    @inlinable public static var repeatedFrameNumbers: StaticString { "repeatedFrameNumbers" }
    /// `unfinishedSpans`: `count`.
    @inlinable public static var unfinishedSpans: StaticString { "unfinishedSpans" }
    /// `source`: `text`.
    @inlinable public static var source: StaticString { "source" }
  }
}
