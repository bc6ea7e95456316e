internal import ScrollTraceLayout
internal import Synchronization

/// A text that stays where it is for the life of the process, so that the hot path needs no look-up.
///
/// Write a literal where a name is asked for; texts that are only known at run time are registered
/// once with `TraceRecorder.registerName(_:)` and kept.
public struct RecordedName: Sendable, ExpressibleByStringLiteral {
  /// The UTF-8 bytes; unchecked, since they are never written to or freed.
  @usableFromInline nonisolated(unsafe) let start: UnsafePointer<UInt8>
  @usableFromInline let length: Int

  @usableFromInline init(start: UnsafePointer<UInt8>, length: Int) {
    self.start = start
    self.length = length
  }

  /// A literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(text)
  }

  /// A text of the program itself; one that was made of a single Unicode scalar by hand has no bytes
  /// and is empty.
  @inlinable
  public init(_ text: StaticString) {
    if text.hasPointerRepresentation {
      self.init(start: text.utf8Start, length: text.utf8CodeUnitCount)
    } else {
      self.init(start: ("" as StaticString).utf8Start, length: 0)
    }
  }

  /// The text; empty where it was too long to be kept.
  package var text: String {
    guard length <= NameTable.maximumLength else { return "" }
    return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }
}

extension RecordedName {
  /// Where the bytes lie, for the C interface.
  @inlinable @inline(__always)
  package var address: UnsafePointer<UInt8> { start }

  /// How many bytes there are.
  @inlinable @inline(__always)
  package var count: Int { length }

  /// Whether it is too long to be kept: what it belongs to is counted as lost.
  package var isTooLong: Bool { length > NameTable.maximumLength }

  /// A name of `count` bytes that stay as they are for the life of the process; a count that is
  /// negative or no name's makes one that is counted as too big, its bytes never looked at.
  @inlinable @inline(__always)
  package init(address: UnsafePointer<UInt8>, count: Int) {
    self.init(start: address, length: Int(bitPattern: min(UInt(bitPattern: count), 1 << 16)))
  }
}

extension TraceRecorder {
  /// A text that is only known at run time, to be used as a name any number of times.
  ///
  /// Register a text once and keep what is returned. Texts are kept for the life of the process, so
  /// they should be few: not one for each item.
  public func registerName(_ text: String) -> RecordedName {
    guard isUsable else { return "" }
    return control.pointee.store.takeUnretainedValue().intern(text)
  }

  /// A list with a name that reports show.
  public func registerList(named name: String) -> ListID {
    ListID(name: registerName(name))
  }

  /// A stream of frames with a name of its own; asked for again, the same one.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - tolerance: How exact the presentation times are: 0 exact, 1,000,000 for display links,
  ///     which only know when the next refresh was due, or `nil` if there is nothing to say.
  ///   - isGrid: Whether all times lie on the refresh grid.
  ///   - listsHitches: Whether its hitches are recorded as a list, with `hitch`, and no frames; an
  ///     empty list then means that there were none.
  public func registerSurface(
    named name: String, tolerance: Int64? = nil, isGrid: Bool? = nil, listsHitches: Bool? = nil
  ) -> RecordedSurface {
    guard isUsable else { return defaultSurface }
    let surface = control.pointee.store.takeUnretainedValue().surface(name).surface
    let details = SurfaceDetails(
      tolerance: tolerance, isGrid: isGrid, listsHitches: listsHitches)
    if details.keys != 0, shouldRecordEvent() {
      let writer = writer
      writer.writeDurable(
        .instant, SpanCategory.surface.name, surface.name, at: writer.eventTime(),
        details: details)
    }
    return surface
  }

  /// Whether the recorder's lock may be taken: not in the child of a fork.
  private var isUsable: Bool {
    control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked
  }
}

extension RecorderStore {
  /// The surface called `name`, and whether it is new.
  func surface(_ name: String) -> (surface: RecordedSurface, isNew: Bool) {
    let kept = intern(name)
    return locked { state in
      if let block = state.surfaces[name] { return (RecordedSurface(block: block), false) }
      let block = UnsafeMutablePointer<SurfaceBlock>.allocate(capacity: 1)
      block.initialize(to: SurfaceBlock(name: kept, keepsTicks: options.hitchDumps != nil))
      state.surfaces[name] = block
      return (RecordedSurface(block: block), true)
    }
  }
}

