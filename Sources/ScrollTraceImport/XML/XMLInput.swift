/// The bytes of XML in memory, from the next one on.
struct XMLInput: ~Copyable {
  private let source: any ByteSource
  private let block: UnsafeMutableRawBufferPointer
  private var nextIndex = 0
  private var end = 0
  private var blockOffset: UInt64 = 0
  private var sourceHasEnded = false

  /// The source's error, if a fault has the kind `source`.
  private(set) var failure: ImportError?

  /// Creates an input at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int) {
    self.source = source
    block = .allocate(byteCount: max(16, blockSize), alignment: 16)
  }

  deinit { block.deallocate() }

  /// The offset of the next byte in the source.
  var offset: UInt64 { blockOffset + UInt64(nextIndex) }

  /// The next byte. Call `require` first.
  var byte: UInt8 { block[nextIndex] }

  /// Returns the byte at a distance from the next one. Call `require` first.
  func byte(_ distance: Int) -> UInt8 { block[nextIndex + distance] }

  mutating func pass(_ count: Int) { nextIndex += count }

  /// The bytes in memory that were not passed.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[nextIndex..<end]) }

  /// Returns whether `count` bytes, at most 16, are in memory, after loading missing ones.
  @inline(__always)
  mutating func require(_ count: Int) throws(ScanFault) -> Bool {
    if _fastPath(end &- nextIndex >= count) { return true }
    return try load(count)
  }

  @inline(never)
  private mutating func load(_ count: Int) throws(ScanFault) -> Bool {
    if nextIndex > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[nextIndex..<end]))
      blockOffset += UInt64(nextIndex)
      end -= nextIndex
      nextIndex = 0
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

  // MARK: - Marks and white space

  mutating func passOver(until mark: StaticString) throws(ScanFault) {
    while try !starts(with: mark) {
      guard try require(1) else { throw fault("") }
      pass(1)
    }
    pass(mark.utf8CodeUnitCount)
  }

  /// Returns whether the next bytes are those of `text`.
  mutating func starts(with text: StaticString) throws(ScanFault) -> Bool {
    guard try require(1), byte == text.utf8Start[0], try require(text.utf8CodeUnitCount) else {
      return false
    }
    for index in 1..<text.utf8CodeUnitCount where byte(index) != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Skips white space and returns whether there was any.
  mutating func passSpace() throws(ScanFault) -> Bool {
    var hasSpace = false
    while try require(1), byte.isXMLSpace {
      pass(1)
      hasSpace = true
    }
    return hasSpace
  }

  // MARK: - Faults

  /// Returns a fault here: a truncation if the bytes end, otherwise `reason`.
  func fault(_ reason: String) -> ScanFault {
    let isCut = sourceHasEnded && (nextIndex >= end || reason.isEmpty)
    return ScanFault(
      kind: isCut ? .cutAtEnd : .invalid, reason: isCut ? "the text ends in the middle" : reason,
      offset: offset)
  }

  /// Returns a fault here because a limit was exceeded.
  func limitFault(_ reason: String) -> ScanFault {
    ScanFault(kind: .limit, reason: reason, offset: offset)
  }
}
