import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Names from Mach-O files and dSYMs, by UUID.
@Suite struct MachOTests {
  // MARK: - Files

  /// A symbol of a file that the tests make.
  struct Symbol {
    var name: String
    var address: UInt64
    /// `N_SECT`, with `N_EXT` if others can see it.
    var kind: UInt8 = 0x0E
    var section: UInt8 = 1
  }

  static let symbols = [
    Symbol(name: "__mh_dylib_header", address: 0x1_0000_0000, kind: 0x0F),
    Symbol(name: "_open", address: 0x1_0000_1000, kind: 0x0F),
    Symbol(name: "_alias", address: 0x1_0000_1000),
    Symbol(name: "_$s4Feed0A4CellC14layoutSubviewsyyF", address: 0x1_0000_1100),
    Symbol(name: "__ZN4Feed6decodeEi", address: 0x1_0000_1180),
    Symbol(name: "-[FeedView drawRect:]", address: 0x1_0000_1300),
    Symbol(name: "_stab", address: 0x1_0000_1320, kind: 0x24),
    Symbol(name: "_undefined", address: 0x1_0000_1330, kind: 0x01, section: 0),
    Symbol(name: "_data", address: 0x1_0000_2000, section: 2),
  ]

  /// The code in a file's functions: what lies where, and the name.
  static let places: [(address: UInt64, name: String?)] = [
    (0xFFF, nil), (0x1000, "open"), (0x10FF, "open"),
    (0x1100, "$s4Feed0A4CellC14layoutSubviewsyyF"), (0x1180, "_ZN4Feed6decodeEi"),
    // A function without a symbol.
    (0x1200, nil), (0x12FF, nil), (0x1300, "-[FeedView drawRect:]"),
    (0x13FF, "-[FeedView drawRect:]"), (0x1400, nil), (0x2000, nil),
  ]

  static let uuid: [UInt8] = [
    0xDE, 0x46, 0xDD, 0x52, 0x49, 0x94, 0x3F, 0xD8, 0xB4, 0xB4, 0xE3, 0x52, 0xA1, 0xA1, 0x93, 0x54,
  ]

  /// A file for one architecture: code at 0x1000 and data at 0x2000 of 0x1_0000_0000.
  static func file(
    _ symbols: [Symbol] = symbols, starts: [UInt8]? = starts, kind: UInt64 = 6,
    uuid: [UInt8] = uuid,
    processor: UInt64 = 0x0100_000C
  ) -> [UInt8] {
    var texts: [UInt8] = [0x20, 0]
    var table: [UInt8] = []
    for symbol in symbols {
      table += word(UInt64(texts.count), 4) + [symbol.kind, symbol.section, 0, 0]
      table += word(symbol.address, 8)
      texts += Array(symbol.name.utf8) + [0]
    }
    let segment = 72 + 2 * 80
    let size = segment + 24 + 24 + (starts == nil ? 0 : 16)
    let content = 32 + size
    let stated = starts ?? []
    var file = word(0xFEED_FACF, 4) + word(processor, 4) + word(0, 4) + word(kind, 4)
    file += word(starts == nil ? 3 : 4, 4) + word(UInt64(size), 4) + word(0, 8)
    file += word(0x19, 4) + word(UInt64(segment), 4) + text("__TEXT") + word(0x1_0000_0000, 8)
    file += word(0x4000, 8) + word(0, 16) + word(7, 4) + word(5, 4) + word(2, 4) + word(0, 4)
    for (name, address, flags) in [("__text", 0x1000, 0x8000_0400), ("__const", 0x2000, 0)] {
      file +=
        text(name) + text("__TEXT") + word(0x1_0000_0000 + UInt64(address), 8) + word(0x400, 8)
      file += word(0, 16) + word(UInt64(flags), 4) + word(0, 12)
    }
    file += word(0x1B, 4) + word(24, 4) + uuid
    file += word(0x02, 4) + word(24, 4) + word(UInt64(content + stated.count), 4)
    file += word(UInt64(symbols.count), 4)
    file += word(UInt64(content + stated.count + table.count), 4) + word(UInt64(texts.count), 4)
    if starts != nil {
      file += word(0x26, 4) + word(16, 4) + word(UInt64(content), 4) + word(UInt64(stated.count), 4)
    }
    return file + stated + table + texts
  }

