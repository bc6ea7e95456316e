internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// A text with a fixed address, so that recording it requires no lookup.
///
/// Use a literal wherever possible. Register a text that is known only at run time with
/// `TraceRecorder.registerName(_:)` and keep the result.
public struct RecordedName: Sendable, ExpressibleByStringLiteral {
  /// The UTF-8 bytes. Unchecked, because they are never written or freed.
  @usableFromInline nonisolated(unsafe) let start: UnsafePointer<UInt8>
  @usableFromInline let length: Int

  @usableFromInline init(start: UnsafePointer<UInt8>, length: Int) {
    self.start = start
    self.length = length
  }

  /// Creates a name from a literal.
  @inlinable
  public init(stringLiteral text: StaticString) { self.init(text) }

  /// Creates a name from a static string. A static string that stores a single Unicode scalar gives
  /// an empty name.
  @inlinable
  package init(_ text: StaticString) {
    if text.hasPointerRepresentation {
      self.init(start: text.utf8Start, length: text.utf8CodeUnitCount)
    } else {
      self.init(start: ("" as StaticString).utf8Start, length: 0)
    }
  }

  func hasBytes(of other: RecordedName) -> Bool {
    length == other.length && memcmp(start, other.start, length) == 0
  }

  /// The text, empty if it is longer than a recording can store.
  package var text: String {
    guard length <= NameTable.maximumLength else { return "" }
    return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }
}

/// A named kind of event: a category, phase, step, mark or interaction.
public protocol RecordedKind: Sendable, ExpressibleByStringLiteral
where StringLiteralType == StaticString { init(_ name: RecordedName) }

extension RecordedKind {
  /// Creates a kind from a literal.
  @inlinable
  public init(stringLiteral text: StaticString) { self.init(RecordedName(text)) }

  @inlinable
  package init(word: StaticString) { self.init(RecordedName(word)) }
}

extension RecordedName {
  /// Whether the name is longer than a recording can store. Events with
  /// such a name are counted as lost.
  package var isTooLong: Bool { length > NameTable.maximumLength }

  /// Creates a name from `count` bytes that must not change or move while the process runs. If
  /// `count` is negative or too large, the bytes are never read, and events with the name are
  /// counted as lost.
  @inlinable @inline(__always)
  package init(address: UnsafePointer<UInt8>, count: Int) {
    self.init(start: address, length: Int(bitPattern: min(UInt(bitPattern: count), 1 << 16)))
  }
}

extension TraceRecorder {
  /// Returns a name for a text that is known only at run time.
  ///
  /// Register each text once and keep the result. Texts are kept for the lifetime of the process,
  /// so register a small number of them, not one for each item.
  public func registerName(_ text: String) -> RecordedName {
    guard isUsable else { return "" }
    return store.intern(text)
  }

  /// Returns a list whose name reports show.
  public func registerList(named name: String) -> ListID { ListID(name: registerName(name)) }

  /// Returns the surface with a name, and creates it on the first call.
  public func registerSurface(
    named name: String, options: SurfaceOptions = SurfaceOptions()
  ) -> RecordedSurface {
    guard isUsable else { return pointer.defaultSurface }
    let surface = store.surface(name)
    surface.block.pointee.meter?.setTolerance(
      options.tolerance?.nanoseconds, isOnRefreshGrid: options.isOnRefreshGrid)
    if options.keys != 0, let writer = pointer.enterToRecord() {
      writer.writeDurable(
        .instant, SpanCategory.surface.name, surface.name, at: writer.eventTime(),
        details: options)
      pointer.leave(writer)
    }
    return surface
  }

  /// Whether the recorder's lock may be taken. It must not be taken in a forked child.
  private var isUsable: Bool { pointer.control.mode != RecorderMode.forked }
}

extension RecorderStore {
  func surface(_ name: String) -> RecordedSurface {
    let kept = intern(name)
    return locked { state in
      let block = state.surfaces[name] ?? SurfaceBlock.make(name: kept, options)
      state.surfaces[name] = block
      return RecordedSurface(block: block)
    }
  }
}

/// What is known of a surface's times.
public struct SurfaceOptions: Hashable, Sendable {
  /// The accuracy of the presentation times, or `nil` if unknown: zero for exact times, and a millisecond
  /// for a display link, which reports only when the next refresh was due.
  public var tolerance: RecorderTime?
  /// A Boolean value indicating whether all times lie on the refresh grid.
  public var isOnRefreshGrid: Bool
  /// A Boolean value indicating whether the surface has reported hitches, recorded with `recordHitch`,
  /// instead of frames. No hitches then means that none occurred.
  public var listsHitches: Bool

