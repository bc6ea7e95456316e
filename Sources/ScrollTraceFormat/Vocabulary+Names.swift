/// The names that have a meaning in their category (F-4).
extension Vocabulary {
  /// The phases of a frame's commit, category `scrolltrace.phase`.
  public enum Phase {
    /// `event`
    @inlinable public static var event: StaticString { "event" }
    /// `update`
    @inlinable public static var update: StaticString { "update" }
    /// `layout`
    @inlinable public static var layout: StaticString { "layout" }
    /// `draw`
    @inlinable public static var draw: StaticString { "draw" }
    /// `prepare`
    @inlinable public static var prepare: StaticString { "prepare" }
    /// `commit`
    @inlinable public static var commit: StaticString { "commit" }
  }

  /// The names of category `scrolltrace.cell`: spans, then marks.
  public enum Cell {
    /// `fetch`
    @inlinable public static var fetch: StaticString { "fetch" }
    /// `dequeue`
    @inlinable public static var dequeue: StaticString { "dequeue" }
    /// `create`
    @inlinable public static var create: StaticString { "create" }
    /// `prepareForReuse`
    @inlinable public static var prepareForReuse: StaticString { "prepareForReuse" }
    /// `configure`
    @inlinable public static var configure: StaticString { "configure" }
    /// `size`
    @inlinable public static var size: StaticString { "size" }
    /// `prepare`
    @inlinable public static var prepare: StaticString { "prepare" }
    /// `willDisplay`
    @inlinable public static var willDisplay: StaticString { "willDisplay" }
    /// `didEndDisplaying`
    @inlinable public static var didEndDisplaying: StaticString { "didEndDisplaying" }
    /// `discard`
    @inlinable public static var discard: StaticString { "discard" }
  }

  /// The names of category `scrolltrace.image`: spans, then marks.
  public enum Image {
    /// `decode`
    @inlinable public static var decode: StaticString { "decode" }
    /// `thumbnail`
    @inlinable public static var thumbnail: StaticString { "thumbnail" }
    /// `download`
    @inlinable public static var download: StaticString { "download" }
    /// `placeholder`
    @inlinable public static var placeholder: StaticString { "placeholder" }
    /// `final`
    @inlinable public static var final: StaticString { "final" }
    /// `cacheHit`
    @inlinable public static var cacheHit: StaticString { "cacheHit" }
    /// `cacheMiss`
    @inlinable public static var cacheMiss: StaticString { "cacheMiss" }
    /// `evict`
    @inlinable public static var evict: StaticString { "evict" }
  }

  /// The names of category `scrolltrace.data`: spans, then marks.
  public enum Data {
    /// `load`
    @inlinable public static var load: StaticString { "load" }
    /// `applySnapshot`
    @inlinable public static var applySnapshot: StaticString { "applySnapshot" }
    /// `prefetch`
    @inlinable public static var prefetch: StaticString { "prefetch" }
    /// `cancelPrefetch`
    @inlinable public static var cancelPrefetch: StaticString { "cancelPrefetch" }
    /// `lateResult`
    @inlinable public static var lateResult: StaticString { "lateResult" }
  }

  /// The names of category `scrolltrace.interaction`.
  public enum Interaction {
    /// `drag`
    @inlinable public static var drag: StaticString { "drag" }
    /// `deceleration`
    @inlinable public static var deceleration: StaticString { "deceleration" }
    /// `animation`
    @inlinable public static var animation: StaticString { "animation" }
    /// `reorder`
    @inlinable public static var reorder: StaticString { "reorder" }
    /// `paging`
    @inlinable public static var paging: StaticString { "paging" }
    /// `refresh`
    @inlinable public static var refresh: StaticString { "refresh" }
  }
}

extension Vocabulary.Key {
  /// `process`: the process of a thread, in kernel object records; Fuchsia's word.
  @inlinable public static var process: StaticString { "process" }
}
