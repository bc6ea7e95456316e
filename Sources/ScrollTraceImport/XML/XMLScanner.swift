/// Gives the elements and texts of XML one after another as they arrive in blocks.
///
/// No document is built and nothing is recursive: memory is bounded by the limits below, whatever
/// the bytes are. Definitions of entities, with which a small document becomes a huge one or reads
/// other files, are refused together with all of `DOCTYPE`. Several documents one after another
/// are read as if there was one, so that exports can be joined with `cat`.
struct XMLScanner: ~Copyable {
  /// What was read.
  enum Token {
    /// An element begins: `name` and its attributes.
    case start
    /// The element that began last ends.
    case end
    /// A piece of text in an element: `text`. Comments and sections split texts.
    case text
    /// There is no more.
    case finish
  }

  /// How deep elements may be nested.
  static let maximumDepth = 128

  /// The most bytes of the name of an element or attribute.
  static let maximumNameLength = 256

  /// The most attributes of an element.
  static let maximumAttributeCount = 64

  /// The most bytes of one text, and of all attributes of an element.
  static let maximumTextLength = 1 << 20

  private let source: any ByteSource
  private let block: UnsafeMutableRawBufferPointer
  private var place = 0
  private var end = 0
  private var blockOffset: UInt64 = 0
  private var sourceHasEnded = false

  /// What went wrong with the source, where a fault is of the kind `source`.
  private(set) var failure: ImportError?

  /// The tag or the text that was read last, valid until the next one: in the block, or in `bytes`
  /// where it was put together.
  var view = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The name of the tag that was read last.
  var name = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Where in `view` the attributes of the tag that was read last are.
  var attributes: [XMLAttribute] = []

  /// The name and the attributes of a tag, or a text, in the making.
  var bytes = XMLBytes()

  private var openNames = XMLBytes()
  private var openStarts: [Int] = []
  private var endsAtOnce = false

  /// Where the token that was read last begins.
  private(set) var tokenOffset: UInt64 = 0

  /// A scanner at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18) {
    self.source = source
    block = .allocate(byteCount: max(16, blockSize), alignment: 16)
  }

  deinit { block.deallocate() }

  /// How many elements are open.
  var depth: Int { openStarts.count }

  /// Where in the source the scanner stands.
  var offset: UInt64 { blockOffset + UInt64(place) }

  /// The next token.
  mutating func next() throws(ScanFault) -> Token {
    tokenOffset = offset
    if endsAtOnce {
      endsAtOnce = false
      closeElement()
      return .end
    }
    bytes.cut(to: 0)
    while try require(1) {
      tokenOffset = offset
      if tokenOffset == 0 { try checkByteOrderMark() }
      guard byte == UInt8(ascii: "<") else {
        if depth > 0, passPlainText() { return .text }
        try readText()
        if depth > 0 { return .text }
        try checkOutsideText()
        continue
      }
      guard try require(2) else { throw fault("") }
      switch byte(1) {
      case UInt8(ascii: "?"): try passInstruction()
      case UInt8(ascii: "!"):
        if try readDeclaration() { return .text }
      case UInt8(ascii: "/"):
        if !passPlainEndTag() { try readEndTag() }
        return .end
      default:
        if try !passPlainBeginTag() { try readBeginTag() }
        return .start
      }
    }
    if depth > 0 { throw fault("") }
    return .finish
  }

  // MARK: - Elements

  /// Opens the element called `name`.
  @inline(__always)
  mutating func openElement(endsAtOnce: Bool) throws(ScanFault) {
    guard depth < Self.maximumDepth else {
      throw limitFault("elements are nested more than \(Self.maximumDepth) deep")
    }
    openStarts.append(openNames.count)
    // An element that ends at once has no end tag to compare its name with.
    if !endsAtOnce { openNames.append(name) }
    self.endsAtOnce = endsAtOnce
  }

  /// Closes the element that was opened last.
  @inline(__always)
  mutating func closeElement() {
    guard let start = openStarts.popLast() else { return }
    openNames.cut(to: start)
  }

  /// The name of the element that was opened last.
  var openName: UnsafeRawBufferPointer {
    openNames[(openStarts.last ?? openNames.count)..<openNames.count]
  }

  // MARK: - Bytes

  /// The byte to be read next; only after `require`.
  var byte: UInt8 { block[place] }

  /// The byte so many after the next one; only after `require`.
  func byte(_ distance: Int) -> UInt8 { block[place + distance] }

  /// Passes bytes that are at hand.
  mutating func pass(_ count: Int) { place += count }

  /// The bytes at hand that were not passed.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[place..<end]) }

  /// Whether `count` bytes, at most 16, are at hand, after loading what is missing.
  @inline(__always)
  mutating func require(_ count: Int) throws(ScanFault) -> Bool {
    if _fastPath(end &- place >= count) { return true }
    return try load(count)
  }

  @inline(never)
  private mutating func load(_ count: Int) throws(ScanFault) -> Bool {
    if place > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[place..<end]))
      blockOffset += UInt64(place)
      end -= place
      place = 0
    }
    while end < count, !sourceHasEnded {
      do throws(ImportError) {
        let room = block.count - end
        let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...]))
        sourceHasEnded = got <= 0
        end += max(0, min(got, room))
      } catch {
        failure = error
        throw ScanFault(kind: .source, reason: error.reason, offset: offset)
      }
    }
    return end >= count
  }

  // MARK: - Faults

  /// A fault here: a cut where the bytes end, otherwise `reason`.
  func fault(_ reason: String) -> ScanFault {
    let isCut = sourceHasEnded && (place >= end || reason.isEmpty)
    return ScanFault(
      kind: isCut ? .cutAtEnd : .invalid, reason: isCut ? "the text ends in the middle" : reason,
      offset: offset)
  }

  /// A fault here because a limit was met.
  func limitFault(_ reason: String) -> ScanFault {
    ScanFault(kind: .limit, reason: reason, offset: offset)
  }
}
