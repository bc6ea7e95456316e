import Foundation

/// A file system of little room that only one process sees, and that is gone with it.
struct SmallDisk {
  let path: String
  private let kilobytes: Int

  init(kilobytes: Int) throws {
    path = NSTemporaryDirectory() + "/scrolltrace-disk-\(UUID().uuidString)"
    self.kilobytes = kilobytes
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The line of shell that runs `line` with the disk in place, copies a file of it, and takes the
  /// empty folder away.
  func line(running line: String, copying file: String, to target: TemporaryPath) -> String {
    """
    unshare -m sh -c 'mount -t tmpfs -o size=\(kilobytes)k none \(path) && { \(line); s=$?; \
    cp \(path)/\(file) \(target.path); exit $s; }'; s=$?; rmdir \(path); exit $s
    """
  }

  /// Whether this process may mount one: as root on Linux, if nothing forbids it.
  static var isAllowed: Bool {
    #if os(Linux)
      system("unshare -m mount -t tmpfs none /mnt 2> /dev/null") == 0
    #else
      false
    #endif
  }
}
