internal import CImportShims
import ScrollTracePlatform

/// Compresses the bytes of a file to gzip with the system's zlib.
///
/// The header contains no time and no file name, so that the same bytes give the same file. A
/// class, because it owns zlib's state.
package final class GzipCompressor {
  private static let blockSize = 1 << 17

  private let zlib: ZlibCompression
  private let stream: UnsafeMutablePointer<ZlibCompression.Stream>
  private let output: UnsafeMutableRawBufferPointer
  private let write: (UnsafeRawBufferPointer) -> Int32

  package static var isAvailable: Bool { ZlibCompression.load() != nil }

  /// Creates a compressor with a function that writes bytes and returns 0 or the system's error
  /// number. Returns `nil` without zlib or memory.
  package init?(_ write: @escaping (UnsafeRawBufferPointer) -> Int32) {
    guard let zlib = ZlibCompression.load() else { return nil }
    self.zlib = zlib
    self.write = write
    stream = .allocate(capacity: 1)
    stream.initialize(to: ZlibCompression.Stream())
    output = .allocate(byteCount: Self.blockSize, alignment: 16)
    // The default level, deflate, the largest window plus 16 for gzip's header and checksum, and
    // the default memory and strategy.
    let size = CInt(MemoryLayout<ZlibCompression.Stream>.stride)
    guard zlib.initialize(stream, -1, 8, 15 + 16, 8, 0, "1.2", size) == 0 else { return nil }
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Compresses bytes and returns the system's error number that stopped writing, or 0.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(rest.count, 1 << 30)
      stream.pointee.nextIn = UnsafeMutableRawPointer(mutating: rest.baseAddress)
      stream.pointee.availableIn = CUnsignedInt(count)
      let number = drain(finishing: false)
      guard number == 0 else { return number }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return 0
  }

  /// Writes the remaining bytes and returns the system's error number, or 0.
  package func finish() -> Int32 {
    stream.pointee.nextIn = nil
    stream.pointee.availableIn = 0
    return drain(finishing: true)
  }

  /// Compresses the input until there is no more output.
  private func drain(finishing: Bool) -> Int32 {
    while true {
      stream.pointee.nextOut = output.baseAddress
      stream.pointee.availableOut = CUnsignedInt(output.count)
      let result = zlib.deflate(stream, finishing ? 4 : 0)  // Z_FINISH, Z_NO_FLUSH
      // Z_OK; Z_STREAM_END; Z_BUF_ERROR: nothing more to do
      guard [0, 1, -5].contains(result) else { return EIO }
      let count = output.count - Int(stream.pointee.availableOut)
      if count > 0 {
        let number = write(UnsafeRawBufferPointer(rebasing: output[..<count]))
        guard number == 0 else { return number }
      }
      let isDone = finishing ? result != 0 : stream.pointee.availableOut > 0
      if isDone { return 0 }
    }
  }
}

/// The compression functions of the system's zlib, loaded at run time.
private struct ZlibCompression {
  typealias Stream = ScrollTraceZlibStream
  typealias Initialize =
    @convention(c) (
      UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>, CInt
    ) -> CInt
  typealias Step = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
  typealias OneArgument = @convention(c) (UnsafeMutableRawPointer) -> CInt

  let initialize: Initialize
  let deflate: Step
  let end: OneArgument

  /// The names of the library on each system.
  private static let names = ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib"]

  /// Loads zlib, or returns `nil` if the system has none.
  static func load() -> ZlibCompression? {
    for name in names {
      // Never closed, because the functions stay in use for the lifetime of the process.
      guard let handle = dlopen(name, RTLD_NOW), let initialize = dlsym(handle, "deflateInit2_"),
        let deflate = dlsym(handle, "deflate"), let end = dlsym(handle, "deflateEnd")
      else { continue }
      return ZlibCompression(
        initialize: unsafeBitCast(initialize, to: Initialize.self),
        deflate: unsafeBitCast(deflate, to: Step.self),
        end: unsafeBitCast(end, to: OneArgument.self))
    }
    return nil
  }
}
