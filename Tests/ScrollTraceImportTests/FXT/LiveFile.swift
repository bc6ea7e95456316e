import Foundation

@testable import ScrollTraceImport

/// A recording that is written step by step.
final class LiveFile {
  let path = NSTemporaryDirectory() + "live-\(UUID().uuidString).fxt"

  init(_ bytes: [UInt8]) throws { try write(bytes) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes the same file hold `bytes`.
  func write(_ bytes: [UInt8]) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data(bytes))
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.close()
  }

  /// A reader that has read on once.
  func reader(maximum: Int = .max) throws -> LiveTraceReader {
    let reader = try LiveTraceReader(path: path)
    try reader.readOn(maximum: maximum)
    return reader
  }
}
