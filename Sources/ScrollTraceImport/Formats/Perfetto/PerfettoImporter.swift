import CImportShims
package import ScrollTraceModel

/// Reads Perfetto recordings of Android and of Chrome: packets in the protocol buffers wire format.
///
/// The article *Traces of Perfetto* of this module describes the mapping of each packet.
package struct PerfettoImporter: TraceImporter {
  package static let name = "perfetto"
  package static let files = "Perfetto .pftrace"
  package static let recipe = "record_android_trace; ui.perfetto.dev"

  package static let fileEndings = ["pftrace", "perfetto-trace"]

  /// Returns whether a trace starts with packets, or at least some adjacent ones follow damage.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { PerfettoPacketShape.sniff($0) }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = PerfettoReader(bytes, options: options)
    try reader.read(into: &builder)
  }
}

/// The recorder's buffer statistics, which count lost data.
///
/// Each packet counts from the start of the recording, so the last one is used.
struct PerfettoBuffers {
  private var lost: UInt64 = 0
  private var overwritten: UInt64 = 0
  private var discarded: UInt64 = 0

  /// Reads a packet of statistics; returns `false` if it is damaged.
  mutating func read(_ statistics: UnsafeRawBufferPointer) -> Bool {
    var (lost, overwritten, discarded) = (UInt64(0), UInt64(0), UInt64(0))
    var fields = WireFields(statistics)
    while fields.next() {
      guard fields.number == 1, fields.isBytes else { continue }
      var inner = WireFields(fields.bytes)
      while inner.next() {
        switch (inner.number, inner.isBytes) {
        case (3, false): overwritten = overwritten.saturatingAdd(inner.value)
        case (18, false):
          lost = lost.saturatingAdd(inner.value)
          discarded = discarded.saturatingAdd(inner.value)
        case (6, false), (19, false): lost = lost.saturatingAdd(inner.value)
        default: break
        }
      }
      guard !inner.isDamaged else { return false }
    }
    guard !fields.isDamaged else { return false }
    (self.lost, self.overwritten, self.discarded) = (lost, overwritten, discarded)
    return true
  }

  func report(in builder: inout TraceBuilder) {
    builder.countLoss(.sourceDroppedRecords, count: lost)
    // A full buffer takes nothing more.
    if discarded > 0 { builder.keepsOnlyFirstEvents = true }
    guard overwritten > 0 else { return }
    builder.keepsOnlyLastEvents = true
    builder.addNotice(
      "the recorder's buffers were full; overwritten parts:"
        + " \(overwritten)")
  }
}

/// Decompresses a trace's compressed packets with the system's zlib.
///
/// A class because it owns zlib's state.
final class PerfettoInflater {
  /// The maximum decompressed size of one packet's compressed packets.
  private static let maximumExpandedLength = PerfettoPackets.maximumPacketLength

  private let maximumByteCount: UInt64
  private var byteCount: UInt64 = 0
  private let zlib: ZlibLibrary
  private let stream: UnsafeMutablePointer<ZlibLibrary.Stream>

  /// Creates a decompressor of at most `maximumByteCount` bytes in total.
  init(maximumByteCount: UInt64) throws(ImportError) {
    self.maximumByteCount = maximumByteCount
    zlib = try ZlibLibrary.load()
    // 15 is the largest window; 32 more detects zlib's or gzip's header.
    stream = try zlib.makeStream(window: 15 + 32)
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
  }

  struct Expanded {
    var bytes: [UInt8] = []
    /// The number of bytes that are damaged, or follow the end of the compressed data.
    var damagedByteCount = 0
    /// Whether the data exceeds the limit of one packet.
    var isOverLimit = false
  }

  /// Returns the decompressed `bytes`, up to the first damage.
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
    let ratio = Int(DecompressedByteSource.maximumRatio)
    let maximum = min(
      Self.maximumExpandedLength,
      max(Int(DecompressedByteSource.ratioFreeByteCount), bytes.count * ratio))
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
      guard expanded.bytes.count <= maximum else {
        expanded.isOverLimit = true
        return expanded
      }
    }
  }
}
