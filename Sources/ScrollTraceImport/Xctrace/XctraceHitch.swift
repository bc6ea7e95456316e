import ScrollTraceModel

/// A row of a list of hitches, until all are known and have surfaces.
struct XctraceHitch {
  /// Whose hitch it was and where it was seen.
  struct Place: Hashable {
    /// The process, a position in the list of processes; `nil` where the row names none.
    let process: Int?
    /// Whether Apple counts it for the system.
    let isSystem: Bool
    /// The display's name; the empty name where the row names none.
    let display: StringID
  }

  /// What makes two rows the same hitch.
  struct Identity: Hashable {
    let place: Place
    let start: Timestamp
    let length: TimeSpan
    let swap: Int64?
  }

  /// What tells it from others.
  let identity: Identity
  /// The refresh interval of the row itself.
  let refreshInterval: TimeSpan?
  /// Apple's words about it.
  let label: StringID?
}
