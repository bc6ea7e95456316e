import ScrollTraceModel
import ScrollTracePlatform

/// The decompressed bytes of a Zstandard source with one or more frames.
///
/// Damage keeps the bytes decompressed before it, as for gzip. A class because it owns the library's
/// state.
final class ZstdByteSource: DecompressedByteSource {
  private static let blockSize = 1 << 17

  private let source: any ByteSource
  private let maximumByteCount: UInt64
  private let library: ZstdLibrary
  private let stream: UnsafeMutableRawPointer
  private let input: UnsafeMutableRawBufferPointer
  /// The bytes of `input` that are not decompressed yet.
  private var unread = 0..<0
  private var compressedCount: UInt64 = 0
  private var expandedCount: UInt64 = 0
  private var isInFrame = true
  private var hasEnded = false
  private var loss: Loss.Reason?

  init(_ source: any ByteSource, maximumByteCount: UInt64) throws(ImportError) {
    self.source = source
    self.maximumByteCount = maximumByteCount
    library = try ZstdLibrary.load()
    guard let stream = library.create() else {
      throw ImportError("cannot be decompressed: libzstd failed to start")
    }
    self.stream = stream
    input = .allocate(byteCount: Self.blockSize, alignment: 16)
  }

  deinit {
    _ = library.free(stream)
    input.deallocate()
  }

  var byteCount: UInt64? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard !hasEnded, buffer.count > 0 else { return 0 }
    var count = 0
    while !hasEnded, count == 0 {
      if unread.isEmpty, try !refill() {
        hasEnded = true
        if isInFrame { loss = .cutAtEnd }
      } else {
        count = decompress(into: buffer)
      }
    }
    expandedCount += UInt64(count)
    try Decompression.check(
      expandedCount, of: compressedCount, maximum: maximumByteCount, program: "unzstd")
    if count == 0, expandedCount == 0, let loss {
      throw ImportError("cannot be decompressed: \(loss.rawValue) in its Zstandard stream")
    }
    return count
  }

  func rewind() throws(ImportError) -> Bool {
    guard try source.rewind() else { return false }
    _ = library.reset(stream, 1)  // ZSTD_reset_session_only
    unread = 0..<0
    (compressedCount, expandedCount) = (0, 0)
    (isInFrame, hasEnded, loss) = (true, false, nil)
    return true
  }

  func countLosses(in builder: inout TraceBuilder) {
    if let loss { builder.countLoss(loss, count: 1) }
  }

  private func refill() throws(ImportError) -> Bool {
    let count = try source.read(into: input)
    compressedCount += UInt64(count)
    unread = 0..<count
    return count > 0
  }

  /// Decompresses a part of `input`; returns the number of bytes.
  private func decompress(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var output = ZstdLibrary.Buffer(start: buffer.baseAddress, size: buffer.count, position: 0)
    var bytes = ZstdLibrary.Buffer(
      start: input.baseAddress, size: unread.upperBound, position: unread.lowerBound)
    let result = library.decompress(stream, &output, &bytes)
    if library.isError(result) != 0 {
      hasEnded = true
      // What follows the last frame may be anything; inside of one, it is damage.
      loss = .damagedBytes
      return min(output.position, buffer.count)
    }
    isInFrame = result != 0
    unread = min(bytes.position, unread.upperBound)..<unread.upperBound
    return min(output.position, buffer.count)
  }
}

/// The system's libzstd, loaded at run time so that a build needs no installed package.
struct ZstdLibrary {
  /// A range of memory and a position in it, as the library lays it out.
  struct Buffer {
    var start: UnsafeMutableRawPointer?
    var size: Int
    var position: Int
  }

  typealias Create = @convention(c) () -> UnsafeMutableRawPointer?
  typealias Decompress =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) ->
    Int
  typealias Reset = @convention(c) (UnsafeMutableRawPointer, CInt) -> Int
  typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Int
  typealias IsError = @convention(c) (Int) -> CUnsignedInt

  let create: Create
  let decompress: Decompress
  let reset: Reset
  let free: Free
  let isError: IsError

  static let names = ["libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib"]

  static func load() throws(ImportError) -> ZstdLibrary {
    for name in names {
      // Never closed: the functions are used for the lifetime of the process.
      guard let handle = dlopen(name, RTLD_NOW) else { continue }
      guard let create = dlsym(handle, "ZSTD_createDStream"),
        let decompress = dlsym(handle, "ZSTD_decompressStream"),
        let reset = dlsym(handle, "ZSTD_DCtx_reset"), let free = dlsym(handle, "ZSTD_freeDStream"),
        let isError = dlsym(handle, "ZSTD_isError")
      else { continue }
      return ZstdLibrary(
        create: unsafeBitCast(create, to: Create.self),
        decompress: unsafeBitCast(decompress, to: Decompress.self),
        reset: unsafeBitCast(reset, to: Reset.self), free: unsafeBitCast(free, to: Free.self),
        isError: unsafeBitCast(isError, to: IsError.self))
    }
    throw ImportError(
      "is compressed, and this system has no libzstd (libzstd.so.1) to decompress it",
      advice: "decompress it with unzstd first")
  }
}
