/// The words of the recording layout (F-4): categories, names and arguments that have a meaning.
///
/// Categories that start with `scrolltrace.` are reserved (F-3). Events with other words are kept as
/// plain work.
@usableFromInline package enum Vocabulary {
  /// The categories.
  @usableFromInline package enum Category {
    @inlinable package static var frame: StaticString { "scrolltrace.frame" }
    /// `scrolltrace.surface`: an instant, name = surface, that says how exact its times are; arguments
    /// `tolerance` (ns), `grid` and `hitchList` (its hitches are listed, even if there are none).
    @inlinable package static var surface: StaticString { "scrolltrace.surface" }
    /// `scrolltrace.hitch`: an instant, name = surface, for hosts whose system lists hitches and not
    /// frames; arguments `duration` (ns) and, where known, `interval` (ns) and `label`.
    @inlinable package static var hitch: StaticString { "scrolltrace.hitch" }
    @inlinable package static var phase: StaticString { "scrolltrace.phase" }
    @inlinable package static var cell: StaticString { "scrolltrace.cell" }
    @inlinable package static var image: StaticString { "scrolltrace.image" }
    @inlinable package static var data: StaticString { "scrolltrace.data" }
    @inlinable package static var interaction: StaticString { "scrolltrace.interaction" }
    @inlinable package static var state: StaticString { "scrolltrace.state" }
    @inlinable package static var counter: StaticString { "scrolltrace.counter" }
    @inlinable package static var waiting: StaticString { "scrolltrace.waiting" }
    /// `scrolltrace.machine`: an instant `sleep` says that the machine slept since the last one, or
    /// since the recording began; argument `duration` (ns).
    @inlinable package static var machine: StaticString { "scrolltrace.machine" }
    /// `scrolltrace.work`: the host's own work without a category of its own.
    @inlinable package static var work: StaticString { "scrolltrace.work" }
    /// `scrolltrace.thread`: what a system counted for the event's thread or did with it, see
    /// `Vocabulary.Thread`.
    @inlinable package static var thread: StaticString { "scrolltrace.thread" }
  }

  /// The names of arguments.
  @usableFromInline package enum Key {
    @inlinable package static var frame: StaticString { "frame" }
    @inlinable package static var begin: StaticString { "begin" }
    @inlinable package static var deadline: StaticString { "deadline" }
    @inlinable package static var target: StaticString { "target" }
    @inlinable package static var interval: StaticString { "interval" }
    @inlinable package static var presented: StaticString { "presented" }
    /// `commitStart`: in an instant of a frame whose commit is recorded after the fact.
    @inlinable package static var commitStart: StaticString { "commitStart" }
    /// `commitEnd`: likewise.
    @inlinable package static var commitEnd: StaticString { "commitEnd" }
    @inlinable package static var outcome: StaticString { "outcome" }
    @inlinable package static var tolerance: StaticString { "tolerance" }
    @inlinable package static var grid: StaticString { "grid" }
    @inlinable package static var hitchList: StaticString { "hitchList" }
    @inlinable package static var duration: StaticString { "duration" }
    @inlinable package static var label: StaticString { "label" }
    @inlinable package static var surface: StaticString { "surface" }
    @inlinable package static var key: StaticString { "key" }
    @inlinable package static var value: StaticString { "value" }
    @inlinable package static var list: StaticString { "list" }
    @inlinable package static var item: StaticString { "item" }
    @inlinable package static var position: StaticString { "position" }
    @inlinable package static var view: StaticString { "view" }
    @inlinable package static var kind: StaticString { "kind" }
    @inlinable package static var registration: StaticString { "registration" }
    @inlinable package static var reused: StaticString { "reused" }
    @inlinable package static var ahead: StaticString { "ahead" }
    @inlinable package static var estimatedSize: StaticString { "estimatedSize" }
    @inlinable package static var size: StaticString { "size" }
    @inlinable package static var bytes: StaticString { "bytes" }
    @inlinable package static var inserted: StaticString { "inserted" }
    @inlinable package static var deleted: StaticString { "deleted" }
    @inlinable package static var reconfigured: StaticString { "reconfigured" }
    @inlinable package static var reloaded: StaticString { "reloaded" }
    /// `process`: the process of a thread, in kernel object records; Fuchsia's word.
    @inlinable package static var process: StaticString { "process" }
    @inlinable package static var end: StaticString { "end" }
    /// `cpu`: the thread's time on a core since its start (ns); in the instant at a frame's start, in the
    /// span of its commit (as of the commit's end), and in `scrolltrace.thread`.
    @inlinable package static var cpu: StaticString { "cpu" }
    /// `ready`: likewise, its time ready to run without a core (ns).
    @inlinable package static var ready: StaticString { "ready" }
    /// `preemptions`: likewise, how often it lost its core although it could have gone on.
    @inlinable package static var preemptions: StaticString { "preemptions" }
    /// `waits`: likewise, how often it gave its core away to wait.
    @inlinable package static var waits: StaticString { "waits" }
    /// `faults`: likewise, page faults without input.
    @inlinable package static var faults: StaticString { "faults" }
    /// `diskFaults`: likewise, page faults that had to read from disk.
    @inlinable package static var diskFaults: StaticString { "diskFaults" }
    /// `core`: the core on which a thread ran.
    @inlinable package static var core: StaticString { "core" }
    /// `waker`: the number of the thread that made this one ready.
    @inlinable package static var waker: StaticString { "waker" }
  }

  /// The words of a frame's outcome, as the argument `outcome` spells them.
  @usableFromInline package enum Outcome {
    @inlinable package static var presented: StaticString { "presented" }
    /// `presentedOnTime`: presented on time, according to the source.
    @inlinable package static var presentedOnTime: StaticString { "presentedOnTime" }
    @inlinable package static var dropped: StaticString { "dropped" }
    @inlinable package static var notRequested: StaticString { "notRequested" }
  }
}

