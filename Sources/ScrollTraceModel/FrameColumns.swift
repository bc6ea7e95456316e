/// The frames of a surface, in order.
///
/// There are very many, so that each is stored in 40 bytes: its first known time, and the others by their
/// distances from it. The few frames that do not fit are stored as they are.
public struct FrameColumns: Sendable {
  @usableFromInline var stored: [StoredFrame] = []
  /// The frames that do not fit.
  @usableFromInline var wide: [Frame] = []
  /// The number of the first frame, to which those of others are relative; 0 without frames.
  @usableFromInline private(set) var firstID: UInt64 = 0

  package init() {}

  package init(_ frames: some Sequence<Frame>) {
    for frame in frames { append(frame) }
  }

  /// Adds a frame at the end.
  ///
  /// - Parameter expectedCount: The number of frames that are expected in total.
  mutating func append(_ frame: Frame, expectedCount: Int = 0) {
    // Room costs no memory until it is used, but each smaller array did.
    if stored.count == stored.capacity {
      stored.reserveCapacity(Swift.max(16, stored.count * 2, expectedCount))
    }
    if stored.isEmpty { firstID = frame.id }
    stored.append(storedForm(of: frame))
  }

  /// Returns what is stored of a frame, which is among the wide ones if it does not fit.
  private mutating func storedForm(of frame: Frame) -> StoredFrame {
    if let small = StoredFrame(frame, firstID: firstID) { return small }
    wide.append(frame.withoutEmptyLabel)
    return StoredFrame(wideIndex: wide.count - 1)
  }

  /// Merges what is known of the frame at a position, or returns `false` without a change if it contradicts.
  mutating func merge(_ update: Frame, at index: Int) -> Bool {
    if stored[index].wideIndex == nil, let isMerged = stored[index].merge(update) {
      return isMerged
    }
    var frame = self[index]
    guard frame.merge(update) else { return false }
    self[index] = frame
    return true
  }

  /// Sets the outcome of frames that were presented, and removes refresh intervals that are none.
  mutating func settle() {
    for index in stored.indices where stored[index].wideIndex == nil { stored[index].settle() }
    for index in wide.indices {
      if let interval = wide[index].refreshInterval, interval <= .zero {
        wide[index].refreshInterval = nil
      }
      if wide[index].presented != nil, wide[index].outcome == .unknown {
        wide[index].outcome = .presented
      }
    }
  }

  mutating func removeAll() { self = FrameColumns() }

  /// Keeps only the frames for which `isKept` is true, and returns whether any was removed.
  mutating func keep(_ isKept: (Frame) -> Bool) -> Bool {
    guard !allSatisfy(isKept) else { return false }
    var kept = FrameColumns()
    for frame in self where isKept(frame) { kept.append(frame) }
    self = kept
    return true
  }

  /// Sorts the frames by `time`, preserving the order of those with the same; those without one come last.
  mutating func sort() {
    let isSorted = indices.dropFirst().allSatisfy {
      !StoredFrame.isBefore(self[$0].time, self[$0 - 1].time)
    }
    guard !isSorted else { return }
    let times = map { $0.time }
    let order = Array(times.indices).stablySorted { (first: Int, second: Int) in
      StoredFrame.isBefore(times[first], times[second])
    }
    let frames = self
    self = FrameColumns(order.lazy.map { frames[$0] })
  }
}

extension FrameColumns: NumberedCollection, MutableCollection {
  /// The number of frames.
  @inlinable public var count: Int { stored.count }

  /// The frame at a position.
  @inlinable @inline(__always) public subscript(index: Int) -> Frame {
    get {
      let frame = stored[index]
      if let index = frame.wideIndex { return wide[index] }
      return frame.frame(firstID: firstID)
    }
    set { replace(index, with: newValue) }
  }

  /// Stores another frame at a position.
  @usableFromInline mutating func replace(_ index: Int, with frame: Frame) {
    if let wideIndex = stored[index].wideIndex { return wide[wideIndex] = frame.withoutEmptyLabel }
    stored[index] = storedForm(of: frame)
  }
}

@usableFromInline struct StoredFrame: Sendable {
  /// The start, or the first other time that is known.
  @usableFromInline let base: Int64
  @usableFromInline private(set) var commitStart: Int32
  @usableFromInline private(set) var commitEnd: Int32
  @usableFromInline let deadline: Int32
  @usableFromInline let target: Int32
  @usableFromInline private(set) var presented: Int32
  /// The refresh interval, or 0 if unknown, above five bits: whether the frame is stored elsewhere, whether
  /// its start is known, whether it was on time, and its outcome.
  @usableFromInline private(set) var interval: UInt32
  /// The distance of the number from that of the first frame, or the position among the wide frames.
  @usableFromInline let id: UInt32
  /// The position of the track plus 1, or 0 if unknown.
  @usableFromInline private(set) var track: UInt16
  /// The handle of the source's classification, or 0 if there is none.
  @usableFromInline let label: UInt16

  /// The distance of a time that is unknown.
  @inlinable static var unknown: Int32 { Int32.min }

  /// Creates a frame that is stored elsewhere.
  init(wideIndex: Int) {
    base = 0
    (commitStart, commitEnd, deadline) = (Self.unknown, Self.unknown, Self.unknown)
    (target, presented) = (Self.unknown, Self.unknown)
    interval = 1
    id = UInt32(truncatingIfNeeded: wideIndex)
    (track, label) = (0, 0)
  }

