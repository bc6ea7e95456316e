import Foundation
import ScrollTraceTestSupport
import Testing
import ScrollTracePlatform

/// What may stand where a trace should: the command says in one line what is wrong, and ends.
@Suite struct HostileFileTests {
  private let home: TemporaryFolder
  private var folder: String { home.path }

  init() throws {
    home = TemporaryFolder()
  }

  /// Runs `analyze` on `path` and expects `status` and, unless that is 0, one line of complaint.
  @discardableResult
  private func expect(
    _ status: Int32, _ path: String, redirection: String = "< /dev/null",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CommandProcess {
    let run = try CommandProcess(
      ["analyze", "--", path], in: folder, redirection: redirection)
    #expect(run.status == status, "\(path): \(run.errors)", sourceLocation: sourceLocation)
    let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == (status == 2 ? 2 : 1), "\(run.errors)", sourceLocation: sourceLocation)
    let isPlain = run.errors.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
    #expect(isPlain, "\(run.errors)", sourceLocation: sourceLocation)
    return run
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static let trace = Array(#"[{"ph":"X","ts":1,"dur":2,"name":"a"}]"#.utf8)

  @Test func `anything but a regular file is rejected without waiting`() throws {
    let pipe = folder + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    try expect(2, pipe)
    try expect(2, folder + "/missing")
    try expect(2, "/dev/zero")
    try expect(2, "/dev/null")
    let loop = folder + "/loop"
    #expect(symlink(loop, loop) == 0)
    try expect(2, loop)
    let empty = folder + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    try expect(2, empty)
  }

  @Test func `a socket is rejected`() throws {
    let path = folder + "/socket"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    try #require(path.utf8.count < room)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    try #require(bound == 0)
    try expect(2, path)
  }

  // Nothing is unreadable for the superuser.
  @Test(
    .enabled(
      if: geteuid() != 0,
      """
      root may read every file; to run it: \
      swift test --filter HostileFileTests, not as root
      """))
  func `a file without read permission is rejected`() throws {
    let path = try write(Self.trace, "secret")
    #expect(chmod(path, 0) == 0)
    try expect(2, path)
  }

  @Test func `empty files and files with arbitrary content are rejected`() throws {
    try expect(2, try write([], "empty.json"))
    for byte in [0, 0xFF, UInt8(ascii: "[")] as [UInt8] {
      for count in ExtraCases.some(3, of: 1...15) {
        try expect(2, try write(Array(repeating: byte, count: count), "few"))
      }
      try expect(2, try write(Array(repeating: byte, count: 100_000), "many.fxt"))
    }
  }

  @Test func `a wrong file extension changes nothing`() throws {
    try expect(0, try write(Self.trace, "trace.fxt"))
    try expect(0, try write(Self.trace, "trace"))
  }

  @Test func `hostile paths are opened like others and printed without effect`() throws {
    for name in ["-x", "--help", "a\nb", "\u{1B}]0;x\u{07}", "a b", "%s%n", "é", "\u{202E}gnp"] {
      _ = try write(Self.trace, name)
      try expect(0, name)
      #expect(unlink(folder + "/" + name) == 0)
      let run = try expect(2, name)
      #expect(!run.errors.unicodeScalars.contains("\u{202E}"))
    }
    try expect(2, folder + "/" + String(repeating: "a", count: 4096))
    try expect(2, folder + String(repeating: "/a", count: 3000))
    try expect(2, "")
  }

  @Test
  func `a file of a terabyte is rejected by its size, a file of gigabytes by its content`() throws {
    let path = try write(Self.trace, "sparse")
    guard truncate(path, 1 << 40) == 0 else { return }
    let run = try expect(2, path)
    #expect(run.errors.contains("1099511627776"))
    #expect(truncate(path, 0) == 0)
    #expect(truncate(path, 3 << 30) == 0)
    try expect(2, path)
  }

  @Test func `standard input can be closed, endless or a directory`() throws {
    try expect(2, "-", redirection: "<&-")
    try expect(2, "-", redirection: "< /dev/zero")
    try expect(2, "-", redirection: "< /")
    try expect(2, "-")
    try expect(2, "/dev/stdin", redirection: "<&-")
    let path = try write(Self.trace, "a")
    try expect(0, "-", redirection: "< '\(path)'")
  }

  @Test func `hostile gzip is rejected or its loss is counted`() throws {
    func gzip(_ command: String) throws -> String {
      let path = folder + "/" + UUID().uuidString + ".gz"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "cd \"$0\"; (\(command)) > \"$1\"", folder, path]
      try process.run()
      process.waitUntilExit()
      return path
    }
    _ = try write(Self.trace, "a")
    _ = try write(Array(Self.trace.dropLast()) + Array(",".utf8), "first")
    _ = try write(Array(Self.trace.dropFirst()), "second")
    try expect(0, try gzip("gzip -c a"))
    try expect(0, try gzip("gzip -c first; gzip -c second"))
    try expect(2, try gzip("gzip -c a | gzip -c"))
    if ExtraCases.isThorough {
      try expect(2, try gzip("head -c 300000000 /dev/zero | gzip -9 -c"))
      try expect(
        2, try gzip("(cat first; head -c 300000000 /dev/zero | tr '\\0' ' ') | gzip -9 -c"))
    }
    try expect(3, try gzip("gzip -c a; echo garbage"))
    try expect(3, try gzip("gzip -c a | head -c 50"))
    try expect(2, try gzip("gzip -c a | head -c 12"))
    try expect(2, try gzip("printf '\\037\\213\\010'"))
    let path = try gzip("gzip -c a")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[bytes.count - 7] ^= 1
    try expect(3, try write(bytes, "checksum.gz"))
    bytes[bytes.count - 7] ^= 1
    bytes[bytes.count - 1] ^= 1
    try expect(3, try write(bytes, "size.gz"))
  }
}
