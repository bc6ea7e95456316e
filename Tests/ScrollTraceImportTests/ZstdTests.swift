import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Traces that are compressed with Zstandard, if the system has its library.
struct ZstdTests {
  private typealias Compress =
    @convention(c) (
      UnsafeMutableRawPointer, Int, UnsafeRawPointer, Int, CInt
    ) -> Int

  private static var library: UnsafeMutableRawPointer? {
    ZstdLibrary.names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first
  }

  private static let sample = PackageFiles.url("SampleTraces/feed-smooth.fxt")

  private static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    let compress = unsafeBitCast(
      try #require(dlsym(library, "ZSTD_compress")), to: Compress.self)
    var output = [UInt8](repeating: 0, count: bytes.count + 1024)
    let count = output.withUnsafeMutableBytes { output in
      bytes.withUnsafeBytes { bytes in
        output.baseAddress.flatMap { start in
          bytes.baseAddress.map { compress(start, output.count, $0, bytes.count, 3) }
        } ?? 0
      }
    }
    return Array(output[..<count])
  }

  @Test(.enabled(if: library != nil, "libzstd is not installed"))
  func `a compressed trace is read like the original`() throws {
    let bytes = [UInt8](try Data(contentsOf: Self.sample))
    let original = try read(bytes)
    let half = bytes.count / 2
    for frames in [[bytes], [Array(bytes[..<half]), Array(bytes[half...])]] {
      let trace = try read(try frames.flatMap(Self.compressed))
      #expect(trace.range == original.range && trace.losses.isEmpty)
      #expect(trace.tracks.map(\.spans.count) == original.tracks.map(\.spans.count))
    }
  }

  @Test(.enabled(if: library != nil, "libzstd is not installed"))
  func `damage keeps what came before it and is counted`() throws {
    let bytes = [UInt8](try Data(contentsOf: Self.sample))
    let whole = try Self.compressed(bytes)
    let cut = try read(Array(whole[..<(whole.count - 10)]))
    #expect(cut.losses.contains { $0.reason == .cutAtEnd })
    #expect(throws: ImportError.self) { try read(Array(whole[..<8])) }
    let twice = try Self.compressed(whole)
    #expect(throws: ImportError.self) { try read(twice) }
    let bomb = try Self.compressed([UInt8](repeating: 0, count: 64 << 20))
    #expect(throws: ImportError.self) { try read(bomb) }
  }

  @Test(.enabled(if: library != nil, "libzstd is not installed"))
  func `no flipped bit traps`() async throws {
    let whole = try Self.compressed([UInt8](try Data(contentsOf: Self.sample)))
    await forEachCase(of: ExtraCases.some(20, of: 0..<400 as Range<UInt64>), oneCase)
    @Sendable func oneCase(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      _ = try? read(bytes)
    }
  }
}
