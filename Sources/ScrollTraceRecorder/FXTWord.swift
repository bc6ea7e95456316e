/// The words of FXT records that the recorder writes; sizes are in words of eight bytes.
///
/// A header is: bits 0…3 record type, 4…15 size in words, the rest by type.
enum FXTWord {
  /// The thread reference of every event: index 1, which each chunk defines for its own thread.
  static var threadReference: UInt64 { 1 << 24 }

  /// The kinds of events.
  enum Event: UInt64 {
    case instant = 0
    case counter = 1
    case complete = 4
    case asyncBegin = 5
    case asyncEnd = 7
    case flowBegin = 8
    case flowStep = 9
    case flowEnd = 10
  }

  /// The types of arguments.
  enum Argument: UInt64 {
    case signed = 3
    case unsigned = 4
    case double = 5
    case string = 6
    case object = 8
    case bool = 9
  }

  /// The kinds of kernel objects.
  enum Object: UInt64 {
    case process = 1
    case thread = 2
  }

  /// The header of a kernel object record that was built.
  static func object(_ kind: Object, _ record: RecordBuilder, name: RecordText) -> UInt64 {
    7 | UInt64(record.wordCount) << 4 | kind.rawValue << 16 | UInt64(name.reference) << 24
      | record.argumentCount << 40
  }

  /// A blob without name and content that covers `words` words, its own header included.
  @inline(__always)
  static func pad(words: UInt64) -> UInt64 {
    5 | words << 4 | ((words &- 1) << 3) << 32 | 1 << 48
  }

  /// The same in bytes: one multiplication, since size and payload grow alike.
  @inline(__always)
  static func pad(bytes: UInt64) -> UInt64 {
    (5 &- 8 << 32 &+ 1 << 48) &+ bytes &* padGrowth
  }

  /// What the header of a pad grows by for each byte.
  static var padGrowth: UInt64 {
    @inline(__always) get { 2 | 1 << 32 }
  }

  /// The header of a blob with an inline name.
  static func blob(words: Int, nameLength: Int, payloadLength: Int) -> UInt64 {
    5 | UInt64(words) << 4 | UInt64(inlineReference(nameLength)) << 16
      | UInt64(payloadLength) << 32 | 1 << 48
  }

  /// The header of an event without category and name, which are bits 32…63.
  @inline(__always)
  static func event(_ kind: Event, words: UInt64, arguments: UInt64) -> UInt64 {
    4 | words << 4 | kind.rawValue << 16 | arguments << 20 | threadReference
  }

  /// The header of a span without arguments, without category and name.
  static var plainSpan: UInt64 {
    @inline(__always) get { event(.complete, words: 3, arguments: 0) }
  }

  /// The header of a span with one argument of a whole word, without category and name.
  static var itemSpan: UInt64 {
    @inline(__always) get { event(.complete, words: 5, arguments: 1) }
  }

  /// The header of an argument without its value, which is bits 32…63 of small types.
  @inline(__always)
  static func argument(_ type: Argument, words: UInt64, key: ArgumentKey) -> UInt64 {
    type.rawValue | words << 4 | UInt64(key.rawValue) << 16
  }

  /// The header of a string record.
  static func string(index: UInt32, length: Int) -> UInt64 {
    2 | UInt64(1 + words(length)) << 4 | UInt64(index) << 16 | UInt64(length) << 32
  }

  /// The reference to a string whose bytes follow inline.
  static func inlineReference(_ length: Int) -> UInt16 {
    length == 0 ? 0 : 0x8000 | UInt16(length)
  }

  /// How many words hold `bytes` bytes.
  static func words(_ bytes: Int) -> Int { (bytes + 7) >> 3 }
}
