import Foundation

/// A path for a file that is removed with this object; a class for its `deinit`.
final class TemporaryPath {
  let path = NSTemporaryDirectory() + "/scrolltrace-\(UUID().uuidString).fxt"

  func read() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  deinit { unlink(path) }
}
