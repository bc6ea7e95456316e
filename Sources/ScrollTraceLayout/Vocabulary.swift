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
    /// `scrolltrace.notice`: an instant `source`: what the recorder says of the recording to the reader of
    /// the report; argument `text`.
    @inlinable package static var notice: StaticString { "scrolltrace.notice" }
    /// `scrolltrace.overlap`: in a copy in another format, the second category of a span that overlaps
    /// others of its thread, because that format's threads are stacks.
    @inlinable package static var overlap: StaticString { "scrolltrace.overlap" }
  }

  /// The names of arguments; the cases are their spelling.
  ///
  /// The recorder writes those up to `diskFaults`: their raw value is their string index, which is the
  /// same in every recording and below 64, so that one word records which of them a chunk defines.
  @usableFromInline package enum Key: Int, CodingKey, CaseIterable, Sendable {
    case frame = 1
    case begin
    case deadline
    case target
    case interval
    case presented
    case outcome
    case tolerance
    case grid
    case surface
    case key
    case value
    case list
    case item
    case position
    case view
    case kind
    case registration
    case reused
    case ahead
    case estimatedSize
    case size
    case bytes
    case inserted
    case deleted
    case reconfigured
    case reloaded
    /// The process of a thread, in kernel object records; Fuchsia's word.
    case process
    case hitchList
    case duration
    case label
    /// In an instant of a frame whose commit is recorded after the fact.
    case commitStart
    /// Likewise.
    case commitEnd
    /// The thread's time on a core since its start (ns); in the instant at a frame's start, in the
    /// span of its commit (as of the commit's end), and in `scrolltrace.thread`.
    case cpu
    /// Likewise, its time ready to run without a core (ns).
    case ready
    /// Likewise, how often it lost its core although it could have gone on.
    case preemptions
    /// Likewise, how often it gave its core away to wait.
    case waits
    /// Likewise, page faults without input.
    case faults
    /// Likewise, pages of 4 KB read from disk, by page faults or by reads.
    case diskFaults

    /// Of a thread's state, its end.
    case end
    /// The core on which a thread ran.
    case core
    /// The number of the thread that made this one ready.
    case waker
    /// Of a notice, a sentence.
    case text

    /// The key's name in a file.
    @usableFromInline package var description: String { stringValue }
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

  /// The names of category `scrolltrace.machine`.
  @usableFromInline package enum Machine {
    @inlinable package static var sleep: StaticString { "sleep" }
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

  /// The names of category `scrolltrace.notice`.
  @usableFromInline package enum Notice {
    @inlinable package static var source: StaticString { "source" }
  }
}

extension Vocabulary {
  /// The way a reader handles the events of a category.
  package enum Role: UInt64, Sendable {
    /// Work, marks and samples, as the event states.
    case plain
    case frame
    /// The accuracy of a surface's times.
    case surface
    /// Hitches listed by the source.
    case hitch
    case interaction
    case state
    case counter
    /// Events of the machine, such as sleep.
    case machine
    /// A system's counts for a thread, or its states.
    case thread
    /// Notices for the reader of the report.
    case notice
  }

  /// A category with all that its events can say.
  package struct Row: Sendable {
    package let category: StaticString
    package let role: Role
    /// The names of events that have a meaning; those of other categories are the host's own.
    package let names: [StaticString]
    /// Those at the end of `names` that are marks beside spans.
    package let marks: [StaticString]
    package let keys: [Key]

    init(
      _ category: StaticString, _ role: Role = .plain, names: [StaticString] = [],
      marks: [StaticString] = [], _ keys: [Key] = []
    ) {
      self.category = category
      self.role = role
      self.names = names + marks
      self.marks = marks
      self.keys = keys
    }
  }

  package static let threadCounts: [Key] = [
    .cpu, .ready, .preemptions, .waits, .faults, .diskFaults,
  ]

  package static let table: [Row] = [
    Row(
      Category.frame, .frame,
      [
        .frame, .begin, .deadline, .target, .interval, .presented, .outcome, .commitStart,
        .commitEnd,
      ] + threadCounts),
    Row(
      Category.surface, .surface,
      [.tolerance, .grid, .hitchList]),
    Row(Category.hitch, .hitch, [.duration, .interval, .label]),
    Row(
      Category.phase,
      names: [
        Phase.event, Phase.update, Phase.layout, Phase.draw, Phase.prepare, Phase.commit,
      ]),
    Row(
      Category.cell,
      names: [
        Cell.fetch, Cell.dequeue, Cell.create, Cell.prepareForReuse, Cell.configure, Cell.size,
        Cell.prepare,
      ], marks: [Cell.willDisplay, Cell.didEndDisplaying, Cell.discard],
      [
        .list, .item, .position, .view, .kind, .registration, .reused, .ahead, .estimatedSize,
        .size,
      ]),
    Row(
      Category.image,
      names: [Image.decode, Image.thumbnail, Image.download],
      marks: [
        Image.placeholder, Image.final, Image.cacheHit, Image.cacheMiss, Image.evict,
      ], [.item, .view, .bytes]),
    Row(
      Category.data,
      names: [Data.load, Data.applySnapshot],
      marks: [Data.prefetch, Data.cancelPrefetch, Data.lateResult],
      [.list, .item, .view, .kind, .inserted, .deleted, .reconfigured, .reloaded]),
    Row(
      Category.interaction, .interaction,
      names: [
        Interaction.drag, Interaction.deceleration, Interaction.animation, Interaction.reorder,
        Interaction.paging, Interaction.refresh,
      ], [.surface]),
    Row(Category.state, .state, [.key, .value]),
    Row(Category.counter, .counter),
    Row(Category.waiting),
    Row(Category.machine, .machine, names: [Machine.sleep], [.duration]),
    Row(Category.work),
    Row(
      Category.thread, .thread,
      names: [Thread.time, Thread.running, Thread.ready, Thread.blocked],
      threadCounts + [.end, .core, .waker, .process]),
    Row(Category.notice, .notice, names: [Notice.source], [.text]),
  ]
}
