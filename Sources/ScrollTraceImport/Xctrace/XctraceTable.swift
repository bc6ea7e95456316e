/// The tables of an export that are read, by the name of their schema.
enum XctraceTable: String {
  /// The hitches of iOS 26 and later, and of current systems.
  case hitches
  /// The hitches of iOS 18.
  case hitchesSummary = "hitches-summary"
  /// When the display took a new picture.
  case vsyncs = "display-vsyncs-interval"
  /// Which picture was on the display from when to when.
  case displayedSurfaces = "displayed-surfaces-interval"
  /// When a main thread answered nothing.
  case potentialHangs = "potential-hangs"
  /// Calls that may block a main thread.
  case hangRisks = "hang-risks"
  /// What the run loops of threads did.
  case runLoops = "runloop-intervals"

  /// The table of the schema called `name`; `nil` for those that are not read.
  init?(schema name: [UInt8]) {
    self.init(rawValue: String(decoding: name.prefix(64), as: UTF8.self))
  }

  /// Whether this is one of the two lists of hitches.
  var listsHitches: Bool { self == .hitches || self == .hitchesSummary }

  /// The columns without which a row says nothing.
  var neededColumns: [XctraceColumn] {
    switch self {
    case .hitches, .hitchesSummary: [.start, .duration]
    case .vsyncs, .displayedSurfaces: [.start]
    case .potentialHangs: [.start, .duration, .thread]
    case .hangRisks: [.start, .thread]
    case .runLoops: [.start, .duration, .label, .thread]
    }
  }
}
