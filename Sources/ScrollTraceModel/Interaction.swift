/// A range of time in which a frame is expected at every refresh.
public struct Interaction: Equatable, Sendable {
  /// The kind: drag, deceleration, animation, reorder, paging, refresh, or a custom word.
  public let kind: String
  /// The name, or an empty string if there is none.
  public let name: String
  /// The time of the start.
  public internal(set) var start: Timestamp
  /// The end, or `nil` if the trace ends first.
  public let end: Timestamp?
  /// The surface that moves, or `nil` for all surfaces.
  package internal(set) var surface: SurfaceID?

  package init(
    kind: String, name: String = "", start: Timestamp, end: Timestamp?, surface: SurfaceID? = nil
  ) {
    self.kind = kind
    self.name = name
    self.start = start
    self.end = end.map { max(start, $0) }
    self.surface = surface
  }
}

/// A change of a state's value (M-18).
public struct StateChange: Equatable, Sendable {
  /// The time from which the value holds.
  public let time: Timestamp
  /// The state's name, such as `screen`.
  public let key: String
  /// The new value, or `nil` if the state was cleared.
  public let value: String?

  package init(time: Timestamp, key: String, value: String?) {
    self.time = time
    self.key = key
    self.value = value
  }
}

extension [StateChange] {
  /// Returns the first value of a state, or `nil` if it has none.
  package func firstValue(of key: String) -> String? {
    first { $0.key == key && $0.value != nil }?.value
  }
}
