/// How a recording is made; the defaults suit a host that runs in real time.
///
/// With a manual clock and given ids, the same calls give the same bytes:
///
/// ```swift
/// var options = RecorderOptions()
/// options.clock = .manual(start: 0)
/// options.session = SessionIdentifier(high: 1, low: 2)
/// options.processID = 1
/// options.processName = "Feed"
/// options.creatingThread = ThreadIdentity(id: 1, name: "main")
/// ```
public struct RecorderOptions: Sendable {
  /// The most bytes the file may grow to; events that find no room are counted as lost.
  public var maximumBytes: Int = 1 << 30
  /// How many bytes of the newest events are kept, oldest overwritten first: a flight recorder; `nil`
  /// for a file that grows.
  ///
  /// The file is larger by what is never overwritten: names, interactions, states and stacks of open
  /// spans, at most half as much again or half a MiB. The ring is at least 128 KiB, and 64 KiB for
  /// each thread that records at a time; `maximumBytes` has to leave room for all of it. See
  /// <doc:FlightRecorder>.
  public var ringBytes: Int?
  /// After which hitches a dump is written; `nil` for none. A hitch is known where a frame's deadline or
  /// target is given at its start, or where the system lists hitches.
  public var hitchDumps: HitchDumpPolicy?
  /// How many bytes are made ready at the start, so that the first events need not wait for the file
  /// to grow; 0 for none.
  public var preallocatedBytes: Int = 0
  /// Whether a file that is there already is removed first; else it is an error.
  public var replacesExistingFile = false
  /// Whether recording is on from the start.
  public var isEnabled = true
  /// The clock.
  public var clock: RecorderClock = .uptime
  /// What tells this recording from all others.
  public var session: SessionIdentifier = .random()
  /// The process id; `nil` for the true one.
  public var processID: UInt32?
  /// The process's name; `nil` for the program's.
  public var processName: String?
  /// Who the thread is that makes the recorder; `nil` for what the system says.
  public var creatingThread: ThreadIdentity?
  /// Whether the host records all work of its main thread, so that time without a span is idle time.
  public var isMainThreadFullyInstrumented = false
  /// The anchor at the start; `nil` for the system's wall clock, or none in virtual time.
  package var openAnchor: ClockAnchor?
  /// The anchor at the end; likewise.
  package var closeAnchor: ClockAnchor?
  /// Whether every frame says what the system counted for its thread, at its start and at the end of its
  /// commit: time on a core and, on Linux, time ready to run without one, context switches and page
  /// faults. From that a report knows whether the work of a late frame ran, waited or had no core.
  ///
  /// It is on where a reading costs about a microsecond: on Linux. A frame has two; the cost is measured
  /// at the start. Spans cost nothing more. In virtual time, with a clock of the host's own and on
  /// simulated threads nothing is read. See <doc:RecordingFromAsyncCode>.
  public var threadTime = ThreadTimes.isCheap
  /// Whether `finish` seals chunks with a checksum.
  public var sealsChunks = true

  /// The defaults.
  public init() {}
}

/// Sixteen bytes that tell a recording from all others.
public struct SessionIdentifier: Hashable, Sendable {
  /// The first eight bytes, as a little-endian number.
  package var high: UInt64
  /// The last eight bytes, likewise.
  package var low: UInt64

  /// A given identifier.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An identifier nobody has used.
  public static func random() -> SessionIdentifier {
    SessionIdentifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }
}

/// Who a thread is, where the host says so.
public struct ThreadIdentity: Hashable, Sendable {
  /// The thread's id.
  package var id: UInt32
  /// The thread's name.
  package var name: String
  /// Whether it counts as the main thread.
  package var isMain: Bool

  /// A thread called `name`.
  public init(id: UInt32, name: String, isMain: Bool = true) {
    self.id = id
    self.name = name
    self.isMain = isMain
  }
}

/// The recording's clock and the wall clock at one moment.
package struct ClockAnchor: Hashable, Sendable {
  /// The recording's clock.
  package var clock: Int64
  /// Int64 since 1970.
  package var wall: Int64
  /// How far the two may be apart.
  package var uncertainty: Int64

  /// `clock` was `wall`, to within `uncertainty`.
  package init(clock: Int64, wall: Int64, uncertainty: Int64 = 0) {
    self.clock = clock
    self.wall = wall
    self.uncertainty = uncertainty
  }
}

/// Where a recording goes.
public enum RecordingDestination: Hashable, Sendable {
  /// A mapped file: every event is in it at once and survives the death of the process.
  ///
  /// Where the file system or a sandbox allows no mapping, it becomes a `file`; `TraceRecorder.destination`
  /// says so. The file must not be made shorter by anybody while it is recorded: no program survives
  /// a store into a mapped page that is gone.
  case mappedFile(path: String)

  /// A file that is written by ordinary writes, a chunk when it is full and the rest at the end: for
  /// file systems that cannot map files. What is not written yet dies with the process.
  case file(path: String)

  /// Memory; `TraceRecorder.recordedBytes` gives the bytes.
  case memory

  /// Whether the events are in the file at once.
  var isMapped: Bool {
    if case .mappedFile = self { true } else { false }
  }

  /// The file's path; empty for memory.
  var path: String {
    switch self {
    case .mappedFile(let path), .file(let path): path
    case .memory: ""
    }
  }
}
