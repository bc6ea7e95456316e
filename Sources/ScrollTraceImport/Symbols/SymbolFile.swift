internal import ScrollTraceModel
import ScrollTracePlatform

/// An ELF or Mach-O file with the names of functions: a program, a library or its separate debug file.
///
/// Nothing in the file is believed: all sizes are compared with the file's, and what does not fit is left
/// out. A class because it owns a file descriptor.
package final class SymbolFile {
  private let descriptor: Int32
  let size: UInt64
  /// The build IDs of all architectures in the file.
  private(set) var buildIDs: [String] = []
  /// The build ID in hexadecimal digits, or the UUID, or empty if there is none.
  private(set) var buildID = ""
  /// The architecture that is read, or `nil` in an ELF file.
  private var image: MachOImage?
  /// The table of functions, which identifies a file without a build ID (F-9).
  private(set) var frames: Range<UInt64>?
  /// The address of the table of functions.
  private(set) var framesAddress: UInt64 = 0
  /// The parts of the file that are loaded: their addresses and their offsets in the file.
  private(set) var segments: [(address: UInt64, range: Range<UInt64>)] = []
  private var symbols: (table: Range<UInt64>, texts: Range<UInt64>)?
  /// Whether the names include those that are not exported.
  private(set) var isComplete = false

  /// The largest sizes of the tables of a file; those of the largest programs are a tenth.
  private static let maximumHeaderCount: UInt64 = 65_536
  private static let maximumSegmentCount = 64
  private static let maximumNotesSize: UInt64 = 1 << 20
  private static let maximumFramesSize: UInt64 = 1 << 26
  private static let maximumSymbolCount: UInt64 = 1 << 24
  private static let maximumNameLength = 4_096
  /// The maximum number of symbols that contain an address, on average.
  private static let maximumSymbolsOfAddress = 64

  /// Opens the file at `path`, or returns `nil` if it is neither an ELF nor a Mach-O file for 64 bits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - build: The build ID of the architecture that is read, instead of the first.
  ///   - isTrusted: A Boolean value indicating whether the user has named the folder. Otherwise the file
  ///     must belong to the user or the system.
  package init?(path: String, isTrusted: Bool, build: String = "") {
    guard !path.utf8.contains(0), Self.isAcceptable(path, isTrusted: isTrusted) else { return nil }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Self.isAcceptable(status, isTrusted: isTrusted) else {
      size = 0
      return nil
    }
    size = UInt64(clamping: status.st_size)
    guard readTables() || readImage(of: build) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func isAcceptable(_ path: String, isTrusted: Bool) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && isAcceptable(status, isTrusted: isTrusted)
  }

  private static func isAcceptable(_ status: stat, isTrusted: Bool) -> Bool {
    status.st_mode & S_IFMT == S_IFREG
      && (isTrusted || status.st_uid == 0 || status.st_uid == geteuid())
  }

  // MARK: - Reading

  /// Returns `range` of the file, or `nil` if the file ends earlier.
  func bytes(_ range: Range<UInt64>) -> [UInt8]? {
    guard range.upperBound <= size, let count = Int(exactly: range.upperBound - range.lowerBound),
      let bytes = try? readBytes(descriptor, at: range.lowerBound, count: count),
      bytes.count == count
    else { return nil }
    return bytes
  }

  /// The range of `count` bytes at `offset`, or `nil` if it is too long or not in the file.
  private func range(_ offset: UInt64, _ count: UInt64, maximum: UInt64) -> Range<UInt64>? {
    guard let end = offset.plus(count), end <= size, count <= maximum else { return nil }
    return offset..<end
  }

  /// Reads the headers; whether this is a file for 64 bits in little-endian order.
  private func readTables() -> Bool {
    guard let header = bytes(0..<64) else { return false }
    guard header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return false }
    return header.withUnsafeBytes { header in
      readSegments(header)
      readSections(header)
      if !buildID.isEmpty { buildIDs = [buildID] }
      return true
    }
  }

  /// Reads one architecture of a Mach-O file; whether it has any.
  private func readImage(of build: String) -> Bool {
    let images = MachOImage.all(in: self)
    guard let image = images.first(where: { $0.buildID == build }) ?? images.first else {
      return false
    }
    buildIDs = images.map(\.buildID).filter { !$0.isEmpty }
    (buildID, isComplete, self.image) = (image.buildID, image.isComplete, image)
    return true
  }

  /// The address of the first byte that is loaded, from which some recordings count.
  var start: UInt64 { image?.start ?? 0 }

  package func isBuild(_ wanted: String) -> Bool {
    guard buildID.isEmpty else { return buildID == wanted }
    // Only now, because a trace can name any file.
    guard wanted.hasPrefix(Self.framesPrefix), let frames else { return false }
    return identity(byFrames: frames) == wanted
  }

  /// `eh_frame` in hexadecimal digits.
  private static let framesPrefix = "65685f6672616d65"

  /// The headers of one kind: `count` of `entrySize` bytes each.
  private func headers(at offset: UInt64, count: UInt64, entrySize: UInt64) -> [[UInt8]] {
    guard count <= Self.maximumHeaderCount, entrySize >= 56, entrySize <= 4_096,
      let range = range(offset, count * entrySize, maximum: .max), let all = bytes(range)
    else { return [] }
    return stride(from: 0, to: all.count, by: Int(entrySize)).map {
      Array(all[$0..<($0 + Int(entrySize))])
    }
  }

  private func readSegments(_ header: UnsafeRawBufferPointer) {
    let segments = headers(
      at: header.word(at: 32), count: UInt64(header.word16(at: 56)),
      entrySize: UInt64(header.word16(at: 54)))
    for segment in segments {
      segment.withUnsafeBytes { segment in
        let (offset, count) = (segment.word(at: 8), segment.word(at: 32))
        switch segment.word32(at: 0) {
        case 4: readNotes(range(offset, count, maximum: Self.maximumNotesSize))
        case 1:
          guard self.segments.count < Self.maximumSegmentCount,
            let range = range(offset, count, maximum: .max)
          else { return }
          self.segments.append((segment.word(at: 16), range))
        case 0x6474_E550:
          frames = range(offset, count, maximum: Self.maximumFramesSize)
          framesAddress = segment.word(at: 16)
        default: break
        }
      }
    }
  }

  private func readSections(_ header: UnsafeRawBufferPointer) {
    let (tableOffset, entrySize) = (header.word(at: 40), UInt64(header.word16(at: 58)))
    var count = UInt64(header.word16(at: 60))
    if count == 0, tableOffset > 0 {
      // More than fit into the field: the first section's size is their number.
      let first = headers(at: tableOffset, count: 1, entrySize: entrySize).first ?? []
      if first.count >= 40 { count = first.withUnsafeBytes { $0.word(at: 32) } }
    }
    let sections = headers(at: tableOffset, count: count, entrySize: entrySize)
    for section in sections where section.count >= 64 {
      section.withUnsafeBytes { section in
        let kind = section.word32(at: 4)
        let (offset, count) = (section.word(at: 24), section.word(at: 32))
        if kind == 7 { readNotes(range(offset, count, maximum: Self.maximumNotesSize)) }
        guard kind == 2 || kind == 11 && !isComplete, section.word(at: 56) == 24 else { return }
        let link = Int(section.word32(at: 40))
        guard link < sections.count, sections[link].count >= 64,
          let table = range(offset, count, maximum: Self.maximumSymbolCount * 24)
        else { return }
        let texts = sections[link].withUnsafeBytes {
          range($0.word(at: 24), $0.word(at: 32), maximum: .max)
        }
        guard let texts else { return }
        symbols = (table, texts)
        isComplete = kind == 2
      }
    }
  }

  private func readNotes(_ range: Range<UInt64>?) {
    guard buildID.isEmpty, let range, let notes = bytes(range) else { return }
    notes.withUnsafeBytes { notes in
      var offset = 0
      while offset + 12 <= notes.count {
        let (nameSize, size) = (Int(notes.word32(at: offset)), Int(notes.word32(at: offset + 4)))
        let content = offset + 12 + (nameSize + 3) / 4 * 4
        guard content + size <= notes.count else { return }
        let isBuildID = notes.word32(at: offset + 8) == 3 && nameSize == 4
        if isBuildID, notes[(offset + 12)..<(offset + 16)].elementsEqual("GNU\0".utf8), size > 0 {
          return buildID = HexadecimalDigits.text(notes[content..<(content + size)])
        }
        offset = content + (size + 3) / 4 * 4
      }
    }
  }

  /// The identity of a file without a build ID, as the recorder works it out.
  private func identity(byFrames range: Range<UInt64>) -> String? {
    guard let bytes = bytes(range) else { return nil }
    var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    for start in stride(from: 0, to: bytes.count, by: 8) {
      var word: UInt64 = 0
      for (index, byte) in bytes[start..<min(start + 8, bytes.count)].enumerated() {
        word |= UInt64(byte) << UInt64(index * 8)
      }
      hash = (hash ^ word) &* 0x100_0000_01B3
    }
    return Self.framesPrefix + HexadecimalDigits.text(hash.byteSwapped)
  }

  // MARK: - Names

  /// The function that contains an address.
  private struct Found {
    var start: UInt64
    var isGlobal: Bool
    var name: UInt32
  }

  /// Returns the name of the function at each of `addresses`, which are in ascending order, or `nil` if no
  /// function contains the address.
  ///
  /// The table is read once, in blocks, whatever its size. Symbols that contain each other without end are
  /// left out.
  package func names(of addresses: [UInt64]) -> [String?] {
    if let image { return image.names(of: addresses, in: self) }
    var found = [Found?](repeating: nil, count: addresses.count)
    var left = Self.maximumSymbolsOfAddress * (addresses.count + 1)
    guard let symbols else { return found.map { _ in nil } }
    forEachEntry(of: symbols.table, size: 24) { Self.add($0, addresses, &found, &left) }
    return found.map { $0.flatMap { name(at: UInt64($0.name), in: symbols.texts) } }
  }

  /// Returns the start of the function that contains each of `addresses`, in ascending order, by the table
  /// of functions that `strip` leaves in the file, or `nil` if there is none.
  package func starts(of addresses: [UInt64]) -> [UInt64?]? {
    if let image { return image.starts(of: addresses, in: self) }
    guard var bounds = FunctionBounds(of: self) else { return nil }
    return bounds.starts(of: addresses)
  }

  /// Calls `body` with each whole entry of a table, which is read in blocks.
  func forEachEntry(of table: Range<UInt64>, size: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    var offset = table.lowerBound
    while table.upperBound - offset >= UInt64(size) {
      let end = offset + min(table.upperBound - offset, UInt64(size) * 4_096)
      guard let block = bytes(offset..<end) else { return }
      block.withUnsafeBytes { block in
        for start in stride(from: 0, through: block.count - size, by: size) {
          body(UnsafeRawBufferPointer(rebasing: block[start..<(start + size)]))
        }
      }
      offset = end
    }
  }

  /// Enters a symbol at the addresses that it contains.
  private static func add(
    _ symbol: UnsafeRawBufferPointer, _ addresses: [UInt64], _ found: inout [Found?],
    _ left: inout Int
  ) {
    let (kind, section) = (symbol[4] & 15, symbol.word16(at: 6))
    let (start, size) = (symbol.word(at: 8), symbol.word(at: 16))
    // A function that the file contains; one without a size says nothing of what it contains.
    guard kind == 2 || kind == 10, section != 0, size > 0 else { return }
    let candidate = Found(start: start, isGlobal: symbol[4] >> 4 != 0, name: symbol.word32(at: 0))
    var index = addresses.partitionPoint { $0 >= start }
    while index < addresses.count, addresses[index] - start < size, left > 0 {
      left -= 1
      let known = found[index]
      // The innermost one, and the exported one of several names.
      let isBetter =
        known.map { start > $0.start || start == $0.start && candidate.isGlobal && !$0.isGlobal }
        ?? true
      if isBetter { found[index] = candidate }
      index += 1
    }
  }

  func name(at offset: UInt64, in texts: Range<UInt64>) -> String? {
    guard let start = texts.lowerBound.plus(offset), start < texts.upperBound else { return nil }
    let end = min(texts.upperBound, start + UInt64(Self.maximumNameLength))
    guard let bytes = bytes(start..<end) else { return nil }
    let name = bytes.prefix { $0 != 0 }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
