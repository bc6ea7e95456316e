/// The numbers of the Fuchsia trace format that the reader and the writer share.
@usableFromInline package enum FXT {
  /// The maximum size of a record in words, including its header.
  @inlinable package static var maximumRecordWords: Int { 4095 }

  /// The types of records, which are the lowest four bits of a header.
  @usableFromInline package enum RecordType: UInt64, Sendable {
    /// The magic, and the provider of the following records.
    case metadata = 0
    /// The clock's ticks per second.
    case initialization = 1
    case string = 2
    case thread = 3
    case event = 4
    /// Bytes that FXT does not interpret.
    case blob = 5
    /// An object of a program.
    case userspaceObject = 6
    /// The name of a process or thread.
    case kernelObject = 7
    /// A switch between threads.
    case scheduling = 8
    case log = 9
    /// A record with a 32-bit size.
    case large = 15
  }

  /// The kinds of metadata records.
  @usableFromInline package enum MetadataType: UInt64, Sendable {
    /// Starts a provider and its tables.
    case providerInfo = 1
    case providerSection = 2
    case providerEvent = 3
    /// The magic.
    case traceInfo = 4
  }

  @usableFromInline package enum EventType: UInt64, Sendable {
    case instant = 0
    case counter = 1
    case durationBegin = 2
    /// The innermost span ends.
    case durationEnd = 3
    /// A whole span.
    case durationComplete = 4
    case asyncBegin = 5
    /// A mark in an asynchronous span.
    case asyncInstant = 6
    /// An asynchronous span ends.
    case asyncEnd = 7
    case flowBegin = 8
    case flowStep = 9
    case flowEnd = 10
  }

  @usableFromInline package enum SchedulingType: UInt64, Sendable {
    /// A core switches between threads, in the form that refers to threads by index.
    case legacySwitch = 0
    /// A core switches between threads.
    case contextSwitch = 1
    /// A thread becomes ready.
    case wakeup = 2
  }

  @usableFromInline package enum ArgumentType: UInt64, Sendable {
    case null = 0
    case int32 = 1
    case uint32 = 2
    case int64 = 3
    /// An unsigned 64-bit integer.
    case uint64 = 4
    /// A floating-point number.
    case double = 5
    case string = 6
    case pointer = 7
    /// The number of a kernel object.
    case koid = 8
    case bool = 9
  }

  /// The kernel objects whose names are read.
  @usableFromInline package enum ObjectType: UInt64, Sendable {
    case process = 1
    case thread = 2
  }

  /// The type of blobs with plain data.
  @inlinable package static var dataBlob: UInt64 { 1 }

  /// The type of blobs with the last branch records of a processor.
  @inlinable package static var lastBranchBlob: UInt64 { 2 }

  /// The type of blobs with packets of Perfetto.
  @inlinable package static var perfettoBlob: UInt64 { 3 }

  /// The bit of a string reference that indicates that the bytes follow.
  @inlinable package static var inlineBit: UInt64 { 0x8000 }

  /// The number of words of `count` bytes, with the last one padded with zeros.
  @inlinable package static func words(forBytes count: Int) -> Int { (count + 7) >> 3 }
}

extension UInt64 {
  /// The `count` bits from bit `low`.
  @inlinable package func bits(_ low: UInt64, _ count: UInt64) -> UInt64 {
    (self &>> low) & ((1 &<< count) &- 1)
  }
}
