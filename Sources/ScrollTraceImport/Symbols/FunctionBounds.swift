import ScrollTraceModel

/// Where the functions of an ELF file start, by its call frame information, which `strip` leaves in the file.
///
/// Nothing in the file is believed: all that is read lies in the file, and what does not fit is left out.
struct FunctionBounds {
  private let file: SymbolFile
  /// `.eh_frame_hdr`: a header and a table of functions, ascending.
  private let table: [UInt8]
  private let count: Int
  /// The encoding of addresses in the functions of each common part, by its address; `nil` if unreadable.
  private var encodings: [UInt64: UInt8?] = [:]

  private static let headerSize = 12
  private static let entrySize = 8
  /// The maximum number of bytes of one entry of the call frame information that are read.
  private static let maximumEntrySize: UInt64 = 64

  /// Reads the table, or returns `nil` if there is none of the usual form.
  init?(of file: SymbolFile) {
    guard let range = file.frames, let table = file.bytes(range), table.count >= Self.headerSize,
      // Version 1, a distance of four bytes to the information, a count of four, distances of four.
      table[0] == 1, table[1] == 0x1B, table[2] == 0x03, table[3] == 0x3B
    else { return nil }
    self.file = file
    self.table = table
    let stated = table.withUnsafeBytes { Int($0.word32(at: 8)) }
    count = min(stated, (table.count - Self.headerSize) / Self.entrySize)
  }

  /// Returns the start of the function that contains each of `addresses`, or `nil` if none does.
  mutating func starts(of addresses: [UInt64]) -> [UInt64?] { addresses.map { start(of: $0) } }

  private mutating func start(of address: UInt64) -> UInt64? {
    let after = (0..<count).partitionPoint { tableStart(at: $0) > address }
    guard after > 0 else { return nil }
    let start = tableStart(at: after - 1)
    let entry = distance(at: Self.headerSize + (after - 1) * Self.entrySize + 4)
    guard start <= address, let length = length(ofFunctionAt: entry),
      address - start < length
    else { return nil }
    return start
  }

  private func tableStart(at index: Int) -> UInt64 {
    distance(at: Self.headerSize + index * Self.entrySize)
  }

  /// The address whose distance from the table's own is at `offset`.
  private func distance(at offset: Int) -> UInt64 {
    let distance = table.withUnsafeBytes { Int32(bitPattern: $0.word32(at: offset)) }
    return file.framesAddress &+ UInt64(bitPattern: Int64(distance))
  }

  // MARK: - Call frame information

  /// The bytes of an entry without its length, or `nil` if it is not in the file.
  private func entry(at address: UInt64) -> [UInt8]? {
    guard let size = file.bytes(at: address, count: 4)?.withUnsafeBytes({ $0.word32(at: 0) }),
      size >= 4, size < UInt32.max
    else { return nil }
    return file.bytes(at: address &+ 4, count: min(UInt64(size), Self.maximumEntrySize))
  }

  /// The length of the function whose entry is at `address`, or `nil` if it cannot be read.
  private mutating func length(ofFunctionAt address: UInt64) -> UInt64? {
    guard let entry = entry(at: address) else { return nil }
    // The distance back to the common part.
    let distance = UInt64(entry.withUnsafeBytes { $0.word32(at: 0) })
    let common = address &+ 4 &- distance
    guard distance > 0 else { return nil }
    if encodings[common] == nil { encodings[common] = .some(encoding(ofCommonPartAt: common)) }
    guard let encoding = encodings[common] ?? nil, let size = Self.size(of: encoding),
      entry.count >= 4 + 2 * size
    else { return nil }
    return entry[(4 + size)..<(4 + 2 * size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func size(of encoding: UInt8) -> Int? {
    switch encoding & 0x0F {
    case 0x00, 0x04, 0x0C: 8
    case 0x03, 0x0B: 4
    case 0x02, 0x0A: 2
    default: nil
    }
  }

  /// The encoding of addresses in the entries of a common part.
  private func encoding(ofCommonPartAt address: UInt64) -> UInt8? {
    guard let bytes = entry(at: address), bytes.starts(with: [0, 0, 0, 0]), bytes.count > 5,
      bytes[4] == 1 || bytes[4] == 3
    else { return nil }
    var rest = bytes[5...]
    let letters = rest.prefix { $0 != 0 }
    guard letters.count < rest.count else { return nil }
    rest = rest.dropFirst(letters.count + 1)
    guard letters.first == UInt8(ascii: "z") else { return letters.isEmpty ? 0 : nil }
    func dropNumber() { rest = rest.drop { $0 & 0x80 != 0 }.dropFirst() }
    // Factors of code and data, the register of the return address, the size of what follows.
    for _ in 0..<2 { dropNumber() }
    if bytes[4] == 1 { rest = rest.dropFirst() } else { dropNumber() }
    dropNumber()
    for letter in letters.dropFirst() {
      switch letter {
      case UInt8(ascii: "R"): return rest.first
      case UInt8(ascii: "L"): rest = rest.dropFirst()
      case UInt8(ascii: "P"):
        guard let size = rest.first.flatMap(Self.size) else { return nil }
        rest = rest.dropFirst(1 + size)
      // Signal frames, and keys of arm64: nothing follows.
      case UInt8(ascii: "S"), UInt8(ascii: "B"), UInt8(ascii: "G"): break
      default: return nil
      }
    }
    return 0
  }
}

extension SymbolFile {
  /// Returns the bytes that are loaded at `address`, or `nil` if the file has none.
  fileprivate func bytes(at address: UInt64, count: UInt64) -> [UInt8]? {
    for (start, range) in segments {
      let length = range.upperBound - range.lowerBound
      guard address >= start, address - start < length, length - (address - start) >= count else {
        continue
      }
      let offset = range.lowerBound + (address - start)
      return bytes(offset..<(offset + count))
    }
    return nil
  }
}
