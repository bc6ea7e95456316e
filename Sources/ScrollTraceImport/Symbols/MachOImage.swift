internal import ScrollTraceModel

/// One architecture of a Mach-O file for 64 bits: a program, a library or its dSYM.
///
/// Nothing in the file is believed: what does not lie in the architecture's part of the file is left out.
struct MachOImage {
  /// The UUID in hexadecimal digits, or empty if there is none.
  private(set) var buildID = ""
  /// The address of the first byte.
  private(set) var start: UInt64 = 0
  /// Whether this is a dSYM, which has the names of all functions.
  let isComplete: Bool
  private let slice: Range<UInt64>
  /// The addresses of each section, from number 1 on; empty for those without code.
  private var sections: [Range<UInt64>] = []
  private var symbols: (table: Range<UInt64>, texts: Range<UInt64>)?
  /// The distances between functions.
  private var functionStarts: Range<UInt64>?

  private static let maximumSliceCount: UInt64 = 32
  private static let maximumCommandsSize: UInt64 = 1 << 20
  private static let maximumSectionCount = 255
  private static let maximumStartsSize: UInt64 = 1 << 26

  /// The images in a file, one for each architecture.
  static func all(in file: SymbolFile) -> [MachOImage] {
    guard let head = file.bytes(0..<8)?.withUnsafeBytes({ $0.word(at: 0) }) else { return [] }
    // The header of a file for several architectures is big-endian, and offsets have 4 or 8 bytes.
    let count = UInt64(UInt32(truncatingIfNeeded: head >> 32).byteSwapped)
    let magic = UInt32(truncatingIfNeeded: head).byteSwapped
    guard magic == 0xCAFE_BABE || magic == 0xCAFE_BABF else {
      return MachOImage(file, 0..<file.size).map { [$0] } ?? []
    }
    let entrySize: UInt64 = magic == 0xCAFE_BABE ? 20 : 32
    // Classes of Java start with the same bytes, and a version above this number.
    guard count <= maximumSliceCount, let entries = file.bytes(8..<(8 + count * entrySize)) else {
      return []
    }
    return entries.withUnsafeBytes { entries in
      stride(from: 8, to: entries.count, by: Int(entrySize)).compactMap { start in
        let (offset, length) =
          entrySize == 20
          ? (
            UInt64(entries.word32(at: start).byteSwapped),
            UInt64(entries.word32(at: start + 4).byteSwapped)
          ) : (entries.word(at: start).byteSwapped, entries.word(at: start + 8).byteSwapped)
        return part(of: 0..<file.size, offset, length).flatMap { MachOImage(file, $0) }
      }
    }
  }

  /// Reads the commands of the image in a part of a file, or returns `nil` if there is none.
  private init?(_ file: SymbolFile, _ slice: Range<UInt64>) {
    guard let header = Self.part(of: slice, 0, 32).flatMap(file.bytes) else { return nil }
    let (magic, kind, size) = header.withUnsafeBytes {
      ($0.word32(at: 0), $0.word32(at: 12), UInt64($0.word32(at: 20)))
    }
    guard magic == 0xFEED_FACF, size <= Self.maximumCommandsSize,
      let commands = Self.part(of: slice, 32, size).flatMap(file.bytes)
    else { return nil }
    isComplete = kind == 10
    self.slice = slice
    commands.withUnsafeBytes { commands in
      var rest = commands[...]
      while rest.count >= 8 {
        let command = UnsafeRawBufferPointer(rebasing: rest)
        let length = Int(command.word32(at: 4))
        guard length >= 8, length <= rest.count else { return }
        add(UnsafeRawBufferPointer(rebasing: rest.prefix(length)))
        rest = rest.dropFirst(length)
      }
    }
  }

  /// The range of `count` bytes at `offset` of a part of the file, or `nil` if they are not in it.
  private static func part(
    of slice: Range<UInt64>, _ offset: UInt64, _ count: UInt64
  ) -> Range<UInt64>? {
    let length = slice.upperBound - slice.lowerBound
    guard offset <= length, count <= length - offset else { return nil }
    return (slice.lowerBound + offset)..<(slice.lowerBound + offset + count)
  }

