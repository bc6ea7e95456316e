import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTracePlatform
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct ByteSourceTests {
  private let folder = TemporaryFolder()

  private func readAll(_ source: any ByteSource) throws -> [UInt8] {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = try block.withUnsafeMutableBytes { try source.read(into: $0) }
      guard count > 0 else { return all }
      all.append(contentsOf: block[..<count])
    }
  }

  @Test func `a file is read to its size, and again after a rewind`() throws {
    let source = try FileByteSource(path: folder.write(Array(repeating: 7, count: 2500), to: "a"))
    #expect(source.byteCount == 2500)
    #expect(try readAll(source).count == 2500)
    #expect(try source.rewind())
    #expect(try readAll(source).count == 2500)
    #expect(!source.changedWhileReading)
  }

  @Test func `a file that grows is read to its initial size and reported as changed`() throws {
    let path = try folder.write([1, 2, 3], to: "growing")
    let source = try FileByteSource(path: path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([4, 5]))
    #expect(try readAll(source) == [1, 2, 3])
    #expect(source.changedWhileReading)
  }

  @Test func `a file truncated while it is read ends early and is reported as changed`() throws {
    let path = try folder.write([UInt8](repeating: 1, count: 3000), to: "cut")
    let source = try FileByteSource(path: path)
    var block = [UInt8](repeating: 0, count: 1000)
    #expect(try block.withUnsafeMutableBytes { try source.read(into: $0) } == 1000)
    #expect(truncate(path, 1500) == 0)
    #expect(try readAll(source).count == 500)
    #expect(source.changedWhileReading)
  }

  @Test func `a file replaced while it is read stays the file that was opened`() throws {
    let path = try folder.write([1, 2, 3], to: "replaced")
    let source = try FileByteSource(path: path)
    let other = try folder.write([4, 5, 6, 7], to: "other")
    #expect(rename(other, path) == 0)
    #expect(try readAll(source) == [1, 2, 3])
  }

  @Test func `a trace that changes while it is read has lost data`() throws {
    let text = "[" + String(repeating: #"{"ph":"X","ts":1,"dur":2,"name":"a"},"#, count: 10_000)
    let path = try folder.write(Array(text.utf8), to: "changing")
    #expect(try TraceFile.open(path).losses.isEmpty)
    // Whatever the moment in which the file changes: there is a trace or an error, and no trap.
    let isDone = Locked(false)
    Thread {
      var size = 200_000
      while !isDone.withLock({ $0 }) {
        size = size == 200_000 ? 380_000 : 200_000
        truncate(path, off_t(size))
      }
    }.start()
    defer { isDone.withLock { $0 = true } }
    var changes = 0
    for _ in 0..<20 where ExtraCases.isThorough || changes < 3 {
      guard let trace = try? TraceFile.open(path) else { continue }
      if trace.losses.contains(where: { $0.reason == .fileChanged }) { changes += 1 }
    }
    #expect(changes > 0)
  }

  @Test func `anything but a regular file is rejected in one line without waiting`() throws {
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "/dev/zero", folder.path + "/none", "", "a\0b"] {
      #expect(throws: ImportError.self) { try FileByteSource(path: path) }
    }
    #expect(throws: ImportError.self) { try TraceFile.open(pipe) }
  }

  // MARK: - gzip

  private func gzip(_ bytes: [UInt8], maximum: UInt64 = 1 << 20) throws -> DecompressedByteSource {
    try DecompressedByteSource(
      MemoryByteSource(bytes), by: GzipDecompressor.self, maximumByteCount: maximum)
  }

  @Test func `members are expanded one after the other`() throws {
    let bytes = try Gzip.member([1, 2, 3]) + Gzip.member([4]) + [0, 0, 0]
    let source = try gzip(bytes)
    #expect(try readAll(source) == [1, 2, 3, 4])
    #expect(losses(of: source).isEmpty)
    #expect(try source.rewind())
    #expect(try readAll(source) == [1, 2, 3, 4])
  }

  @Test func `damage ends the bytes and is counted`() throws {
    let content = Array((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
    let whole = try Gzip.member(content)
    let cut = try gzip(Array(whole.dropLast(100)))
    #expect(try content.starts(with: readAll(cut)))
    #expect(losses(of: cut).map(\.reason) == [.cutAtEnd])

    var wrong = whole
    wrong[wrong.count - 8] ^= 1
    let checked = try gzip(wrong)
    #expect(try readAll(checked) == content)
    #expect(losses(of: checked).map(\.reason) == [.checksumMismatch])

    wrong = whole
    wrong[wrong.count - 1] ^= 1
    let measured = try gzip(wrong)
    #expect(try readAll(measured) == content)
    #expect(losses(of: measured).count == 1)

    let garbage = try gzip(whole + Array("garbage".utf8))
    #expect(try readAll(garbage) == content)
    #expect(losses(of: garbage).map(\.count) == [7])
  }

  @Test func `a decompression bomb is rejected by its ratio and by its size`() throws {
    let zeros = [UInt8](repeating: 0, count: 8 << 20)
    let bomb = try Gzip.member(zeros)
    let byRatio = try gzip(bomb, maximum: 1 << 30)
    #expect(throws: ImportError.self) { try readAll(byRatio) }
    let small = try Gzip.member(Array("0123456789".utf8))
    let bySize = try gzip(small, maximum: 9)
    #expect(throws: ImportError.self) { try readAll(bySize) }
  }

  @Test
  func `gzip in gzip is rejected, and every truncated gzip file is an error or a loss`() throws {
    let trace = try Gzip.member(
      Array(#"[{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"}]"#.utf8))
    #expect(throws: ImportError.self) { try read(Gzip.member(trace)) }
    #expect(try read(trace).losses.isEmpty)
    for count in 0..<trace.count {
      guard let cut = try? read(Array(trace[..<count])) else { continue }
      #expect(!cut.losses.isEmpty)
    }
  }

  private func losses(of source: DecompressedByteSource) -> [Loss] {
    var builder = TraceBuilder(format: "test")
    source.countLosses(in: &builder)
    return builder.finish().losses
  }
}

/// Compresses for tests, with the system's zlib.
enum Gzip {
  private typealias Compress =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutablePointer<CUnsignedLong>, UnsafeRawPointer,
      CUnsignedLong, CInt
    ) -> CInt
  private typealias Checksum =
    @convention(c) (CUnsignedLong, UnsafeRawPointer, CUnsignedInt) -> CUnsignedLong

  /// One gzip member that expands to `bytes`.
  static func member(_ bytes: [UInt8]) throws -> [UInt8] {
    let library = try #require(dlopen("libz.so.1", RTLD_NOW) ?? dlopen("libz.1.dylib", RTLD_NOW))
    let compress = unsafeBitCast(try #require(dlsym(library, "compress2")), to: Compress.self)
    let checksum = unsafeBitCast(try #require(dlsym(library, "crc32")), to: Checksum.self)
    var output = [UInt8](repeating: 0, count: bytes.count + 1000)
    var count = CUnsignedLong(output.count)
    #expect(compress(&output, &count, bytes, CUnsignedLong(bytes.count), 9) == 0)
    // zlib's own wrapper is two bytes before and four bytes after the deflated data.
    let deflated = output[2..<(Int(count) - 4)]
    let sum = UInt32(truncatingIfNeeded: checksum(0, bytes, CUnsignedInt(bytes.count)))
    let trailer = [sum, UInt32(bytes.count)].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (UInt32($0) * 8)) }
    }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflated + trailer
  }
}