extension Vocabulary {
  /// The names of category `scrolltrace.thread`: instants of the thread that they are about.
  @usableFromInline package enum Thread {
    /// `time`: the counts of `Key.cpu` and the keys after it, since the thread's start.
    @inlinable package static var time: StaticString { "time" }
    /// `running`: the thread ran from the event's time to `end` (ns); `core` if known.
    @inlinable package static var running: StaticString { "running" }
    /// `ready`: the thread was ready to run until `end`, without a core; `waker` if known.
    @inlinable package static var ready: StaticString { "ready" }
    /// `blocked`: the thread slept or waited until `end`.
    @inlinable package static var blocked: StaticString { "blocked" }
  }

  /// The phases of a frame's commit, category `scrolltrace.phase`.
  @usableFromInline package enum Phase {
    @inlinable package static var event: StaticString { "event" }
    @inlinable package static var update: StaticString { "update" }
    @inlinable package static var layout: StaticString { "layout" }
    @inlinable package static var draw: StaticString { "draw" }
    @inlinable package static var prepare: StaticString { "prepare" }
    @inlinable package static var commit: StaticString { "commit" }
  }

  /// The names of category `scrolltrace.cell`: spans, then marks.
  @usableFromInline package enum Cell {
    @inlinable package static var fetch: StaticString { "fetch" }
    @inlinable package static var dequeue: StaticString { "dequeue" }
    @inlinable package static var create: StaticString { "create" }
    @inlinable package static var prepareForReuse: StaticString { "prepareForReuse" }
    @inlinable package static var configure: StaticString { "configure" }
    @inlinable package static var size: StaticString { "size" }
    @inlinable package static var prepare: StaticString { "prepare" }
    @inlinable package static var willDisplay: StaticString { "willDisplay" }
    @inlinable package static var didEndDisplaying: StaticString { "didEndDisplaying" }
    @inlinable package static var discard: StaticString { "discard" }
  }

  /// The names of category `scrolltrace.image`: spans, then marks.
  @usableFromInline package enum Image {
    @inlinable package static var decode: StaticString { "decode" }
    @inlinable package static var thumbnail: StaticString { "thumbnail" }
    @inlinable package static var download: StaticString { "download" }
    @inlinable package static var placeholder: StaticString { "placeholder" }
    @inlinable package static var final: StaticString { "final" }
    @inlinable package static var cacheHit: StaticString { "cacheHit" }
    @inlinable package static var cacheMiss: StaticString { "cacheMiss" }
    @inlinable package static var evict: StaticString { "evict" }
  }

  /// The names of category `scrolltrace.data`: spans, then marks.
  @usableFromInline package enum Data {
    @inlinable package static var load: StaticString { "load" }
    @inlinable package static var applySnapshot: StaticString { "applySnapshot" }
    @inlinable package static var prefetch: StaticString { "prefetch" }
    @inlinable package static var cancelPrefetch: StaticString { "cancelPrefetch" }
    @inlinable package static var lateResult: StaticString { "lateResult" }
  }

  /// The names of category `scrolltrace.interaction`.
  @usableFromInline package enum Interaction {
    @inlinable package static var drag: StaticString { "drag" }
    @inlinable package static var deceleration: StaticString { "deceleration" }
    @inlinable package static var animation: StaticString { "animation" }
    @inlinable package static var reorder: StaticString { "reorder" }
    @inlinable package static var paging: StaticString { "paging" }
    @inlinable package static var refresh: StaticString { "refresh" }
  }
}
