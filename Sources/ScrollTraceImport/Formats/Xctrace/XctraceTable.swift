/// The supported tables of an export, by the name of their schema.
enum XctraceTable: String {
  /// The hitches of iOS 26 and later, and of current systems.
  case hitches
  /// The hitches of iOS 18.
  case hitchesSummary = "hitches-summary"
  /// The times the display received a new image.
  case vsyncs = "display-vsyncs-interval"
  /// The images on the display with their start and end.
  case displayedSurfaces = "displayed-surfaces-interval"
  /// The times a main thread was unresponsive.
  case potentialHangs = "potential-hangs"
  /// Calls that can block a main thread.
  case hangRisks = "hang-risks"
  case runLoops = "runloop-intervals"
  /// The sampled stacks of threads.
  case timeProfile = "time-profile"
  /// The same before Instruments names and weighs it.
  case timeSamples = "time-sample"
  /// The states of threads: running, ready or blocked.
  case threadStates = "thread-state"

  init?(schema name: [UInt8]) {
    self.init(rawValue: String(decoding: name.prefix(64), as: UTF8.self))
  }

  var listsHitches: Bool { self == .hitches || self == .hitchesSummary }

  /// Whether values of unused columns may be named after another type than
  /// the column's. In exports of `thread-state`, durations of several types are named `duration`.
  var hasLooseColumns: Bool { self == .threadStates }
}

/// The columns of one table, in the order of each row's values.
struct XctraceSchema {
  struct Column {
    /// The tag of its values: the engineering type.
    let tag: Int
    let meaning: XctraceColumn?
  }

  /// The maximum number of columns; Apple's tables have about twenty.
  static let maximumColumnCount = 256

  /// The table's name, truncated for messages.
  let name: String
  let table: XctraceTable?
  var columns: [Column] = []

  /// Returns whether a value of the column may have any type, because none is used.
  func isLoose(_ column: Int) -> Bool {
    guard let table, table.hasLooseColumns, columns.indices.contains(column) else { return false }
    return columns[column].meaning == nil
  }
}

/// The meaning of a used column.
enum XctraceColumn: Int, CaseIterable {
  case start
  case duration
  case process
  case isSystem
  case swap
  case display
  /// The description of the row: the narrative of a hitch, or the type of an interval.
  case label
  case severity
  case refreshInterval
  case thread
  case isMain
  /// The kind of a display event.
  case event
  case state
  case core
  /// The thread that made another one ready.
  case waker

  /// Creates the meaning of the column with this mnemonic, or returns `nil` for unused columns.
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
    case "state" where table == .threadStates: self = .state
    case "core" where table == .threadStates: self = .core
    case "made-runnable-by-thread" where table == .threadStates: self = .waker
    default: return nil
    }
  }

  /// Whether the text of the column counts, not its number.
  var isText: Bool {
    switch self {
    case .display, .label, .severity, .event, .state: true
    default: false
    }
  }
}

/// A value of a table: an element that later ones can refer to by its number.
struct XctraceValue {
  /// The element's name as a position in the list of names, or -1 for unused names.
  var tag: Int32 = -1
  /// The process that is or contains the value, as a position in the list of processes, or -1 for
  /// none.
  var process: Int32 = -1
  var number: Int64 = 0
  var hasNumber = false
  /// Whether the text contains nonnumeric bytes.
  private(set) var isBroken = false
  private var isNegative = false
  /// The position of the text among the stored texts.
  var text = 0..<0
  /// Whether the text is the element's own and not the formatted one.
  var hasOwnText = false

  var integer: Int64? { hasNumber && !isBroken ? number : nil }

  /// Appends more of the element's text to the number.
  mutating func append(digits: UnsafeRawBufferPointer) {
    for byte in digits {
      if byte == UInt8(ascii: "-"), !hasNumber, !isNegative {
        isNegative = true
        continue
      }
      guard byte.isDigit, let longer = number.appending(digit: byte, isNegative: isNegative)
      else { return isBroken = true }
      (number, hasNumber) = (longer, true)
    }
  }
}

