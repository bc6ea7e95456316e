/// What a column of a table that is read means.
enum XctraceColumn: Int, CaseIterable {
  case start
  case duration
  case process
  case isSystem
  case swap
  case display
  /// What the row is called: the narrative of a hitch, the type of an interval.
  case label
  case severity
  case refreshInterval
  case thread
  case isMain
  /// The kind of an event of the display.
  case event

  /// The meaning of the column with this mnemonic; `nil` for columns that are not read.
  init?(mnemonic: String, in table: XctraceTable) {
    switch mnemonic {
    case "start", "timestamp", "time": self = .start
    case "duration": self = .duration
    case "process": self = .process
    case "is-system": self = .isSystem
    case "swap-id": self = .swap
    case "display", "display-name": self = .display
    case "narrative-description", "type-label", "hang-type", "interval-type", "message":
      self = .label
    case "severity" where table.listsHitches: self = .severity
    case "refresh-interval": self = .refreshInterval
    case "thread": self = .thread
    case "is-main": self = .isMain
    case "event": self = .event
    default: return nil
    }
  }

  /// The mnemonic, for messages.
  var mnemonic: String {
    switch self {
    case .isSystem: "is-system"
    case .swap: "swap-id"
    case .refreshInterval: "refresh-interval"
    case .isMain: "is-main"
    default: "\(self)"
    }
  }

  /// Whether the text of the column counts, not its number.
  var isText: Bool {
    switch self {
    case .display, .label, .severity, .event: true
    default: false
    }
  }
}
