import Foundation

/// A path for a file that is removed with this object; a class for its `deinit`.
final class TemporaryPath {
  let path = NSTemporaryDirectory() + "/scrolltrace-\(UUID().uuidString).fxt"

  func read() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// How many bytes the file has; -1 where there is none.
  var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }

  deinit { unlink(path) }
}
