internal import ScrollTraceLayout

/// The arguments of one event.
protocol EventDetails {
  /// The set of keys of the arguments.
  var keys: UInt64 { get }

  /// The maximum size of the arguments in words, not including inline texts.
  var words: Int { get }

  /// Up to two texts that are argument values.
  var texts: (first: RecordedName?, second: RecordedName?) { get }

  /// Adds the arguments to a record, where `first` and `second` refer to `texts`.
  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText)
}

extension EventDetails {
  @inline(__always)
  var texts: (first: RecordedName?, second: RecordedName?) { (nil, nil) }

  /// Two words for each key, which is enough for all types except inline texts.
  @inline(__always)
  var words: Int { 2 * keys.nonzeroBitCount }
}

/// No arguments.
struct NoDetails: EventDetails {
  var keys: UInt64 { 0 }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {}
}

struct ItemDetails: EventDetails {
  var item: UInt64?

  var keys: UInt64 { item.bit(.item) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let item { record.argument(.item, item) }
  }
}

extension Optional {
  /// The key's bit if there is a value, or 0.
  @inline(__always)
  func bit(_ key: ArgumentKey) -> UInt64 {
    self == nil ? 0 : key.bit
  }
}

/// The names of arguments. The raw value is the string index, which is the same in every recording.
///
/// Indices are below 64, so that one word records which of them a chunk defines.
enum ArgumentKey: UInt16, CaseIterable {
  case frame = 1
  case begin
  case deadline
  case target
  case interval
  case presented
  case outcome
  case tolerance
  case grid
  case surface
  case key
  case value
  case list
  case item
  case position
  case view
  case kind
  case registration
  case reused
  case ahead
  case estimatedSize
  case size
  case bytes
  case inserted
  case deleted
  case reconfigured
  case reloaded
  case process
  case hitchList
  case duration
  case label
  case commitStart
  case commitEnd
  case cpu
  case ready
  case preemptions
  case waits
  case faults
  case diskFaults

  /// The key's bit in a set of keys.
  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// The key's name in the file.
  var text: StaticString {
    switch self {
    case .frame: Vocabulary.Key.frame
    case .begin: Vocabulary.Key.begin
    case .deadline: Vocabulary.Key.deadline
    case .target: Vocabulary.Key.target
    case .interval: Vocabulary.Key.interval
    case .presented: Vocabulary.Key.presented
    case .outcome: Vocabulary.Key.outcome
    case .tolerance: Vocabulary.Key.tolerance
    case .grid: Vocabulary.Key.grid
    case .surface: Vocabulary.Key.surface
    case .key: Vocabulary.Key.key
    case .value: Vocabulary.Key.value
    case .list: Vocabulary.Key.list
    case .item: Vocabulary.Key.item
    case .position: Vocabulary.Key.position
    case .view: Vocabulary.Key.view
    case .kind: Vocabulary.Key.kind
    case .registration: Vocabulary.Key.registration
    case .reused: Vocabulary.Key.reused
    case .ahead: Vocabulary.Key.ahead
    case .estimatedSize: Vocabulary.Key.estimatedSize
    case .size: Vocabulary.Key.size
    case .bytes: Vocabulary.Key.bytes
    case .inserted: Vocabulary.Key.inserted
    case .deleted: Vocabulary.Key.deleted
    case .reconfigured: Vocabulary.Key.reconfigured
    case .reloaded: Vocabulary.Key.reloaded
    case .process: Vocabulary.Key.process
    case .hitchList: Vocabulary.Key.hitchList
    case .duration: Vocabulary.Key.duration
    case .label: Vocabulary.Key.label
    case .commitStart: Vocabulary.Key.commitStart
    case .commitEnd: Vocabulary.Key.commitEnd
    case .cpu: Vocabulary.Key.cpu
    case .ready: Vocabulary.Key.ready
    case .preemptions: Vocabulary.Key.preemptions
    case .waits: Vocabulary.Key.waits
    case .faults: Vocabulary.Key.faults
    case .diskFaults: Vocabulary.Key.diskFaults
    }
  }
}