  private mutating func add(_ command: UnsafeRawBufferPointer) {
    func range(_ at: Int, _ size: UInt64 = 1) -> Range<UInt64>? {
      Self.part(
        of: slice, UInt64(command.word32(at: at)), UInt64(command.word32(at: at + 4)) * size)
    }
    switch (command.word32(at: 0), command.count) {
    case (0x02, 24...):
      guard let table = range(8, 16), let texts = range(16) else { return }
      symbols = (table, texts)
    case (0x19, 72...): addSegment(command)
    case (0x1B, 24...): buildID = HexadecimalDigits.text(command[8..<24])
    case (0x26, 16...):
      functionStarts = range(8).flatMap { $0.count <= Self.maximumStartsSize ? $0 : nil }
    default: break
    }
  }

  private mutating func addSegment(_ segment: UnsafeRawBufferPointer) {
    if segment[8..<24].elementsEqual("__TEXT\0\0\0\0\0\0\0\0\0\0".utf8) {
      start = segment.word(at: 24)
    }
    let count = min(Int(segment.word32(at: 64)), (segment.count - 72) / 80)
    for offset in (0..<count).map({ 72 + $0 * 80 }) where sections.count < Self.maximumSectionCount
    {
      let (address, size) = (segment.word(at: offset + 32), segment.word(at: offset + 40))
      let (end, overflow) = address.addingReportingOverflow(size)
      let isCode = segment.word32(at: offset + 64) & 0x8000_0400 != 0
      sections.append(isCode && !overflow ? address..<end : 0..<0)
    }
  }

  // MARK: - Functions

  /// The last of what lies at or before each of some ascending addresses.
  private struct Nearest<Value> {
    let addresses: [UInt64]
    var values: [(start: UInt64, value: Value)?]

    init(_ addresses: [UInt64]) {
      self.addresses = addresses
      values = Array(repeating: nil, count: addresses.count)
    }

    mutating func add(_ start: UInt64, _ value: Value, isBetter: (Value) -> Bool) {
      let index = addresses.partitionPoint { $0 >= start }
      guard index < values.count else { return }
      if let known = values[index] {
        guard start > known.start || start == known.start && isBetter(known.value) else { return }
      }
      values[index] = (start, value)
    }

    /// Returns the value at or before each address, in the same section.
    func all(in sections: [Range<UInt64>]) -> [(start: UInt64, value: Value)?] {
      var last: (start: UInt64, value: Value)?
      return zip(addresses, values).map { address, value in
        last = value ?? last
        guard let last, let section = sections.first(where: { $0.contains(address) }),
          section.contains(last.start)
        else { return nil }
        return last
      }
    }
  }

  /// Returns the start of the function that contains each of `addresses`, ascending, or `nil` if the file
  /// does not say where functions start.
  func starts(of addresses: [UInt64], in file: SymbolFile) -> [UInt64?]? {
    guard let bytes = functionStarts.flatMap(file.bytes) else { return nil }
    var nearest = Nearest<Void>(addresses)
    var (address, distance, shift) = (start, UInt64(0), UInt64(0))
    for byte in bytes {
      guard shift < 63 else { break }
      distance |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      guard distance > 0, let next = address.plus(distance) else { break }
      nearest.add(next, ()) { false }
      (address, distance, shift) = (next, 0, 0)
    }
    return nearest.all(in: sections).map { $0?.start }
  }

  /// Returns the name of the function at each of `addresses`, ascending, or `nil` if none is known.
  ///
  /// Symbols have no size: a function ends where the next one starts. A library that does not say where
  /// functions start may have lost the names between those that it exports, and names nothing.
  func names(of addresses: [UInt64], in file: SymbolFile) -> [String?] {
    let starts = starts(of: addresses, in: file)
    guard starts != nil || isComplete, let symbols else { return addresses.map { _ in nil } }
    var nearest = Nearest<(name: UInt32, isGlobal: Bool)>(addresses)
    file.forEachEntry(of: symbols.table, size: 16) { symbol in
      let (kind, section) = (symbol[4], Int(symbol[5]))
      // No symbol for debuggers, and one that is defined in a section with code.
      guard kind & 0xE0 == 0, kind & 0x0E == 0x0E, section > 0, section <= sections.count,
        sections[section - 1].contains(symbol.word(at: 8))
      else { return }
      let isGlobal = kind & 1 != 0
      nearest.add(symbol.word(at: 8), (symbol.word32(at: 0), isGlobal)) { isGlobal && !$0.isGlobal }
    }
    return nearest.all(in: sections).enumerated().map { index, found in
      guard let found, starts.map({ $0[index].map { $0 <= found.start } ?? false }) ?? true,
        let name = file.name(at: UInt64(found.value.name), in: symbols.texts)
      else { return nil }
      return name.hasPrefix("_") ? String(name.dropFirst()) : name
    }
  }
}
