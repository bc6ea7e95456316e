package import CImportShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's zlib, found at run time so that nothing has to be installed to build.
package struct ZlibLibrary {
  /// The state of a stream that is being expanded.
  package typealias Stream = ScrollTraceZlibStream

  package typealias Initialize =
    @convention(c) (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
  package typealias Step = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
  package typealias OneArgument = @convention(c) (UnsafeMutableRawPointer) -> CInt

  package let initialize: Initialize
  package let inflate: Step
  package let reset: OneArgument
  package let end: OneArgument

  /// What the library is called, on each system.
  static let names = ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib"]

  /// zlib, or an error where the system has none.
  package static func load() throws(ImportError) -> ZlibLibrary {
    for name in names {
      // Never closed: the functions stay in use as long as the process lives.
      guard let handle = dlopen(name, RTLD_NOW) else { continue }
      guard
        let initialize = dlsym(handle, "inflateInit2_"), let inflate = dlsym(handle, "inflate"),
        let reset = dlsym(handle, "inflateReset"), let end = dlsym(handle, "inflateEnd")
      else { continue }
      return ZlibLibrary(
        initialize: unsafeBitCast(initialize, to: Initialize.self),
        inflate: unsafeBitCast(inflate, to: Step.self),
        reset: unsafeBitCast(reset, to: OneArgument.self),
        end: unsafeBitCast(end, to: OneArgument.self))
    }
    throw ImportError(
      "is compressed, and this system has no zlib (libz.so.1) to expand it",
      advice: "expand it with gunzip first")
  }
}
