package import CImportShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
      "is compressed, and this system has no zlib (libz.so.1) to decompress it",
      advice: "decompress it with gunzip first")
  }
}
