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
  /// target is given at its begin, or where the system lists hitches.
  public var dumpsOnHitch: HitchDumps?
  /// How many bytes are made ready at the start, so that the first events need not wait for the file
  /// to grow; 0 for none.
  public var preparedBytes: Int = 0
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
  public var recordsAllMainWork = false
  /// The anchor at the start; `nil` for the system's wall clock, or none in virtual time.
  public var openAnchor: ClockAnchor?
  /// The anchor at the end; likewise.
  public var closeAnchor: ClockAnchor?
  /// Whether `finish` seals chunks with a checksum.
  public var sealsChunks = true

  /// The defaults.
  public init() {}
}

/// Sixteen bytes that tell a recording from all others.
public struct SessionIdentifier: Hashable, Sendable {
  /// The first eight bytes, as a little-endian number.
  public var high: UInt64
  /// The last eight bytes, likewise.
  public var low: UInt64

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
  public var id: UInt32
  /// The thread's name.
  public var name: String
  /// Whether it counts as the main thread.
  public var isMain: Bool

  /// A thread called `name`.
  public init(id: UInt32, name: String, isMain: Bool = true) {
    self.id = id
    self.name = name
    self.isMain = isMain
  }
}

/// The recording's clock and the wall clock at one moment.
public struct ClockAnchor: Hashable, Sendable {
  /// The recording's clock.
  public var clock: Nanoseconds
  /// Nanoseconds since 1970.
  public var wall: Int64
  /// How far the two may be apart.
  public var uncertainty: Nanoseconds

  /// `clock` was `wall`, to within `uncertainty`.
  public init(clock: Nanoseconds, wall: Int64, uncertainty: Nanoseconds = 0) {
    self.clock = clock
    self.wall = wall
    self.uncertainty = uncertainty
  }
}