  /// Creates options from what is known.
  public init(
    tolerance: RecorderTime? = nil, isOnRefreshGrid: Bool = false, listsHitches: Bool = false
  ) {
    self.tolerance = tolerance
    self.isOnRefreshGrid = isOnRefreshGrid
    self.listsHitches = listsHitches
  }
}

extension SurfaceOptions: EventDetails {
  var keys: UInt64 {
    tolerance.bit(.tolerance) | (isOnRefreshGrid ? Vocabulary.Key.grid.bit : 0)
      | (listsHitches ? Vocabulary.Key.hitchList.bit : 0)
  }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let tolerance { record.argument(.tolerance, UInt64(max(0, tolerance.nanoseconds))) }
    if isOnRefreshGrid { record.argument(.grid, true) }
    if listsHitches { record.argument(.hitchList, true) }
  }
}

/// A surface that presents frames: a display, a window or a layer.
public struct RecordedSurface: @unchecked Sendable {
  /// The state, whose memory is never used for anything else.
  let block: UnsafeMutablePointer<SurfaceBlock>

  package var name: RecordedName { block.pointee.name }
}

/// The state of a surface.
///
/// The word before it is the number of its frames, which several threads may change at the same time.
struct SurfaceBlock {
  let name: RecordedName
  /// The timing of the most recent frames, or `nil` if nobody needs it.
  let timings: RecentFrameTimings?
  /// The hitch time, or `nil` if all traces are kept.
  let meter: HitchMeter?

  fileprivate static var frameCountOffset: Int { -8 }

  /// Creates a surface's state with its word.
  fileprivate static func make(
    name: RecordedName, _ options: RecorderOptions
  ) -> UnsafeMutablePointer<SurfaceBlock> {
    let used = ProcessMemory.takeSurface(measuring: options.measuresFrames)
    used?.pointee.timings?.forget()
    used?.pointee.meter?.forget()
    let block = used ?? allocate()
    let meter = options.isSelective ? used?.pointee.meter ?? HitchMeter() : nil
    scrolltrace_store(UnsafeMutableRawPointer(block) + frameCountOffset, 0)
    block.initialize(
      to: SurfaceBlock(
        name: name,
        timings: options.measuresFrames ? used?.pointee.timings ?? RecentFrameTimings() : nil,
        meter: meter))
    return block
  }

  private static func allocate() -> UnsafeMutablePointer<SurfaceBlock> {
    let size = MemoryLayout<SurfaceBlock>.alignment * 2
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: size + MemoryLayout<SurfaceBlock>.size, alignment: size)
    return (start + size).bindMemory(to: SurfaceBlock.self, capacity: 1)
  }
}

extension RecordedSurface {
  func takeFrameID() -> UInt64 {
    scrolltrace_add(UnsafeMutableRawPointer(block) + SurfaceBlock.frameCountOffset, 1)
  }

  /// The surface as a pointer without ownership, for the C interface.
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block) }

  package init(handle: UnsafeMutableRawPointer) {
    self.init(block: handle.assumingMemoryBound(to: SurfaceBlock.self))
  }
}

/// The identifier of the list that a cell or an item belongs to, with a name that reports show.
///
/// `TraceRecorder.registerList(named:)` returns one.
public struct ListID: Sendable {
  let name: RecordedName
}

/// The stable identifier of an item, which is the same in every run.
///
/// An integer is recorded unchanged. A string or UUID is recorded as a 64-bit hash.
///
/// ```swift
/// ItemID(post.id)                       // an integer or a text
/// ItemID(high: uuid.high, low: uuid.low)  // the two halves of a UUID
/// ```
public struct ItemID: Hashable, Sendable, ExpressibleByIntegerLiteral {
  @usableFromInline package let number: UInt64

  @inlinable
  package init(number: UInt64) { self.number = number }

  /// Creates an identifier from a literal.
  @inlinable
  public init(integerLiteral number: UInt64) { self.number = number }

  // Not generic, because generic conversions allocate in unoptimized builds.

  /// Creates an identifier from an integer.
  @inlinable
  public init(_ number: UInt64) { self.number = number }

  /// Creates an identifier from an integer.
  @inlinable
  public init(_ number: Int) { self.number = UInt64(truncatingIfNeeded: number) }

  /// Creates an identifier from a string.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the string in UTF-8.
  public init(_ text: String) {
    // FNV-1a, followed by the finalizer of MurmurHash3.
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    number = Self.mixed(hash)
  }

  /// Creates an identifier from 16 bytes, such as a UUID.
  public init(high: UInt64, low: UInt64) { number = Self.mixed(Self.mixed(high) &+ low) }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 33) &* 0xFF51_AFD7_ED55_8CCD
    word = (word ^ word >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return word ^ word >> 33
  }
}
