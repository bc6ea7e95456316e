package import CImportShims
import ScrollTraceModel
import ScrollTracePlatform

protocol DecompressedByteSource: ByteSource, SendableMetatype {
  /// Decompresses at most `maximumByteCount` bytes of `source`.
  init(_ source: any ByteSource, maximumByteCount: UInt64) throws(ImportError)
  /// Counts the bytes that could not be decompressed as losses.
  func countLosses(in builder: inout TraceBuilder)
}

/// The formats of compressed files.
enum Decompression {
  private static let formats:
    [(start: [UInt8], type: any DecompressedByteSource.Type, program: String)] = [
      ([0x1F, 0x8B, 8], GzipByteSource.self, "gunzip"),
      ([0x28, 0xB5, 0x2F, 0xFD], ZstdByteSource.self, "unzstd"),
    ]

  /// Returns the decompressed bytes of `source`, or `nil` if it is not compressed.
  static func source(
    of source: PrefixedByteSource, maximumByteCount: UInt64
  ) throws(ImportError) -> (any DecompressedByteSource)? {
    for (start, type, _) in formats where try source.peek(start.count) == start {
      return try type.init(source, maximumByteCount: maximumByteCount)
    }
    return nil
  }

  /// Throws an error if `count` bytes are too many to be those of `compressedCount`.
  static func check(
    _ count: UInt64, of compressedCount: UInt64, maximum: UInt64, program: String
  ) throws(ImportError) {
    guard count <= maximum else {
      throw ImportError(
        "decompresses to more than the limit of \(maximum) bytes", advice: "record less")
    }
    let allowed = max(
      GzipByteSource.ratioFreeByteCount, compressedCount * GzipByteSource.maximumRatio)
    guard count <= allowed else {
      throw ImportError(
        "expands over \(GzipByteSource.maximumRatio) times",
        advice: "if trusted, run \(program) first")
    }
  }

  /// Throws an error if `source`, which is decompressed, is compressed again.
  static func refuseSecond(_ source: PrefixedByteSource) throws(ImportError) {
    for (start, _, program) in formats where try source.peek(start.count) == start {
      throw ImportError("is compressed twice", advice: "decompress it once with \(program)")
    }
  }
}

/// The decompressed bytes of a gzip source with one or more members.
///
/// Damage keeps the bytes decompressed before it: the bytes end there, and `countLosses` reports
/// it. A class because it owns zlib's state.
final class GzipByteSource: DecompressedByteSource {
  /// The maximum number of bytes per compressed byte after `ratioFreeByteCount` bytes.
  static let maximumRatio: UInt64 = 200

  /// The number of bytes that are decompressed before the ratio is checked.
  static let ratioFreeByteCount: UInt64 = 1 << 20

  private static let blockSize = 1 << 17

  private let source: any ByteSource
  private let maximumByteCount: UInt64
  private let zlib: ZlibLibrary
  private let stream: UnsafeMutablePointer<ZlibLibrary.Stream>
  private let input: UnsafeMutableRawBufferPointer
  private var compressedCount: UInt64 = 0
  private var expandedCount: UInt64 = 0
  private var isInMember = true
  private var hasEnded = false
  private var loss: (reason: Loss.Reason, count: UInt64)?

