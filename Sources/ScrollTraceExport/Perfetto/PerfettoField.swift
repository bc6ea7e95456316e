/// The field numbers of Perfetto's messages.
enum PerfettoField {
  /// `Trace`
  enum Trace {
    static let packet: UInt64 = 1
  }

  /// `TracePacket`
  enum Packet {
    static let kernel: UInt64 = 1
    static let timestamp: UInt64 = 8
    static let sequence: UInt64 = 10
    static let event: UInt64 = 11
    static let names: UInt64 = 12
    static let flags: UInt64 = 13
    static let track: UInt64 = 60
    static let frame: UInt64 = 76
  }

  /// The flags of a `TracePacket`
  enum Flag {
    /// The names that packets before it define are forgotten.
    static let forgetsNames: UInt64 = 1
    static let usesNames: UInt64 = 2
  }

  /// The kinds of names in `InternedData`
  enum Name: Int {
    case category = 1
    case event = 2
    case annotation = 3

    static let number: UInt64 = 1
    static let text: UInt64 = 2
  }

  /// `TrackDescriptor`, with those of its parts
  enum Track {
    static let uuid: UInt64 = 1
    static let name: UInt64 = 2
    static let process: UInt64 = 3
    static let thread: UInt64 = 4
    static let parent: UInt64 = 5
    static let counter: UInt64 = 8
    static let processID: UInt64 = 1
    static let processName: UInt64 = 6
    static let threadID: UInt64 = 2
    static let threadName: UInt64 = 5
  }

  /// `CounterDescriptor`
  enum Counter {
    static let type: UInt64 = 1
    /// `COUNTER_THREAD_TIME_NS`
    static let threadTime: UInt64 = 1
  }

  /// `FtraceEventBundle` and `FtraceEvent`
  enum Kernel {
    static let core: UInt64 = 1
    static let event: UInt64 = 2
    static let time: UInt64 = 1
    static let thread: UInt64 = 2
    static let schedulerSwitch: UInt64 = 4
    static let wakeup: UInt64 = 20
  }

  /// `SchedSwitchFtraceEvent`
  enum Switch {
    static let previousName: UInt64 = 1
    static let previous: UInt64 = 2
    static let reason: UInt64 = 4
    static let nextName: UInt64 = 5
    static let next: UInt64 = 6
  }

  /// `SchedWakingFtraceEvent`
  enum Wakeup {
    static let name: UInt64 = 1
    static let thread: UInt64 = 2
  }

  /// `TrackEvent`
  enum Event {
    static let categoryNumber: UInt64 = 3
    static let annotation: UInt64 = 4
    static let type: UInt64 = 9
    static let nameNumber: UInt64 = 10
    static let track: UInt64 = 11
    static let category: UInt64 = 22
    static let name: UInt64 = 23
    static let value: UInt64 = 44
    static let flow: UInt64 = 47
    static let lastFlow: UInt64 = 48
  }

  /// The kinds of a `TrackEvent`
  enum Kind: UInt64 {
    case start = 1
    case end = 2
    case instant = 3
    case counter = 4
  }

  /// `DebugAnnotation`
  enum Annotation {
    static let nameNumber: UInt64 = 1
    static let bool: UInt64 = 2
    static let unsigned: UInt64 = 3
    static let integer: UInt64 = 4
    static let double: UInt64 = 5
    static let string: UInt64 = 6
    static let name: UInt64 = 10
  }

  /// `FrameTimelineEvent` and the fields common to its parts
  enum Frame {
    static let expectedDisplay: UInt64 = 1
    static let actualDisplay: UInt64 = 2
    static let expectedSurface: UInt64 = 3
    static let actualSurface: UInt64 = 4
    static let end: UInt64 = 5
    static let cookie: UInt64 = 1
    static let token: UInt64 = 2
  }

  /// `ExpectedSurfaceFrame` and `ActualSurfaceFrame`
  enum SurfaceFrame {
    static let displayToken: UInt64 = 3
    static let process: UInt64 = 4
    static let layer: UInt64 = 5
    static let present: UInt64 = 6
    static let isInTime: UInt64 = 7
    static let jank: UInt64 = 9
    static let prediction: UInt64 = 10
    static let severity: UInt64 = 12
  }

  /// `ExpectedDisplayFrame` and `ActualDisplayFrame`
  enum DisplayFrame {
    static let process: UInt64 = 3
    static let present: UInt64 = 4
    static let isInTime: UInt64 = 5
    static let jank: UInt64 = 7
    static let prediction: UInt64 = 8
    static let severity: UInt64 = 9
  }
}