/// What is known of a surface.
struct SurfaceDetails: EventDetails {
  var tolerance: Int64?
  var isGrid: Bool?
  var listsHitches: Bool?

  var keys: UInt64 {
    tolerance.bit(.tolerance) | isGrid.bit(.grid) | listsHitches.bit(.hitchList)
  }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let tolerance { record.argument(.tolerance, UInt64(max(0, tolerance))) }
    if let isGrid { record.argument(.grid, isGrid) }
    if let listsHitches { record.argument(.hitchList, listsHitches) }
  }
}

/// A stream of frames: a display, a window, a layer.
public struct RecordedSurface: @unchecked Sendable {
  /// The block, never freed.
  let block: UnsafeMutablePointer<SurfaceBlock>

  /// What the surface is called.
  package var name: RecordedName { block.pointee.name }
}

/// What is kept of a surface.
struct SurfaceBlock: ~Copyable {
  /// The surface's name.
  let name: RecordedName
  /// How many frames it has had.
  let frameCount: Atomic<UInt64>
  /// What is known of its last frames, or `nil` if no dumps after hitches are wanted.
  let ticks: RecentFrameTimings?

  init(name: RecordedName, keepsTicks: Bool) {
    self.name = name
    frameCount = Atomic(0)
    ticks = keepsTicks ? RecentFrameTimings() : nil
  }
}

extension RecordedSurface {
  /// The surface as one pointer that nobody has to keep alive, for the C interface.
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block) }

  /// The surface whose `handle` is given.
  package init(handle: UnsafeMutableRawPointer) {
    self.init(block: handle.assumingMemoryBound(to: SurfaceBlock.self))
  }
}

/// Which list a cell or an item belongs to.
///
/// `TraceRecorder.registerList(named:)` makes one with a name, which reports show; a number does as well.
public struct ListID: Sendable {
  /// The name; `nil` for a number.
  let name: RecordedName?
  /// The number, where there is no name.
  let number: UInt64

  /// The list number `number`.
  public init(_ number: UInt64) {
    name = nil
    self.number = number
  }

  /// The list called `name`.
  public init(name: RecordedName) {
    self.name = name
    number = 0
  }
}

extension RecordBuilder {
  /// Adds the list an event is about; `text` is its name as a record refers to it.
  mutating func argument(_ key: ArgumentKey, _ list: ListID, text: RecordText) {
    if list.name == nil { argument(key, list.number) } else { argument(key, text) }
  }
}

/// The stable identifier of an item, the same in every run.
///
/// An integer is recorded as it is; a text or a UUID by a number that follows from it.
///
/// ```swift
/// ItemID(post.id)                       // an integer or a text
/// ItemID(high: uuid.high, low: uuid.low)  // the two halves of a UUID
/// ```
public struct ItemID: Hashable, Sendable, ExpressibleByIntegerLiteral {
  @usableFromInline package let number: UInt64

  @inlinable
  package init(number: UInt64) {
    self.number = number
  }

  /// Creates the identifier of a literal.
  @inlinable
  public init(integerLiteral number: UInt64) {
    self.number = number
  }

  // Not generic, because generic conversions allocate in unoptimized builds.

  /// Creates the identifier of an item with a number.
  @inlinable
  public init(_ number: UInt64) {
    self.number = number
  }

  /// Creates the identifier of an item with a number.
  @inlinable
  public init(_ number: Int) {
    self.number = UInt64(truncatingIfNeeded: number)
  }

  /// Creates the identifier of an item with a number; of wider integers the lowest 64 bits count.
  @inlinable
  public init(_ number: some BinaryInteger) {
    self.number = UInt64(truncatingIfNeeded: number)
  }

  /// Creates the identifier of an item with a text as its key, in time linear in its length.
  public init(_ text: String) {
    // FNV-1a, then the last step of MurmurHash3.
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    number = Self.mixed(hash)
  }

  /// Creates the identifier of an item with a key of 16 bytes, such as a UUID.
  public init(high: UInt64, low: UInt64) {
    number = Self.mixed(Self.mixed(high) &+ low)
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 33) &* 0xFF51_AFD7_ED55_8CCD
    word = (word ^ word >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return word ^ word >> 33
  }
}
