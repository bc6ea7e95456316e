import CImportShims
package import ScrollTraceModel

/// Reads what Perfetto records, of Android and of Chrome: packets in the wire format of protocol
/// buffers.
///
/// What becomes of each packet is described in the article *Traces of Perfetto* of this module.
package struct PerfettoImporter: TraceImporter {
  /// `perfetto`
  package static let name = "perfetto"

  /// `pftrace`, `perfetto-trace`
  package static let fileEndings = ["pftrace", "perfetto-trace"]

  private let options: ImportOptions

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether packets stand where a trace begins, or at least some one after another behind damage.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { PerfettoPacketShape.sniff($0) }
  }

  /// Adds the content of the trace to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = PerfettoReader(bytes, options: options)
    try reader.read(into: &builder)
  }
}

/// The recorder's statistics of its buffers: how much had no room in them.
///
/// Each packet counts from the start of the recording, so the last one holds.
struct PerfettoBuffers {
  private var lost: UInt64 = 0
  private var overwritten: UInt64 = 0

  /// Takes a packet of statistics; `false` where it is damaged.
  mutating func read(_ statistics: UnsafeRawBufferPointer) -> Bool {
    var (lost, overwritten) = (UInt64(0), UInt64(0))
    func sum(_ first: UInt64, _ second: UInt64) -> UInt64 {
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow ? .max : sum
    }
    var fields = WireFields(statistics)
    while fields.next() {
      guard fields.number == 1, fields.isBytes else { continue }
      var inner = WireFields(fields.bytes)
      while inner.next() {
        switch (inner.number, inner.isBytes) {
        case (3, false): overwritten = sum(overwritten, inner.value)
        case (6, false), (18, false), (19, false): lost = sum(lost, inner.value)
        default: break
        }
      }
      guard !inner.isDamaged else { return false }
    }
    guard !fields.isDamaged else { return false }
    (self.lost, self.overwritten) = (lost, overwritten)
    return true
  }

  /// Counts what was lost, and says how much was overwritten.
  func note(in builder: inout TraceBuilder) {
    builder.countLoss(.sourceDroppedRecords, count: lost)
    guard overwritten > 0 else { return }
    builder.addNotice(
      .source(
        "the recorder's buffers were full; parts that newer ones took the place of:"
          + " \(overwritten)"))
  }
}

/// Expands the packets that a trace holds compressed, with the system's zlib.
///
/// A class because it owns zlib's state.
final class PerfettoInflater {
  /// The most bytes that the compressed packets of one packet may become.
  static let maximumExpandedLength = PerfettoPackets.maximumPacketLength

  private let maximumByteCount: UInt64
  private var byteCount: UInt64 = 0
  private let zlib: ZlibLibrary
  private let stream: UnsafeMutablePointer<ZlibLibrary.Stream>

  /// Expands up to `maximumByteCount` bytes in all.
  init(maximumByteCount: UInt64) throws(ImportError) {
    self.maximumByteCount = maximumByteCount
    zlib = try ZlibLibrary.load()
    stream = .allocate(capacity: 1)
    stream.initialize(to: ZlibLibrary.Stream())
    // 15 is the largest window; 32 more asks for zlib's or gzip's header, whichever is there.
    let size = CInt(MemoryLayout<ZlibLibrary.Stream>.stride)
    guard zlib.initialize(stream, 15 + 32, "1.2", size) == 0 else {
      throw ImportError("cannot be decompressed: zlib failed to start")
    }
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
  }

  /// What bytes became.
  struct Expanded {
    var bytes: [UInt8] = []
    /// How many bytes are damaged, or stand behind the end of what was compressed.
    var damagedByteCount = 0
    /// Whether more was to come than one packet may become.
    var isOverLimit = false
  }

  /// What `bytes` expand to: what comes before damage is kept.
  func expand(_ bytes: UnsafeRawBufferPointer) throws(ImportError) -> Expanded {
    let result = inflate(bytes)
    byteCount += UInt64(result.bytes.count)
    guard byteCount <= maximumByteCount else {
      throw ImportError(
        "decompresses to more than the limit of \(maximumByteCount) bytes", advice: "record less")
    }
    return result
  }

  private func inflate(_ bytes: UnsafeRawBufferPointer) -> Expanded {
    guard zlib.reset(stream) == 0 else { return Expanded(damagedByteCount: bytes.count) }
    let ratio = Int(GzipByteSource.maximumRatio)
    let most = min(
      Self.maximumExpandedLength, max(Int(GzipByteSource.ratioFreeByteCount), bytes.count * ratio))
    stream.pointee.nextIn = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    stream.pointee.availableIn = CUnsignedInt(clamping: bytes.count)
    var expanded = Expanded()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (status, count) = block.withUnsafeMutableBytes { out in
        stream.pointee.nextOut = out.baseAddress
        stream.pointee.availableOut = CUnsignedInt(clamping: out.count)
        let status = zlib.inflate(stream, 0)
        return (status, out.count - Int(stream.pointee.availableOut))
      }
      expanded.bytes.append(contentsOf: block[..<count])
      if status == 1 {
        expanded.damagedByteCount = Int(stream.pointee.availableIn)
        return expanded
      }
      guard status == 0, count > 0 || stream.pointee.availableIn > 0 else {
        expanded.damagedByteCount = bytes.count
        return expanded
      }
      guard expanded.bytes.count <= most else {
        expanded.isOverLimit = true
        return expanded
      }
    }
  }
}
