import ScrollTraceModel
import ScrollTracePlatform

/// Decompresses the frames of a Zstandard file.
final class ZstdDecompressor: Decompressor {
  static let stream = "Zstandard"
  static let program = "unzstd"

  private let library: ZstdLibrary
  private let stream: UnsafeMutableRawPointer
  private(set) var isInPart = true

  init() throws(ImportError) {
    library = try ZstdLibrary.load()
    guard let stream = library.create() else {
      throw ImportError("cannot be decompressed: libzstd failed to start")
    }
    self.stream = stream
  }

  deinit { _ = library.free(stream) }

  func reset() -> Bool {
    _ = library.reset(stream, 1)  // ZSTD_reset_session_only
    isInPart = true
    return true
  }

  func decompress(
    _ input: inout UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    _ loss: inout DecompressedByteSource.Lost?
  ) -> Int {
    var room = ZstdLibrary.Buffer(start: output.baseAddress, size: output.count, position: 0)
    var bytes = ZstdLibrary.Buffer(start: input.baseAddress, size: input.count, position: 0)
    let result = library.decompress(stream, &room, &bytes)
    if library.isError(result) != 0 {
      // What follows the last frame may be anything; inside of one, it is damage.
      loss = (.damagedBytes, 1)
    } else {
      isInPart = result != 0
      input = UnsafeMutableRawBufferPointer(rebasing: input.dropFirst(bytes.position))
    }
    return min(room.position, output.count)
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
