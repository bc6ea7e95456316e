/// The numbers of the Fuchsia trace format that the reader and the writer share.
@usableFromInline package enum FXT {
  /// The most words of a record, its header included.
  @inlinable package static var maximumRecordWords: Int { 4095 }

  /// The kinds of records; the lowest four bits of a header.
  @usableFromInline package enum RecordType: UInt64, Sendable {
    /// Who wrote what follows, and the magic.
    case metadata = 0
    /// The clock's ticks per second.
    case initialization = 1
    /// A name and its index.
    case string = 2
    /// A thread and its index.
    case thread = 3
    /// Something that happened.
    case event = 4
    /// Bytes without a meaning in FXT.
    case blob = 5
    /// An object of a program.
    case userspaceObject = 6
    /// The name of a process or thread.
    case kernelObject = 7
    /// A switch between threads.
    case scheduling = 8
    /// A line of a log.
    case log = 9
    /// A record with a size of 32 bits.
    case large = 15
  }

  /// The kinds of metadata records.
  @usableFromInline package enum MetadataType: UInt64, Sendable {
    /// Starts a provider and its tables.
    case providerInfo = 1
    /// Goes on with a provider.
    case providerSection = 2
    /// Something happened to a provider.
    case providerEvent = 3
    /// The magic.
    case traceInfo = 4
  }

  /// The kinds of events.
  @usableFromInline package enum EventType: UInt64, Sendable {
    /// A mark.
    case instant = 0
    /// Samples.
    case counter = 1
    /// A span begins.
    case durationBegin = 2
    /// The innermost span ends.
    case durationEnd = 3
    /// A whole span.
    case durationComplete = 4
    /// An asynchronous span begins.
    case asyncBegin = 5
    /// A mark in an asynchronous span.
    case asyncInstant = 6
    /// An asynchronous span ends.
    case asyncEnd = 7
    /// An arrow starts.
    case flowBegin = 8
    /// An arrow goes on.
    case flowStep = 9
    /// An arrow ends.
    case flowEnd = 10
  }

  /// The kinds of scheduling records.
  @usableFromInline package enum SchedulingType: UInt64, Sendable {
    /// A core switches between threads, in the form that refers to threads by index.
    case legacySwitch = 0
    /// A core switches between threads.
    case contextSwitch = 1
    /// A thread becomes ready.
    case wakeup = 2
  }

  /// The kinds of arguments.
  @usableFromInline package enum ArgumentType: UInt64, Sendable {
    /// No value.
    case null = 0
    /// A signed integer of 32 bits.
    case int32 = 1
    /// An unsigned integer of 32 bits.
    case uint32 = 2
    /// A signed integer of 64 bits.
    case int64 = 3
    /// An unsigned integer of 64 bits.
    case uint64 = 4
    /// A floating-point number.
    case double = 5
    /// A name.
    case string = 6
    /// An address.
    case pointer = 7
    /// The number of a kernel object.
    case koid = 8
    /// A truth value.
    case bool = 9
  }

  /// The kernel objects whose names count.
  @usableFromInline package enum ObjectType: UInt64, Sendable {
    /// A process.
    case process = 1
    /// A thread.
    case thread = 2
  }

  /// The type of blobs that hold plain data.
  @inlinable package static var dataBlob: UInt64 { 1 }

  /// The bit of a string reference that says that the bytes follow.
  @inlinable package static var inlineBit: UInt64 { 0x8000 }

  /// The words that `count` bytes take, the rest of the last one zero.
  @inlinable package static func words(forBytes count: Int) -> Int { (count + 7) >> 3 }
}

extension UInt64 {
  /// The `count` bits from bit `low` on.
  @inlinable package func bits(_ low: UInt64, _ count: UInt64) -> UInt64 {
    (self &>> low) & ((1 &<< count) &- 1)
  }
}
