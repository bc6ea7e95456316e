import ScrollTraceFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's zlib, found at run time so that nothing has to be installed to build.
struct ZlibLibrary {
  /// zlib's `z_stream`, field by field in the order of `zlib.h`.
  struct Stream {
    var nextIn: UnsafeMutableRawPointer?
    var availableIn: CUnsignedInt = 0
    var totalIn: CUnsignedLong = 0
    var nextOut: UnsafeMutableRawPointer?
    var availableOut: CUnsignedInt = 0
    var totalOut: CUnsignedLong = 0
    var message: UnsafePointer<CChar>?
    var state: UnsafeMutableRawPointer?
    var allocate: UnsafeMutableRawPointer?
    var free: UnsafeMutableRawPointer?
    var opaque: UnsafeMutableRawPointer?
    var dataType: CInt = 0
    var adler: CUnsignedLong = 0
    var reserved: CUnsignedLong = 0
  }

  typealias Initialize =
    @convention(c) (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
  typealias Inflate = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
  typealias OneArgument = @convention(c) (UnsafeMutableRawPointer) -> CInt

  let initialize: Initialize
  let inflate: Inflate
  let reset: OneArgument
  let end: OneArgument

  /// zlib, or an error where the system has none.
  static func load() throws(ImportError) -> ZlibLibrary {
    for name in ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib"] {
      // Never closed: the functions stay in use as long as the process lives.
      guard let handle = dlopen(name, RTLD_NOW) else { continue }
      guard
        let initialize = dlsym(handle, "inflateInit2_"), let inflate = dlsym(handle, "inflate"),
        let reset = dlsym(handle, "inflateReset"), let end = dlsym(handle, "inflateEnd")
      else { continue }
      return ZlibLibrary(
        initialize: unsafeBitCast(initialize, to: Initialize.self),
        inflate: unsafeBitCast(inflate, to: Inflate.self),
        reset: unsafeBitCast(reset, to: OneArgument.self),
        end: unsafeBitCast(end, to: OneArgument.self))
    }
    throw ImportError(
      "is compressed, and this system has no zlib (libz.so.1) to expand it",
      advice: "expand it with gunzip first")
  }
}
