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
  /// The sampled stacks of threads.
  case timeProfile = "time-profile"

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
    case .timeProfile: [.start, .thread]
    }
  }
}

/// The columns of one table, in the order in which each row has its values.
struct XctraceSchema {
  /// One column.
  struct Column {
    /// The tag of its values: its engineering type.
    let tag: Int
    /// What it means, or `nil` if it is not read.
    let meaning: XctraceColumn?
  }

  /// The most columns of a table; Apple's have about twenty.
  static let maximumColumnCount = 256

  /// The table's name, as far as it is shown.
  let name: String
  /// The table; `nil` for one that is not read.
  let table: XctraceTable?
  /// The columns.
  var columns: [Column] = []

  /// The first column that `table` needs and does not have.
  var missingColumn: XctraceColumn? {
    table?.neededColumns.first { needed in !columns.contains { $0.meaning == needed } }
  }
}

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

/// A value of a table: an element that later ones may refer to by its number.
struct XctraceValue {
  /// The element's name, a position in the list of names; -1 for names that do not matter.
  var tag: Int32 = -1
  /// The process that the value is or lies in, a position in the list of processes; -1 for none.
  var process: Int32 = -1
  /// The text as a number.
  var number: Int64 = 0
  /// Whether the text is a number.
  var hasNumber = false
  /// Whether the text has bytes that no number has.
  private(set) var isBroken = false
  private var isNegative = false
  /// Where the text is in the texts that are kept.
  var text = 0..<0
  /// Whether the text is the element's own, and not the one that is made for people.
  var hasOwnText = false

  /// The number, where there is one.
  var integer: Int64? { hasNumber && !isBroken ? number : nil }

  /// Takes more of the element's text for digits.
  mutating func append(digits: UnsafeRawBufferPointer) {
    for byte in digits {
      if byte == UInt8(ascii: "-"), !hasNumber, !isNegative {
        isNegative = true
        continue
      }
      guard (0x30...0x39).contains(byte) else { return isBroken = true }
      let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - 0x30)
      let (sum, carry) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
      guard !overflow, !carry else { return isBroken = true }
      number = sum
      hasNumber = true
    }
  }
}

/// The values of one table by their numbers, with the texts that are kept of them.
struct XctraceValues {
  /// How far the number of a value may be ahead of the ones before it to be kept in the list.
  private static let slack = 16

  private var names: [[UInt8]] = []
  private var matters: [Bool] = []
  private var wantsText: [Bool] = []
  private var known: [XctraceValue?] = []
  private var far: [UInt64: XctraceValue] = [:]
  private var texts: [UInt8] = []

  /// The tags that are nested in others.
  let process: Int
  let pid: Int
  let thread: Int
  let tid: Int

  init() {
    (process, pid, thread, tid) = (0, 1, 2, 3)
    names = ["process", "pid", "thread", "tid"].map { Array($0.utf8) }
    matters = [true, true, true, true]
    wantsText = [true, false, true, false]
  }

  // MARK: - Names of elements

  /// Forgets everything for the next table.
  mutating func startTable() {
    names.removeSubrange(4...)
    matters.removeSubrange(4...)
    wantsText.removeSubrange(4...)
    known.removeAll(keepingCapacity: true)
    far.removeAll()
    texts.removeAll(keepingCapacity: true)
  }

  /// The tag of a column's values, which are kept where the column is read.
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

  /// The tag of the elements called `name`, or `nil` if no column is of that type.
  func tag(_ name: UnsafeRawBufferPointer) -> Int? {
    names.indices.first { isNamed(name, $0) }
  }

  /// Whether elements called `name` have the tag `tag`.
  @inline(__always)
  func isNamed(_ name: UnsafeRawBufferPointer, _ tag: Int) -> Bool {
    names[tag].withUnsafeBytes { $0.hasSameBytes(as: name) }
  }

  /// Whether values of `tag` are kept.
  func keeps(_ tag: Int) -> Bool { matters[tag] }

  // MARK: - Values

  /// The value of the number `id`, if it has the tag `tag`.
  func value(_ id: UInt64, tag: Int) -> XctraceValue? {
    let value = id < UInt64(known.count) ? known[Int(id)] : far[id]
    guard let value, Int(value.tag) == tag else { return nil }
    return value
  }

  /// Keeps a value; `false` where there is another of the same number.
  mutating func keep(_ value: XctraceValue, as id: UInt64) -> Bool {
    if id < UInt64(known.count) {
      let isNew = known[Int(id)] == nil && (far.isEmpty || far[id] == nil)
      if isNew { known[Int(id)] = value }
      return isNew
    }
    // Numbers count up; a list that follows them must not grow with one that jumps.
    guard id <= UInt64(known.count + Self.slack) else {
      return far.updateValue(value, forKey: id) == nil
    }
    guard far.isEmpty || far[id] == nil else { return false }
    while UInt64(known.count) < id { known.append(far[UInt64(known.count)]) }
    known.append(value)
    return true
  }

  // MARK: - Texts

  /// Keeps the text that is made for people, which stands for a value without an own one.
  mutating func keepFormatted(_ text: UnsafeRawBufferPointer?, of value: inout XctraceValue) {
    guard let text, value.tag >= 0, wantsText[Int(value.tag)] else { return }
    value.text = texts.count..<(texts.count + text.count)
    texts.append(contentsOf: text)
  }

  /// Keeps a piece of a value's own text.
  mutating func keepText(_ text: UnsafeRawBufferPointer, of value: inout XctraceValue) {
    guard value.tag >= 0, wantsText[Int(value.tag)] else { return }
    if !value.hasOwnText { value.text = texts.count..<texts.count }
    value.hasOwnText = true
    // Pieces around nested elements do not follow each other.
    guard value.text.upperBound == texts.count else { return }
    texts.append(contentsOf: text)
    value.text = value.text.lowerBound..<texts.count
  }

  /// The text of a value.
  func text(of value: XctraceValue) -> ArraySlice<UInt8> { texts[value.text] }
}
