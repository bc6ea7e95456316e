#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ZlibLibrary {
  /// The half of zlib that compresses.
  package struct Compression {
    package typealias Initialize =
      @convention(c) (
        UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>, CInt
      ) -> CInt

    package let initialize: Initialize
    package let deflate: Step
    package let end: OneArgument
  }

  /// What compresses; `nil` where the system has no zlib.
  package static func compression() -> Compression? {
    for name in names {
      // Never closed, as above.
      guard let handle = dlopen(name, RTLD_NOW), let initialize = dlsym(handle, "deflateInit2_"),
        let deflate = dlsym(handle, "deflate"), let end = dlsym(handle, "deflateEnd")
      else { continue }
      return Compression(
        initialize: unsafeBitCast(initialize, to: Compression.Initialize.self),
        deflate: unsafeBitCast(deflate, to: Step.self),
        end: unsafeBitCast(end, to: OneArgument.self))
    }
    return nil
  }
}
