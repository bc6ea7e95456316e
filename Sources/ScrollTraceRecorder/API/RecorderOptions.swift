/// The options of a recording. The defaults suit a host that runs in real time.
///
/// With a manual clock, the same calls record the same times:
///
/// ```swift
/// var options = RecorderOptions()
/// options.clock = .manual(start: .zero)
/// options.session = SessionIdentifier(high: 1, low: 2)
/// ```
public struct RecorderOptions: Sendable {
  /// The maximum size of the file in bytes. Events that exceed it are counted as lost.
  public var maximumBytes: Int = 1 << 30
  /// The size of a flight recorder's ring in bytes, or `nil` for a file that grows.
  ///
  /// A flight recorder retains about this many bytes of the newest events and overwrites the
  /// oldest. The file is larger by the records that are never overwritten: names, interactions,
  /// states and stacks of open spans. These take at most the larger of half the ring and half a
  /// MiB. The ring is at least 128 KiB, and 64 KiB for each thread that records at the same time;
  /// `maximumBytes` must have room for everything. See <doc:FlightRecorder>.
  public var ringBytes: Int?
  /// The policy for dumps after hitches, or `nil` for no dumps. A hitch is detected if the frame's
  /// deadline or target is known at its start, or if the system reports hitches.
  public var hitchDumps: HitchDumpPolicy?
  /// The choice of the traces that `finish` keeps, or `nil` to keep all. It costs less than 0.1 µs for each
  /// frame, and nothing for other events.
  public var traceSampling: TraceSampling?
  /// The random number that decides whether a trace is kept, or `nil` for one of the system.
  package var draw: UInt64?
  /// The number of bytes allocated at the start, so that the first events need not wait for the
  /// file to grow.
  package var preallocatedBytes: Int = 0
  /// A Boolean value indicating whether an existing regular file is replaced. Otherwise, it is an error.
  public var replacesExistingFile = false
  /// Whether recording is on from the start.
  package var isEnabled = true
  /// The clock that the recorder reads.
  public var clock: RecorderClock = .uptime
  /// The identifier of this recording.
  public var session = SessionIdentifier.random()
  /// The process ID, or `nil` for the actual one.
  package var processID: UInt32?
  /// The process name, or `nil` for the program's name.
  package var processName: String?
  /// The identity of the thread that creates the recorder, or `nil` to ask the system.
  package var creatingThread: ThreadIdentity?
  /// A Boolean value indicating whether the host records all work on its main thread. If so, time
  /// without a span is idle time.
  public var isMainThreadFullyInstrumented = false
  /// A Boolean value indicating whether each frame records what the system has counted for its thread,
  /// at the frame's start and at the end of its commit.
  ///
  /// The counts are the time on a core and, on Linux, the time ready to run without one, context
  /// switches and page faults. A report can then say whether the work of a late frame ran, waited or
  /// had no core. The default is `true` on Linux, where a reading takes one to four microseconds and a
  /// frame has two. Spans cost nothing more. Nothing is read in virtual time, with a custom clock and
  /// on simulated threads. See <doc:RecordingFromAsyncCode>.
  public var recordsThreadTimes = ThreadTimes.isCheap
  /// Whether the counts of threads are read in virtual time too, as the file of a
  /// benchmark needs them.
  package var readsThreadTimesInVirtualTime = false
  /// The sampling of the stacks of threads that make frames, or `nil` for none, which costs nothing.
  ///
  /// Only stacks of late frames reach the file. It is an error on systems without sampling, and with a manual
  /// or custom clock. If the host handles `SIGURG` itself, the recording has a notice instead of stacks. See
  /// <doc:SamplingStacks>.
  public var stackSampling: StackSampling?
  /// A Boolean value indicating whether problems of the host are printed to standard error, one line each:
  /// the first frame's times are on another clock, or no stacks can be sampled. The trace contains a
  /// notice about them in any case.
  public var printsProblems = false
  /// Whether `finish` seals chunks with a checksum.
  package var sealsChunks = true

  /// Creates the default options.
  public init() {}

  /// Whether the times of frames are needed while they are recorded.
  var measuresFrames: Bool { hitchDumps != nil || isSelective }

  /// Whether the trace may be deleted.
  var isSelective: Bool { traceSampling?.isSelective ?? false }
}

/// A 16-byte identifier of a recording.
public struct SessionIdentifier: Hashable, Sendable {
  /// The first eight bytes, as a little-endian number.
  package var high: UInt64
  /// The last eight bytes, as a little-endian number.
  package var low: UInt64

  /// Creates an identifier from two numbers.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func random() -> SessionIdentifier {
    SessionIdentifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }
}

/// The identity of a thread, if the host provides it.
package struct ThreadIdentity: Equatable, Sendable {
  package var id: UInt32
  package var name: String
  /// Whether the thread counts as the main thread.
  package var isMain: Bool

  package init(id: UInt32, name: String, isMain: Bool = true) {
    self.id = id
    self.name = name
    self.isMain = isMain
  }
}

/// The destination of a recording.
public enum RecordingDestination: Hashable, Sendable {
  /// A memory-mapped file, which contains every event immediately and survives a crash of the
  /// process.
  ///
  /// If the file system or a sandbox does not allow mapping, a `file` is written instead. So it is on
  /// Apple's systems if something in the process handles Mach exceptions when the recording starts, such as
  /// KSCrash, Sentry, Crashlytics or a debugger: it would take the store described below for a crash.
  ///
  /// If others truncate or overwrite the file, a store would raise `SIGBUS`. The first recording
  /// installs a handler that ends the recording instead: later events are counted as lost, and
  /// `finish` throws. The handler passes on every `SIGBUS` that is not about a recording. It does not
  /// help in a thread that blocks `SIGBUS`, nor if the host installs a handler later that does not
  /// pass on what it does not know.
  case mappedFile(path: String)

  /// A file written with ordinary writes, for file systems that cannot map files and for hosts that
  /// want no signal handler.
  ///
  /// A chunk of 32 KiB is written by its thread when it is full, and the rest at the end. Memory holds
  /// a chunk for each thread, or the ring. If the process is killed, the events since each thread's
  /// last full chunk, the open spans and the counts of losses are missing.
  case file(path: String)

  /// Memory. `TraceRecorder.recordedBytes` returns the bytes at any time.
  case memory

  /// The destination that is possible in this process: not a mapped file if others see the faults of stores
  /// before the recorder does.
  package func possible(whereOthersSeeFaults othersSeeFaults: Bool) -> RecordingDestination {
    guard othersSeeFaults, case .mappedFile(let path) = self else { return self }
    return .file(path: path)
  }

  /// Whether the file contains events immediately.
  var isMapped: Bool { if case .mappedFile = self { true } else { false } }

  /// The file's path, or an empty string for memory.
  var path: String {
    switch self {
    case .mappedFile(let path), .file(let path): path
    case .memory: ""
    }
  }
}