  /// Creates the small form of a frame, or returns `nil` if it does not fit.
  init?(_ frame: Frame, firstID: UInt64) {
    let first = frame.start ?? frame.commitEnd ?? frame.presented ?? frame.commitStart
    let base = (first ?? frame.deadline ?? frame.target ?? .zero).nanoseconds
    func distance(_ time: Timestamp?) -> Int32? { Self.distance(time, from: base) }
    let interval = frame.refreshInterval?.nanoseconds ?? 0
    guard let commitStart = distance(frame.commitStart), let commitEnd = distance(frame.commitEnd),
      let deadline = distance(frame.deadline), let target = distance(frame.target),
      let presented = distance(frame.presented), let id = UInt32(exactly: frame.id &- firstID),
      interval >> 27 == 0, interval > 0 || frame.refreshInterval == nil,
      let track = UInt16(exactly: frame.track.map { $0.index + 1 } ?? 0),
      let label = UInt16(exactly: frame.sourceLabel?.rawValue ?? 0)
    else { return nil }
    self.base = base
    (self.commitStart, self.commitEnd, self.deadline) = (commitStart, commitEnd, deadline)
    (self.target, self.presented) = (target, presented)
    let flags = (frame.start != nil ? 2 : 0) | (frame.wasOnTime ? 4 : 0) as UInt32
    self.interval =
      UInt32(truncatingIfNeeded: interval) << 5 | UInt32(frame.outcome.rawValue) << 3 | flags
    (self.id, self.track, self.label) = (id, track, label)
  }

  /// Returns the distance of a time, or `nil` if it does not fit.
  @inline(__always)
  private static func distance(_ time: Timestamp?, from base: Int64) -> Int32? {
    guard let time else { return unknown }
    let distance = time.nanoseconds - base
    return distance > Int64(Int32.min) ? Int32(exactly: distance) : nil
  }

  /// Merges what a frame that has begun did later; returns `false` without a change if the two contradict,
  /// and `nil` if `update` says more, or does not fit.
  mutating func merge(_ update: Frame) -> Bool? {
    let outcome = UInt32(update.outcome.rawValue)
    guard interval & 2 != 0, update.start == nil, update.deadline == nil, update.target == nil,
      update.refreshInterval == nil, update.sourceLabel == nil,
      let commitStart = Self.distance(update.commitStart, from: base),
      let commitEnd = Self.distance(update.commitEnd, from: base),
      let presented = Self.distance(update.presented, from: base),
      let track = UInt16(exactly: update.track.map { $0.index + 1 } ?? 0)
    else { return nil }
    func agree(_ mine: Int32, _ other: Int32) -> Bool {
      mine == Self.unknown || other == Self.unknown || mine == other
    }
    let known = interval >> 3 & 3
    guard agree(self.commitStart, commitStart), agree(self.commitEnd, commitEnd),
      agree(self.presented, presented), known == 0 || outcome == 0 || known == outcome
    else { return false }
    // An unknown distance is less than all others.
    self.commitStart = max(self.commitStart, commitStart)
    self.commitEnd = max(self.commitEnd, commitEnd)
    self.presented = max(self.presented, presented)
    interval |= outcome << 3 | (update.wasOnTime ? 4 : 0)
    self.track = self.track > 0 ? self.track : track
    return true
  }

  /// Sets the outcome of a frame that was presented.
  mutating func settle() {
    if presented != Self.unknown, interval >> 3 & 3 == 0 {
      interval |= UInt32(FrameOutcome.presented.rawValue) << 3
    }
  }

  /// The position among the wide frames, or `nil` if the frame is stored here.
  @inlinable @inline(__always) var wideIndex: Int? { interval & 1 == 1 ? Int(id) : nil }

  @inlinable @inline(__always) func frame(firstID: UInt64) -> Frame {
    var frame = Frame(id: firstID &+ UInt64(id))
    frame.start = interval & 2 != 0 ? Timestamp(clamping: base) : nil
    frame.commitStart = time(commitStart)
    frame.commitEnd = time(commitEnd)
    frame.deadline = time(deadline)
    frame.target = time(target)
    frame.presented = time(presented)
    frame.refreshInterval = interval >> 5 > 0 ? TimeSpan(nanoseconds: Int64(interval >> 5)) : nil
    frame.wasOnTime = interval & 4 != 0
    switch interval >> 3 & 3 {
    case 1: frame.outcome = .presented
    case 2: frame.outcome = .dropped
    case 3: frame.outcome = .notRequested
    default: break
    }
    frame.track = track > 0 ? TrackID(index: Int(track) - 1) : nil
    frame.sourceLabel = label > 0 ? StringID(rawValue: UInt32(label)) : nil
    return frame
  }

  @inlinable @inline(__always) func time(_ distance: Int32) -> Timestamp? {
    distance == Self.unknown ? nil : Timestamp(clamping: base &+ Int64(distance))
  }

  /// Returns whether `left` is before `right`; an unknown time is behind all others.
  @inline(__always)
  static func isBefore(_ left: Timestamp?, _ right: Timestamp?) -> Bool {
    guard let left else { return false }
    return right.map { left < $0 } ?? true
  }
}

extension Frame {
  fileprivate var withoutEmptyLabel: Frame {
    var frame = self
    if sourceLabel == .empty { frame.sourceLabel = nil }
    return frame
  }
}
