internal import ScrollTraceModel

/// The records of the vocabulary (F-4). Times in arguments are ticks, like the times of events.
extension FXTDecoder {
  /// The commit of a frame and its thread.
  typealias Commit = (start: Timestamp, end: Timestamp, track: TrackID)

  /// Updates the frame of a record; returns `false` if the record does not identify it.
  mutating func updateFrame(
    _ label: FXTLabel, _ arguments: ArraySlice<Argument>, commit: Commit? = nil,
    at offset: UInt64
  ) -> Bool {
    guard let id = arguments.first(where: { $0.key == keys.frame })?.value.unsigned else {
      lose(.invalidValue, at: offset)
      return false
    }
    var frame = Frame(id: id)
    frame.commitStart = commit?.start
    frame.commitEnd = commit?.end
    frame.track = commit?.track
    for argument in arguments {
      let value = argument.value
      switch argument.key {
      case keys.begin: frame.start = time(of: value, at: offset)
      case keys.deadline: frame.deadline = time(of: value, at: offset)
      case keys.target: frame.target = time(of: value, at: offset)
      case keys.presented: frame.presented = time(of: value, at: offset)
      case keys.commitStart: frame.commitStart = time(of: value, at: offset)
      case keys.commitEnd: frame.commitEnd = time(of: value, at: offset)
      case keys.interval:
        frame.refreshInterval = time(of: value, at: offset).map { $0 - .zero }
      case keys.outcome:
        frame.outcome = outcome(of: value, at: offset)
        frame.wasOnTime = value == .string(keys.wasPresentedOnTime)
      default: break
      }
    }
    let surface = surface(of: label)
    builder.offset = offset
    builder.updateFrame(frame, of: surface)
    builder.offset = nil
    builder.setNumbersEveryFrame(surface)
    return true
  }

  /// Reads an instant about the accuracy of a surface's times.
  mutating func readSurface(_ event: FXTEvent) {
    let surface = surface(of: event.label)
    for argument in arguments {
      switch (argument.key, argument.value) {
      case (keys.tolerance, let value):
        if let length = value.unsigned.flatMap({ Int64(exactly: $0) }) {
          builder.setPresentationTolerance(TimeSpan(nanoseconds: length), of: surface)
        } else {
          lose(.invalidValue, at: event.offset)
        }
      case (keys.grid, let value):
        if flag(value, at: event.offset) { builder.setOnRefreshGrid(surface) }
      case (keys.hitchList, let value):
        if flag(value, at: event.offset) { builder.setBasis(.hitchList, of: surface) }
      default: break
      }
    }
  }

  /// Reads a hitch listed by the source; returns `false` if it has no duration.
  mutating func readHitch(_ event: FXTEvent) -> Bool {
    var length: Timestamp?
    var refreshInterval: TimeSpan?
    var label: StringID?
    for argument in arguments {
      switch argument.key {
      case keys.duration: length = time(of: argument.value, at: event.offset)
      case keys.interval:
        refreshInterval = time(of: argument.value, at: event.offset).map { $0 - .zero }
      case keys.label: if case .string(let name) = argument.value { label = name }
      default: break
      }
    }
    guard let length else { return false }
    builder.addListedHitch(
      ListedHitch(
        start: event.time, length: length - .zero, refreshInterval: refreshInterval,
        sourceLabel: label),
      of: surface(of: event.label))
    return true
  }

  /// Reads a state change; without a value the state is cleared.
  mutating func readState(_ event: FXTEvent) {
    guard case .string(let key)? = arguments.first(where: { $0.key == keys.key })?.value else {
      return lose(.invalidValue, at: event.offset)
    }
    let value: String? =
      switch arguments.first(where: { $0.key == keys.value })?.value {
      case .string(let name)?: text(of: name)
      case .integer(let number)?: String(number)
      case .unsigned(let number)?: String(number)
      case .double(let number)?: String(number)
      case .bool(let truth)?: String(truth)
      case .null?, nil: nil
      }
    builder.addState(StateChange(time: event.time, key: text(of: key), value: value))
  }

  /// Reads a duration of machine sleep.
  mutating func readSleep(_ event: FXTEvent) {
    guard let value = arguments.first(where: { $0.key == keys.duration })?.value else { return }
    guard let length = time(of: value, at: event.offset) else { return }
    profile.slept = profile.slept.saturatingAdd(length.nanoseconds)
  }

  /// Returns the surface named by a label of the frame category.
  mutating func surface(of label: FXTLabel) -> SurfaceID {
    if let last = lastSurface, last.label == label.id { return last.surface }
    let surface =
      surfaces[label.id] ?? builder.surface(text(of: labelNames[label.id] ?? .empty))
    surfaces[label.id] = surface
    lastSurface = (label.id, surface)
    return surface
  }

  /// Returns the name `id` as a string, shared by all callers: a small record can refer to a long
  /// name.
  mutating func text(of id: StringID) -> String {
    if let text = texts[id] { return text }
    let text = builder.name(of: id)
    texts[id] = text
    return text
  }

  /// Returns a Boolean value, which can also be written as 0 or 1.
  mutating func flag(_ value: ArgumentValue, at offset: UInt64) -> Bool {
    if case .bool(let truth) = value { return truth }
    guard let number = value.unsigned, number <= 1 else {
      lose(.invalidValue, at: offset)
      return false
    }
    return number == 1
  }

  /// The time in an argument, or `nil`, which is counted, if there is none.
  mutating func time(of value: ArgumentValue, at offset: UInt64) -> Timestamp? {
    guard let ticks = value.unsigned else {
      lose(.invalidValue, at: offset)
      return nil
    }
    guard let time = time(ticks) else {
      lose(.timeOutOfRange, at: offset)
      return nil
    }
    return time
  }

  private mutating func outcome(of value: ArgumentValue, at offset: UInt64) -> FrameOutcome {
    switch value {
    case .string(keys.wasPresented), .string(keys.wasPresentedOnTime): return .presented
    case .string(keys.wasDropped): return .dropped
    case .string(keys.wasNotRequested): return .notRequested
    default:
      lose(.invalidValue, at: offset)
      return .unknown
    }
  }
}

extension ArgumentValue {
  /// The value as a nonnegative number, or `nil` if it is anything else.
  var unsigned: UInt64? {
    switch self {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .double, .bool, .string, .null: nil
    }
  }
}