  init(_ source: any ByteSource, maximumByteCount: UInt64) throws(ImportError) {
    self.source = source
    self.maximumByteCount = maximumByteCount
    zlib = try ZlibLibrary.load()
    // 15 is the largest window; 16 more selects gzip's header and checksum.
    stream = try zlib.makeStream(window: 15 + 16)
    input = .allocate(byteCount: Self.blockSize, alignment: 16)
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// `nil`, because the size is unknown until all bytes are decompressed.
  var byteCount: UInt64? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard !hasEnded, buffer.count > 0 else { return 0 }
    let wanted = min(buffer.count, 1 << 30)
    stream.pointee.nextOut = buffer.baseAddress
    stream.pointee.availableOut = CUnsignedInt(wanted)
    while !hasEnded, stream.pointee.availableOut == CUnsignedInt(wanted) {
      if stream.pointee.availableIn == 0, try !refill() {
        hasEnded = true
        if isInMember { loss = (.cutAtEnd, 1) }
      } else if isInMember {
        inflate()
      } else {
        startMember()
      }
    }
    let count = wanted - Int(stream.pointee.availableOut)
    expandedCount += UInt64(count)
    try Decompression.check(
      expandedCount, of: compressedCount, maximum: maximumByteCount, program: "gunzip")
    if count == 0, expandedCount == 0, let loss {
      throw ImportError("cannot be decompressed: \(loss.reason.rawValue) in its gzip stream")
    }
    return count
  }

  func rewind() throws(ImportError) -> Bool {
    guard try source.rewind(), zlib.reset(stream) == 0 else { return false }
    stream.pointee.availableIn = 0
    compressedCount = 0
    expandedCount = 0
    isInMember = true
    hasEnded = false
    loss = nil
    return true
  }

  func countLosses(in builder: inout TraceBuilder) {
    if let loss { builder.countLoss(loss.reason, count: loss.count) }
  }

  private func refill() throws(ImportError) -> Bool {
    let count = try source.read(into: input)
    compressedCount += UInt64(count)
    stream.pointee.nextIn = input.baseAddress
    stream.pointee.availableIn = CUnsignedInt(count)
    return count > 0
  }

  private func inflate() {
    switch zlib.inflate(stream, 0) {
    case 0, -5: break  // Z_OK; Z_BUF_ERROR: more room or more input is needed
    case 1: isInMember = false  // Z_STREAM_END
    default:
      hasEnded = true
      let message = stream.pointee.message.map { String(cString: $0) } ?? ""
      let isChecksum = message.includes("check")
      loss = (isChecksum ? .checksumMismatch : .damagedBytes, 1)
    }
  }

  /// Starts the next member, or stops at padding or garbage.
  private func startMember() {
    let next = stream.pointee.nextIn?.load(as: UInt8.self) ?? 0
    if next == 0x1F {
      isInMember = zlib.reset(stream) == 0
      hasEnded = !isInMember
    } else if next == 0 {
      // Tapes and archives are padded with zeros.
      stream.pointee.nextIn = stream.pointee.nextIn?.advanced(by: 1)
      stream.pointee.availableIn -= 1
    } else {
      hasEnded = true
      loss = (.damagedBytes, UInt64(stream.pointee.availableIn))
    }
  }
}

/// The system's zlib, loaded at run time so that a build needs no installed package.
package struct ZlibLibrary {
  package typealias Stream = ScrollTraceZlibStream

  package typealias Initialize =
    @convention(c) (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
  package typealias Step = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
  package typealias OneArgument = @convention(c) (UnsafeMutableRawPointer) -> CInt

  package let initialize: Initialize
  package let inflate: Step
  package let reset: OneArgument
  package let end: OneArgument

  static let names = ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib"]

  package static func load() throws(ImportError) -> ZlibLibrary {
    for name in names {
      // Never closed: the functions are used for the lifetime of the process.
      guard let handle = dlopen(name, RTLD_NOW) else { continue }
      guard let initialize = dlsym(handle, "inflateInit2_"), let inflate = dlsym(handle, "inflate"),
        let reset = dlsym(handle, "inflateReset"), let end = dlsym(handle, "inflateEnd")
      else { continue }
      return ZlibLibrary(
        initialize: unsafeBitCast(initialize, to: Initialize.self),
        inflate: unsafeBitCast(inflate, to: Step.self),
        reset: unsafeBitCast(reset, to: OneArgument.self),
        end: unsafeBitCast(end, to: OneArgument.self))
    }
    throw ImportError(
      "is compressed, and this system has no zlib (libz.so.1) to decompress it",
      advice: "decompress it with gunzip first")
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
