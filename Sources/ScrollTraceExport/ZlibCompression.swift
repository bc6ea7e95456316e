package import CImportShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The compression functions of the system's zlib, loaded at run time.
package struct ZlibCompression {
  package typealias Stream = ScrollTraceZlibStream
  package typealias Initialize =
    @convention(c) (
      UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>, CInt
    ) -> CInt
  package typealias Step = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
  package typealias OneArgument = @convention(c) (UnsafeMutableRawPointer) -> CInt

  package let initialize: Initialize
  package let deflate: Step
  package let end: OneArgument

  /// The names of the library on each system.
  private static let names = ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib"]

  /// Loads zlib, or returns `nil` if the system has none.
  package static func load() -> ZlibCompression? {
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
