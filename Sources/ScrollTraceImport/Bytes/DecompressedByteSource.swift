internal import CImportShims
import ScrollTraceModel

/// Decompresses the parts of one file; a class because it owns a library's state.
protocol Decompressor: AnyObject, SendableMetatype {
  /// A name for errors.
  static var stream: String { get }
  /// A command that decompresses such a file.
  static var program: String { get }
  init() throws(ImportError)
  /// Whether a part has begun and not ended.
  var isInPart: Bool { get }
  /// Starts anew; returns whether that is possible.
  func reset() -> Bool
  /// Moves bytes from the front of `input` to the front of `output`; returns how many those are, and sets
  /// `loss` if nothing can follow them.
  func decompress(
    _ input: inout UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    _ loss: inout DecompressedByteSource.Lost?
  ) -> Int
}

/// The formats of compressed files.
enum Decompression {
  private static let formats: [(start: [UInt8], type: any Decompressor.Type)] = [
    ([0x1F, 0x8B, 8], GzipDecompressor.self), ([0x28, 0xB5, 0x2F, 0xFD], ZstdDecompressor.self),
  ]

  /// Returns the decompressed bytes of `source`, or `nil` if it is not compressed.
  static func source(
    of source: PrefixedByteSource, maximumByteCount: UInt64
  ) throws(ImportError) -> DecompressedByteSource? {
    for (start, type) in formats where try source.peek(start.count) == start {
      return try DecompressedByteSource(source, by: type, maximumByteCount: maximumByteCount)
    }
    return nil
  }

  /// Throws an error if `source`, which is decompressed, is compressed again.
  static func refuseSecond(_ source: PrefixedByteSource) throws(ImportError) {
    for (start, type) in formats where try source.peek(start.count) == start {
      throw ImportError("is compressed twice", advice: "decompress it once with \(type.program)")
    }
  }
}

/// The decompressed bytes of a source.
///
/// Damage keeps the bytes decompressed before it: the bytes end there, and `countLosses` reports it.
final class DecompressedByteSource: ByteSource {
  typealias Lost = (reason: Loss.Reason, count: UInt64)

  /// The maximum number of bytes per compressed byte after `ratioFreeByteCount` bytes.
  static let maximumRatio: UInt64 = 200

  /// The number of bytes that are decompressed before the ratio is checked.
  static let ratioFreeByteCount: UInt64 = 1 << 20

  private static let blockSize = 1 << 17

  private let source: any ByteSource
  private let maximumByteCount: UInt64
  private let type: any Decompressor.Type
  private let decompressor: any Decompressor
  private let input: UnsafeMutableRawBufferPointer
  /// The bytes of `input` that are not decompressed yet.
  private var unread: UnsafeMutableRawBufferPointer
  private var compressedCount: UInt64 = 0
  private var expandedCount: UInt64 = 0
  private var hasEnded = false
  private var loss: Lost?

  /// Decompresses at most `maximumByteCount` bytes of `source`.
  init(
    _ source: any ByteSource, by type: any Decompressor.Type, maximumByteCount: UInt64
  ) throws(ImportError) {
    self.source = source
    self.maximumByteCount = maximumByteCount
    self.type = type
    decompressor = try type.init()
    input = .allocate(byteCount: Self.blockSize, alignment: 16)
    unread = UnsafeMutableRawBufferPointer(rebasing: input[..<0])
  }

  deinit { input.deallocate() }

  /// `nil`, because the size is unknown until all bytes are decompressed.
  var byteCount: UInt64? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard buffer.count > 0 else { return 0 }
    var count = 0
    while !hasEnded, count == 0 {
      if unread.isEmpty, try !refill() {
        hasEnded = true
        if decompressor.isInPart { loss = (.cutAtEnd, 1) }
      } else {
        count = decompressor.decompress(&unread, into: buffer, &loss)
        hasEnded = loss != nil
      }
    }
    expandedCount += UInt64(count)
    try check()
    if count == 0, expandedCount == 0, let loss {
      throw ImportError(
        "cannot be decompressed: \(loss.reason.rawValue) in its \(type.stream) stream")
    }
    return count
  }

  func rewind() throws(ImportError) -> Bool {
    guard try source.rewind(), decompressor.reset() else { return false }
    unread = UnsafeMutableRawBufferPointer(rebasing: input[..<0])
    (compressedCount, expandedCount) = (0, 0)
    (hasEnded, loss) = (false, nil)
    return true
  }

  /// Counts the bytes that could not be decompressed as losses.
  func countLosses(in builder: inout TraceBuilder) {
    if let loss { builder.countLoss(loss.reason, count: loss.count) }
  }

  private func refill() throws(ImportError) -> Bool {
    let count = try source.read(into: input)
    compressedCount += UInt64(count)
    unread = UnsafeMutableRawBufferPointer(rebasing: input[..<count])
    return count > 0
  }

  /// Throws an error if there are too many bytes, altogether or for so few compressed ones.
  private func check() throws(ImportError) {
    guard expandedCount <= maximumByteCount else {
      throw ImportError(
        "decompresses to more than the limit of \(maximumByteCount) bytes", advice: "record less")
    }
    let allowed = max(Self.ratioFreeByteCount, compressedCount * Self.maximumRatio)
    guard expandedCount <= allowed else {
      throw ImportError(
        "expands over \(Self.maximumRatio) times", advice: "if trusted, run \(type.program) first")
    }
  }
}

