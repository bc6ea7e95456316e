import ScrollTraceModel

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

/// The system's libzstd.
struct ZstdLibrary {
  /// A range of memory and a position in it, as the library lays it out.
  struct Buffer {
    var start: UnsafeMutableRawPointer?
    var size: Int
    var position: Int
  }

  let create: @convention(c) () -> UnsafeMutableRawPointer?
  let decompress:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) ->
      Int
  let reset: @convention(c) (UnsafeMutableRawPointer, CInt) -> Int
  let free: @convention(c) (UnsafeMutableRawPointer) -> Int
  let isError: @convention(c) (Int) -> CUnsignedInt

  static let names = ["libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib"]

  static func load() throws(ImportError) -> ZstdLibrary {
    let functions = [
      "ZSTD_createDStream", "ZSTD_decompressStream", "ZSTD_DCtx_reset", "ZSTD_freeDStream",
      "ZSTD_isError",
    ]
    guard let found = SystemFunctions(functions, of: names) else {
      throw ImportError(
        "is compressed, and this system has no libzstd (libzstd.so.1) to decompress it",
        advice: "decompress it with unzstd first")
    }
    return ZstdLibrary(
      create: found[0], decompress: found[1], reset: found[2], free: found[3], isError: found[4])
  }
}