/// The values of one table by their numbers, with their stored texts.
struct XctraceValues {
  /// The maximum distance of a value's number from the previous ones for storage in the list.
  private static let slack = 16

  private var names = ["process", "pid", "thread", "tid"].map { Array($0.utf8) }
  private var matters = [true, true, true, true]
  private var wantsText = [true, false, true, false]
  private var known: [XctraceValue?] = []
  private var far: [UInt64: XctraceValue] = [:]
  private var texts: [UInt8] = []

  /// The tags that are nested in others.
  let process = 0
  let pid = 1
  let thread = 2
  let tid = 3

  // MARK: - Names of elements

  mutating func startTable() {
    names.removeSubrange(4...)
    matters.removeSubrange(4...)
    wantsText.removeSubrange(4...)
    known.removeAll(keepingCapacity: true)
    far.removeAll()
    texts.removeAll(keepingCapacity: true)
  }

  /// Returns the tag of a column's values, which are stored if the column is used.
  mutating func tag(ofColumnType name: [UInt8], meaning: XctraceColumn?) -> Int {
    let tag = name.withUnsafeBytes { self.tag($0) }
    let index = tag ?? names.count
    if tag == nil {
      names.append(name)
      matters.append(false)
      wantsText.append(false)
    }
    if let meaning {
      matters[index] = true
      if meaning.isText { wantsText[index] = true }
    }
    return index
  }

  /// Returns the tag of the elements named `name`, or `nil` if no column has that type.
  func tag(_ name: UnsafeRawBufferPointer) -> Int? { names.indices.first { isNamed(name, $0) } }

  @inline(__always)
  func isNamed(_ name: UnsafeRawBufferPointer, _ tag: Int) -> Bool {
    names[tag].withUnsafeBytes { $0.hasSameBytes(as: name) }
  }

  func keeps(_ tag: Int) -> Bool { matters[tag] }

  // MARK: - Values

  func value(_ id: UInt64, tag: Int) -> XctraceValue? {
    let value = id < UInt64(known.count) ? known[Int(id)] : far[id]
    guard let value, Int(value.tag) == tag else { return nil }
    return value
  }

  /// Stores a value; returns `false` if another one has the same number.
  mutating func keep(_ value: XctraceValue, as id: UInt64) -> Bool {
    if id < UInt64(known.count) {
      let isNew = known[Int(id)] == nil && (far.isEmpty || far[id] == nil)
      if isNew { known[Int(id)] = value }
      return isNew
    }
    // Numbers count up; the list must not grow with one that jumps.
    guard id <= UInt64(known.count + Self.slack) else {
      return far.updateValue(value, forKey: id) == nil
    }
    guard far.isEmpty || far[id] == nil else { return false }
    while UInt64(known.count) < id { known.append(far[UInt64(known.count)]) }
    known.append(value)
    return true
  }

  // MARK: - Texts

  /// Stores the formatted text, used for values without their own text.
  mutating func keepFormatted(_ text: UnsafeRawBufferPointer?, of value: inout XctraceValue) {
    guard let text, value.tag >= 0, wantsText[Int(value.tag)] else { return }
    value.text = texts.count..<(texts.count + text.count)
    texts.append(contentsOf: text)
  }

  /// Stores a segment of a value's own text.
  mutating func keepText(_ text: UnsafeRawBufferPointer, of value: inout XctraceValue) {
    guard value.tag >= 0, wantsText[Int(value.tag)] else { return }
    if !value.hasOwnText { value.text = texts.count..<texts.count }
    value.hasOwnText = true
    // Segments around nested elements are not adjacent.
    guard value.text.upperBound == texts.count else { return }
    texts.append(contentsOf: text)
    value.text = value.text.lowerBound..<texts.count
  }

  func text(of value: XctraceValue) -> ArraySlice<UInt8> { texts[value.text] }
}