/// Decompresses the members of a gzip file.
final class GzipDecompressor: Decompressor {
  static let stream = "gzip"
  static let program = "gunzip"

  private let zlib: ZlibLibrary
  private let stream: UnsafeMutablePointer<ZlibLibrary.Stream>
  private(set) var isInPart = true

  init() throws(ImportError) {
    zlib = try ZlibLibrary.load()
    // 15 is the largest window; 16 more selects gzip's header and checksum.
    stream = try zlib.makeStream(window: 15 + 16)
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
  }

  func reset() -> Bool {
    isInPart = zlib.reset(stream) == 0
    return isInPart
  }

  func decompress(
    _ input: inout UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    _ loss: inout DecompressedByteSource.Lost?
  ) -> Int {
    guard isInPart else {
      startMember(&input, &loss)
      return 0
    }
    let room = min(output.count, 1 << 30)
    stream.pointee.nextIn = input.baseAddress
    stream.pointee.availableIn = CUnsignedInt(input.count)
    stream.pointee.nextOut = output.baseAddress
    stream.pointee.availableOut = CUnsignedInt(room)
    switch zlib.inflate(stream, 0) {
    case 0, -5: break  // Z_OK; Z_BUF_ERROR: more room or more input is needed
    case 1: isInPart = false  // Z_STREAM_END
    default:
      let message = stream.pointee.message.map { String(cString: $0) } ?? ""
      loss = (message.includes("check") ? .checksumMismatch : .damagedBytes, 1)
    }
    input = UnsafeMutableRawBufferPointer(
      rebasing: input.suffix(Int(stream.pointee.availableIn)))
    return room - Int(stream.pointee.availableOut)
  }

  /// Starts the next member, or stops at padding or garbage.
  private func startMember(
    _ input: inout UnsafeMutableRawBufferPointer, _ loss: inout DecompressedByteSource.Lost?
  ) {
    if input.first == 0 {
      // Tapes and archives are padded with zeros.
      input = UnsafeMutableRawBufferPointer(rebasing: input.dropFirst())
    } else if input.first != 0x1F || !reset() {
      loss = (.damagedBytes, UInt64(input.count))
    }
  }
}

/// The system's zlib.
struct ZlibLibrary {
  typealias Stream = ScrollTraceZlibStream

  private let initialize:
    @convention(c) (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
  let inflate: @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
  let reset, end: @convention(c) (UnsafeMutableRawPointer) -> CInt

  static func load() throws(ImportError) -> ZlibLibrary {
    let found = SystemFunctions(
      ["inflateInit2_", "inflate", "inflateReset", "inflateEnd"],
      of: ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib"])
    guard let found else {
      throw ImportError(
        "is compressed, and this system has no zlib (libz.so.1) to decompress it",
        advice: "decompress it with gunzip first")
    }
    return ZlibLibrary(initialize: found[0], inflate: found[1], reset: found[2], end: found[3])
  }

  /// Returns a new stream, which the caller ends and deallocates.
  func makeStream(window: CInt) throws(ImportError) -> UnsafeMutablePointer<Stream> {
    let stream = UnsafeMutablePointer<Stream>.allocate(capacity: 1)
    stream.initialize(to: Stream())
    guard initialize(stream, window, "1.2", CInt(MemoryLayout<Stream>.stride)) == 0 else {
      stream.deallocate()
      throw ImportError("cannot be decompressed: zlib failed to start")
    }
    return stream
  }
}