  /// Functions at 0x1000, 0x1100, 0x1180, 0x1200 and 0x1300, as distances in groups of seven bits.
  static let starts: [UInt8] = [
    0x80, 0x20, 0x80, 0x02, 0x80, 0x01, 0x80, 0x01, 0x80, 0x02, 0, 0, 0, 0, 0, 0,
  ]

  private static func word(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
  }

  private static func text(_ name: String) -> [UInt8] {
    Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
  }

  /// A file for several architectures, whose header is big-endian.
  static func universal(_ slices: [[UInt8]], has64Bits: Bool) -> [UInt8] {
    let size = has64Bits ? 8 : 4
    var place = 8 + slices.count * (has64Bits ? 32 : 20)
    var file =
      [0xCA, 0xFE, 0xBA, has64Bits ? 0xBF : 0xBE] + word(UInt64(slices.count), 4).reversed()
    for slice in slices {
      file += slice[4..<8].reversed() + slice[8..<12].reversed()
      file += word(UInt64(place), size).reversed() + word(UInt64(slice.count), size).reversed()
      file += word(0, has64Bits ? 8 : 4)
      place += slice.count
    }
    return slices.reduce(file, +)
  }

  private static func names(_ file: SymbolFile) -> [String?] {
    file.names(of: places.map { 0x1_0000_0000 + $0.address })
  }

  // MARK: - Names

