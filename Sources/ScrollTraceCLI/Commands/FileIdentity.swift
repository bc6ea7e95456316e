#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What tells a file from others, by whatever path it is reached.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The identity of the file at `path`; `nil` where there is none, and for standard input.
  init?(_ path: String) {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, (status.st_mode & S_IFMT) == S_IFREG else {
      return nil
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