  @Test func `a function has the name of the symbol at its start, up to the next function`() throws
  {
    let folder = TemporaryFolder()
    let file = try #require(
      SymbolFile(path: try folder.write(Self.file(), to: "Feed"), isTrusted: false))
    #expect(file.isBuild("de46dd5249943fd8b4b4e352a1a19354") && !file.isBuild("de46"))
    #expect(Self.names(file) == Self.places.map(\.name))
    #expect(
      file.starts(of: [0x1_0000_0FFF, 0x1_0000_1210, 0x1_0000_1400])
        == [nil, 0x1_0000_1200, nil])
  }

  @Test
  func `a dSYM needs no table of functions, and another file without one names nothing`() throws {
    let folder = TemporaryFolder()
    func names(_ kind: UInt64) throws -> [String?] {
      let path = try folder.write(Self.file(starts: nil, kind: kind), to: "Feed")
      let file = try #require(SymbolFile(path: path, isTrusted: true))
      #expect(file.isComplete == (kind == 10) && file.starts(of: [0]) == nil)
      return Self.names(file)
    }
    #expect(try names(6).allSatisfy { $0 == nil })
    // Without sizes, code without a symbol is the function's before it.
    var expected = Self.places.map(\.name)
    expected.replaceSubrange(5...6, with: ["_ZN4Feed6decodeEi", "_ZN4Feed6decodeEi"])
    #expect(try names(10) == expected)
  }

  @Test(arguments: [false, true])
  func `a file for several architectures is read by UUID`(has64Bits: Bool) throws {
    let folder = TemporaryFolder()
    let other = [UInt8](repeating: 0x11, count: 16)
    let intel = Self.file(
      [Symbol(name: "_intel", address: 0x1_0000_1000)], uuid: other, processor: 0x0100_0007)
    let bytes = Self.universal([intel, Self.file()], has64Bits: has64Bits)
    let path = try folder.write(bytes, to: "Feed")
    let id = "de46dd5249943fd8b4b4e352a1a19354"
    let file = try #require(SymbolFile(path: path, isTrusted: true, build: id))
    #expect(file.buildIDs == [String(repeating: "11", count: 16), id])
    #expect(file.isBuild(id) && Self.names(file) == Self.places.map(\.name))
    let first = try #require(SymbolFile(path: path, isTrusted: true))
    #expect(!first.isBuild(id) && first.names(of: [0x1_0000_1001]) == ["intel"])
    #expect(SymbolFolder(folder.path).paths.keys.sorted() == file.buildIDs.sorted())
  }

  @Test func `files that lie have fewer names, and nothing worse`() throws {
    let folder = TemporaryFolder()
    let addresses: [UInt64] = [0, 0x1000, 0x1_0000_1000, 0x1_0000_1180, 0x1_0000_1FFF, .max]
    func look(_ bytes: [UInt8]) throws {
      let path = try folder.write(bytes, to: "Feed")
      guard let file = SymbolFile(path: path, isTrusted: false) else { return }
      #expect(file.names(of: addresses).count == addresses.count)
      #expect((file.starts(of: addresses) ?? []).allSatisfy { $0.map { $0 >= 0x1000 } ?? true })
    }
    let whole = Self.universal([Self.file()], has64Bits: false)
    let step = ExtraCases.isThorough ? 1 : 3
    try forEachDamage(to: whole, step: 3 * step, values: [0xFF, 0x80], look)
    for position in stride(from: 0, to: whole.count - 8, by: 4 * step) {
      for end in [0xFF, 0x7F, 0] as [UInt8] {
        var copy = whole
        copy.replaceSubrange(
          position..<(position + 8), with: [UInt8](repeating: 0xFF, count: 7) + [end])
        try look(copy)
      }
    }
    try look(Self.file(starts: [UInt8](repeating: 0xFF, count: 64)))
    // A class of Java has the same first bytes; a file inside a file is not followed.
    try look([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61] + [UInt8](repeating: 0, count: 64))
    let nested = try folder.write(Self.universal([whole], has64Bits: true), to: "nested")
    #expect(SymbolFile(path: nested, isTrusted: true) == nil)
  }

  // MARK: - Traces

  @Test(arguments: ["Feed.app.dSYM/Contents/Resources/DWARF/Feed", "Feed"])
  func `recorded code is named by the file or dSYM with its UUID`(name: String) throws {
    let folder = TemporaryFolder()
    let path = try folder.write(Self.file(), to: name)
    let module = SampleBlobTests.Module(path: ["Feed.app", "Feed"], buildID: Self.uuid)
    let stacks: [[UInt64]] = [[0x1_0000_1010, 0x1_0000_1120, 0x1_0000_1190, 0x1_0000_1310]]
    for symbols in [folder.path, path, folder.path + "/" + name.prefix { $0 != "/" }] {
      let trace = try SymbolTests.trace(module, stacks, folders: [symbols])
      #expect(
        SampleBlobTests.names(trace, 0) == [
          "open", "FeedCell.layoutSubviews()", "Feed::decode", "-[FeedView drawRect:]",
        ])
    }
    let other = SampleBlobTests.Module(path: ["Feed"], buildID: [1, 2, 3, 4])
    #expect(
      try SampleBlobTests.names(SymbolTests.trace(other, stacks, folders: [path]), 0).first
        == "Feed+0x100001010")
  }

  @Test func `functions of a time profile that Instruments could not name are named`() throws {
    let folder = TemporaryFolder()
    let path = try folder.write(Self.file(), to: "Feed")
    let binary =
      "<binary name=\"Feed\" UUID=\"DE46DD52-4994-3FD8-B4B4-E352A1A19354\" arch=\"arm64\""
      + " load-addr=\"0x104000000\" path=\"/private/var/containers/Bundle/Feed.app/Feed\"/>"
    // The innermost one, plus one, and where its callers go on: behind the end of `decode`, and in a
    // function without a symbol.
    let stack = ["0x104001101", "0x104001200", "0x104001280"].enumerated().map { index, address in
      "<frame id=\"\(20 + index)\" name=\"\(address)\" addr=\"\(address)\">\(binary)</frame>"
    }
    let text = XctraceImporterTests.export(XctraceProfileTests.table(stack.joined(), count: 3))
    var options = ImportOptions()
    let unnamed = try TraceFile.read(MemoryByteSource(Array(text.utf8)), options: options)
    #expect(SampleBlobTests.names(unnamed, 0) == ["0x104001280", "0x104001200", "0x104001101"])
    #expect(unnamed.says("symbols were not found: Feed"))
    options.symbolFolders = [path]
    let trace = try TraceFile.read(MemoryByteSource(Array(text.utf8)), options: options)
    #expect(
      SampleBlobTests.names(trace, 2) == [
        "Feed+0x1200", "Feed::decode", "FeedCell.layoutSubviews()",
      ])
  }

  // MARK: - Other tools

  /// A tool of LLVM, in the path or where packages put it; `nil` if it is not installed.
  private static func tool(_ name: String, _ isFit: (String) -> Bool = { _ in true }) -> String? {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    let folders =
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
      + versions.filter { $0.hasPrefix("llvm-") }.sorted().map { "/usr/lib/\($0)/bin" }
    return folders.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0) && isFit($0)
    }
  }

  /// What a tool prints. A failed one is a failure of the test.
  private static func run(_ tool: String?, _ arguments: [String]) throws -> String {
    guard let tool else { throw ToolFailure() }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailure(tool: tool) }
    return text
  }

  private struct ToolFailure: Error {
    var tool = ""
  }

  private static let symbolizer = tool("llvm-symbolizer")
  private static let compiler = tool("clang")
  /// The linker; that of the toolchain for Linux does not link for macOS.
  private static let linker = tool("ld64.lld") { path in
    let folder = TemporaryFolder()
    guard let object = try? object("arm64", in: folder.path) else { return false }
    return (try? link(object, "arm64", with: path)) != nil
  }

  private static let source = """
    namespace Feed { __attribute__((noinline)) int decode(int a) { volatile int x = a; return x * 3; }
    __attribute__((noinline)) int layout(int a) { return decode(a) + decode(a + 1); } }
    static __attribute__((noinline)) int hidden(int a) { volatile int b = a; return b * 7; }
    extern "C" int feed_open(int a) { return Feed::layout(a) + hidden(a); }
    """

  private static func object(_ architecture: String, in folder: String) throws -> String {
    let path = "\(folder)/\(architecture)"
    try source.write(toFile: path + ".cpp", atomically: true, encoding: .utf8)
    let arguments = ["--target=\(architecture)-apple-macosx12", "-g", "-O1", "-c", path + ".cpp"]
    _ = try run(compiler, arguments + ["-o", path + ".o"])
    return path + ".o"
  }

  private static func link(
    _ object: String, _ architecture: String, with linker: String?
  ) throws -> String {
    let path = object + ".dylib"
    _ = try run(
      linker,
      ["-arch", architecture, "-platform_version", "macos", "12", "12", "-dylib", "-undefined"]
        + ["dynamic_lookup", "-o", path, object])
    return path
  }

  /// What the symbolizer says of addresses; `nil` for those that it does not know.
  private static func symbolizerNames(_ path: String, _ addresses: [UInt64]) throws -> [String?] {
    let arguments = ["--obj=" + path, "--no-demangle", "--functions=linkage", "--no-inlines"]
    let text = try run(symbolizer, arguments + addresses.map { "0x" + String($0, radix: 16) })
    let names = text.components(separatedBy: "\n\n").map { $0.components(separatedBy: "\n")[0] }
    return names.prefix(addresses.count).map { $0 == "??" || $0.isEmpty ? nil : $0 }
  }

  @Test(.enabled(if: symbolizer != nil, "llvm-symbolizer is not installed"))
  func `the files of these tests have the same names for llvm-symbolizer`() throws {
    let folder = TemporaryFolder()
    let path = try folder.write(Self.file(starts: nil, kind: 10), to: "Feed")
    let file = try #require(SymbolFile(path: path, isTrusted: true))
    let addresses: [UInt64] = [0x1_0000_1000, 0x1_0000_1150, 0x1_0000_1180, 0x1_0000_1310]
    let names = file.names(of: addresses)
    #expect(names.compactMap { $0 }.count == addresses.count)
    let others = try Self.symbolizerNames(path, addresses)
    // Of two symbols at one address it takes the other.
    #expect(others[0] == "alias" || others[0] == "open")
    #expect(names.dropFirst() == others.dropFirst())
  }

  @Test(
    .enabled(
      if: symbolizer != nil && compiler != nil && linker != nil,
      "llvm-symbolizer, clang or an ld64.lld for macOS is not installed"),
    arguments: ["arm64", "x86_64"])
  func `linked libraries have the names that llvm-symbolizer finds`(architecture: String) throws {
    let folder = TemporaryFolder()
    let object = try Self.object(architecture, in: folder.path)
    // An object has no UUID.
    #expect(SymbolFile(path: object, isTrusted: true)?.buildIDs == [])
    let library = try Self.link(object, architecture, with: Self.linker)
    var paths = [library]
    if let dsymutil = Self.tool("dsymutil") {
      _ = try Self.run(dsymutil, [library, "-o", folder.path + "/Feed.dSYM"])
      paths += SymbolFolder(folder.path + "/Feed.dSYM").paths.values.joined()
    }
    for path in paths {
      let file = try #require(SymbolFile(path: path, isTrusted: true))
      #expect(file.buildID.utf8.count == 32 && file.isComplete == (path != library))
      let starts = Array(0..<UInt64(0x1000)).filter { file.names(of: [$0])[0] != nil }
      let (first, last) = (try #require(starts.first), try #require(starts.last))
      let addresses = Array(first...last)
        .filter { $0 % (architecture == "arm64" ? 4 : 1) == 0 }
      let names = file.names(of: addresses)
      #expect(Set(names.compactMap { $0 }).count == 4)
      let others = try Self.symbolizerNames(path, addresses)
      #expect(names == others)
    }
  }
}
