import Foundation
import ScrollTraceModel
import ScrollTraceSummary
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Names of sampled code.
@Suite struct SymbolTests {
  @Test(arguments: [
    ("App.Feed.decode(Swift.Int, width: Swift.Int) -> ()", "Feed.decode(_:width:)"),
    ("App.extra() -> ()", "extra()"),
    ("generic specialization <Swift.Int> of App.Feed.wrap<A>(A) -> A", "specialized Feed.wrap(_:)"),
    (
      "function signature specialization <Arg[0] = Dead> of App.Feed.parse(Swift.Array<Swift.Int>, at: Swift.Int) throws -> ()",
      "specialized Feed.parse(_:at:)"
    ),
    (
      "closure #1 (Swift.Int) -> Swift.Bool in App.Feed.draw(by: (Swift.Int) -> Swift.Bool) -> ()",
      "closure #1 in Feed.draw(by:)"
    ),
    ("App.Feed.(draw in _12AB)(Swift.Int) -> ()", "Feed.draw(_:)"),
    ("(extension in App):Swift.String.hash(into: inout Swift.Hasher) -> ()", "String.hash(into:)"),
    ("static App.Feed.make() -> App.Feed", "static Feed.make()"),
    ("App.Feed.count.getter : Swift.Int", "Feed.count.getter"),
    ("merged App.Feed.first() -> ()", "Feed.first()"),
    ("", ""), ("a(((", "a(…)"), ("<<<", "<<<"), ("closure #1", "closure #1"),
  ])
  func `names of Swift are as in the source`(name: String, short: String) {
    #expect(FunctionName.shortened(name) == short)
  }

  @Test(arguments: [
    ("Feed::decode(int, char const*)", "Feed::decode"),
    ("Feed::operator()(int) const", "Feed::operator()"),
    ("Feed::operator bool()", "Feed::operator bool"),
    ("Feed::operator std::vector<int>() const", "Feed::operator std::vector<int>"),
    ("void std::sort<int*>(int*, int*)", "std::sort"),
    ("(anonymous namespace)::work()", "(anonymous namespace)::work"),
    ("unsigned long (anonymous namespace)::work<int>(long)", "(anonymous namespace)::work"),
    ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"),
    (
      "Feed::draw(int) const::{lambda()#1}::operator()() const",
      "Feed::draw::{lambda()#1}::operator()"
    ),
    ("core::fmt::write::h0123456789abcdef", "core::fmt::write"),
    ("foo() [clone .cold]", "foo"),
    ("std::ostream& operator<< <char>(std::ostream&, Feed const&)", "operator<<"),
    ("bool operator< <int>(int, int)", "operator<"),
    ("operator==(int, int)", "operator=="),
    ("Feed::~Feed()", "Feed::~Feed"),
    ("std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector::push_back"),
    ("virtual thunk to Feed::draw()", "Feed::draw"),
    ("void Feed::f<&(g())>()", "Feed::f"),
    ("Feed::operatorName(int)", "Feed::operatorName"),
    ("make[abi:cxx11](int)", "make[abi:cxx11]"),
    ("void (*pick(int))(char)", "void (*pick(int))(char)"),
    ("", ""), ("a(((", "a"), ("<<<", "<<<"), ("operator", "operator"), ("operator ", "operator "),
    ("f()::", "f::"),
  ])
  func `names of C++ are as in the source, without arguments`(name: String, short: String) {
    #expect(CPlusPlusName.shortened(name) == short)
  }

  @Test func `symbols of C++ are demangled by the system`() {
    #expect(FunctionName.readable("_ZN4Feed6decodeEiPKc") == "Feed::decode")
    #expect(
      FunctionName.readable("_ZNSt6vectorIiSaIiEE9push_backEOi@@V1") == "std::vector::push_back")
    #expect(FunctionName.readable("_ZN4core3fmt5write17h0123456789abcdefE") == "core::fmt::write")
    #expect(FunctionName.readable("_Z") == "_Z")
  }

  @Test func `names of other languages are unchanged, and broken ones too`() {
    #expect(FunctionName.readable("_ZN5swift4main") == "_ZN5swift4main")
    #expect(FunctionName.readable("poll@GLIBC_2.2.5") == "poll")
    #expect(FunctionName.readable("$s") == "$s")
    #expect(FunctionName.readable("$s3App4FeedC6decodeyyF") == "Feed.decode()")
  }

  /// A file for 64 bits: three symbols, a build ID or else a table of functions.
  static func file(hasBuildID: Bool = true) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 + 2 * 56)
    func append(_ word: UInt64, _ size: Int) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
    }
    func store(_ word: UInt64, _ size: Int, at place: Int) {
      for index in 0..<size {
        bytes[place + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
      }
    }
    let notes = bytes.count
    for word in [4, 4, 3] as [UInt64] { append(word, 4) }
    bytes += Array("GNU\0".utf8) + [0x12, 0x34, 0x56, 0x78]
    let frames = bytes.count
    bytes += [1, 27, 3, 59, 9, 9, 9, 9, 9, 9]
    let texts = bytes.count
    bytes += Array("\0inner\0outer\0alias\0sized by nothing\0".utf8)
    let symbols = bytes.count
    for symbol in [(7, 0x1000, 0x100), (1, 0x1040, 0x10), (13, 0x1000, 0x100), (19, 0x2000, 0)] {
      append(UInt64(symbol.0), 4)
      append(symbol.0 == 13 ? 0x02 : 0x12, 1)
      append(0, 1)
      append(1, 2)
      append(UInt64(symbol.1), 8)
      append(UInt64(symbol.2), 8)
    }
    let sections = bytes.count
    bytes += [UInt8](repeating: 0, count: 64)
    func section(_ kind: UInt64, _ offset: Int, _ size: Int, link: UInt64, entry: UInt64) {
      append(kind << 32, 8)
      append(0, 16)
      append(UInt64(offset), 8)
      append(UInt64(size), 8)
      append(link, 8)
      append(0, 8)
      append(entry, 8)
    }
    section(3, texts, symbols - texts, link: 0, entry: 0)
    section(2, symbols, sections - symbols, link: 1, entry: 24)
    bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    store(64, 8, at: 32)
    store(UInt64(sections), 8, at: 40)
    store(56, 2, at: 54)
    store(2, 2, at: 56)
    store(64, 2, at: 58)
    store(3, 2, at: 60)
    store(hasBuildID ? 4 : 6, 4, at: 64)
    store(UInt64(notes), 8, at: 64 + 8)
    store(UInt64(frames - notes), 8, at: 64 + 32)
    store(0x6474_E550, 4, at: 120)
    store(UInt64(frames), 8, at: 120 + 8)
    store(UInt64(texts - frames), 8, at: 120 + 32)
    return bytes
  }

  private static let app = SampleBlobTests.Module(
    path: ["opt", "app"], buildID: [0x12, 0x34, 0x56, 0x78])

  private static let addresses: [UInt64] = [
    0xFFF, 0x1000, 0x1040, 0x104F, 0x1050, 0x10FF, 0x1100, 0x2000,
  ]

  @Test(.timeLimit(.minutes(1)))
  func `symbols that all contain each other take no endless time`() throws {
    var bytes = Self.file()
    // The table of symbols goes to the end: each contains all addresses.
    let sections = bytes.count - 3 * 64
    let place = bytes.count
    let count = 60_000
    for _ in 0..<count {
      bytes += [7, 0, 0, 0, 0x12, 0, 1, 0] + [UInt8](repeating: 0, count: 8)
      bytes += [UInt8](repeating: 0xFF, count: 8)
    }
    for (word, at) in [(UInt64(place), 24), (UInt64(count * 24), 32)] {
      for index in 0..<8 {
        bytes[sections + 128 + at + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
      }
    }
    let folder = TemporaryFolder()
    let path = try folder.write(bytes, to: "app")
    let file = try #require(SymbolFile(path: path, isTrusted: true))
    let names = file.names(of: (0..<UInt64(count)).map { $0 })
    #expect(names.count == count && names.allSatisfy { $0 == "outer" })
  }

  @Test func `an address has the innermost function that contains it, and no other`() throws {
    let folder = TemporaryFolder()
    let path = try folder.write(Self.file(), to: "app")
    let file = try #require(SymbolFile(path: path, isTrusted: false))
    #expect(file.isBuild("12345678") && !file.isBuild("12345679") && file.isComplete)
    #expect(
      file.names(of: Self.addresses) == [
        nil, "outer", "inner", "inner", "outer", "outer", nil, nil,
      ])
  }

  @Test func `a file without a build ID is identified by its table of functions`() throws {
    let folder = TemporaryFolder()
    let path = try folder.write(Self.file(hasBuildID: false), to: "app")
    let file = try #require(SymbolFile(path: path, isTrusted: false))
    // FNV-1a of ten bytes, worked out apart.
    #expect(file.isBuild("65685f6672616d6579088e81d09e0d61"))
    #expect(!file.isBuild("65685f6672616d650000000000000000") && !file.isBuild(""))
  }

  @Test func `files that lie about their sizes have fewer names, and nothing worse`() throws {
    let folder = TemporaryFolder()
    let step = ExtraCases.isThorough ? 3 : 9
    try forEachDamage(to: Self.file(), step: step, values: [0xFF, 0x80]) { bytes in
      let path = try folder.write(bytes, to: "damaged")
      _ = SymbolFile(path: path, isTrusted: false)?.names(of: Self.addresses)
    }
  }

  @Test func `a folder, a device and a file of another kind have no names`() throws {
    let folder = TemporaryFolder()
    #expect(SymbolFile(path: folder.path, isTrusted: true) == nil)
    #expect(SymbolFile(path: "/dev/zero", isTrusted: true) == nil)
    #expect(SymbolFile(path: "/nowhere", isTrusted: true) == nil)
    #expect(
      SymbolFile(path: try folder.write(Array("text".utf8), to: "text"), isTrusted: true) == nil)
  }

  @Test func `an address without a symbol is in the function whose bounds contain it`() throws {
    let folder = TemporaryFolder()
    let path = try folder.write(StrippedProgram.bytes, to: "app")
    let file = try #require(SymbolFile(path: path, isTrusted: true))
    #expect(file.isBuild("12345678") && !file.isComplete)
    var bounds = try #require(FunctionBounds(of: file))
    #expect(
      bounds.starts(of: [0, 0xFFF, 0x1000, 0x103F, 0x1040, 0x1100, 0x117F, 0x1180, .max]) == [
        nil, nil, 0x1000, 0x1000, nil, 0x1100, 0x1100, nil, nil,
      ])
  }

  @Test func `tables of functions that lie have fewer bounds, and nothing worse`() throws {
    let folder = TemporaryFolder()
    let addresses: [UInt64] = [0, 0x1000, 0x1101, .max]
    let step = ExtraCases.isThorough ? 1 : 5
    try forEachDamage(
      to: StrippedProgram.bytes, step: step, values: [0, 0x7F, 0x80, 0xFF]
    ) { bytes in
      let path = try folder.write(bytes, to: "damaged")
      guard let file = SymbolFile(path: path, isTrusted: false),
        var bounds = FunctionBounds(of: file)
      else { return }
      #expect(bounds.starts(of: addresses).count == addresses.count)
    }
  }

  // MARK: - Traces

  @Test
  func `stripped code is named by the start of its function, unless it is the system's`() throws {
    let folder = TemporaryFolder()
    _ = try folder.write(StrippedProgram.bytes, to: "app")
    let stacks: [[UInt64]] = [[0x1000, 0x1110], [0x1020, 0x1170], [0x1000, 0x1050]]
    var module = Self.app
    let trace = try Self.trace(module, stacks, folders: [folder.path])
    #expect(SampleBlobTests.names(trace, 0) == ["app+0x1000", "app+0x1100"])
    #expect(trace.samples.first?.stacks[0] == trace.samples.first?.stacks[1])
    // No function contains it: it is part of its caller.
    #expect(SampleBlobTests.names(trace, 2) == ["app+0x1000"])
    #expect(trace.says("not found: app; name a folder"))
    #expect(trace.stackTree.buildIDs.values.map { trace.strings[$0] } == ["12345678"])
    module.path = ["usr", "lib", "app"]
    let system = try Self.trace(module, stacks, folders: [folder.path])
    #expect(SampleBlobTests.names(system, 0) == ["app+0x1000", "app+0x1110"])
  }

  @Test func `a function of a summary is named by the symbols of its build`() throws {
    let folder = TemporaryFolder()
    _ = try folder.write(StrippedProgram.bytes, to: "stripped/app")
    _ = try folder.write(Self.file(), to: "symbols/app.debug")
    var options = ImportOptions()
    options.symbolFolders = [folder.path]
    var names = CodeNames(options)
    let texts = [
      "app+0x1000 build:12345678", "app+0x1048 build:12345678", "app+0x1000 build:99",
      "app+0x1000", "app+0x999000 build:12345678",
    ]
    let found = try texts.map { names.name(of: try #require(SummaryFunction($0))) }
    #expect(found == ["outer", "inner", nil, nil, nil])
  }

  @Test func `the text of a function of a summary says what it is, and names are not mistaken`() {
    let function = SummaryFunction("my app+x+0x1f40 build:8c1d")
    #expect(function?.module == "my app+x" && function?.address == 0x1F40)
    #expect(function?.build == "8c1d" && function?.text == "my app+x+0x1f40 build:8c1d")
    #expect(SummaryFunction("a+0x1f")?.text == "a+0x1f")
    for text in ["operator+(int)", "a+0xzz", "a+0x1f (b)", "a+0x1f0000000000000000", "+", ""] {
      #expect(SummaryFunction(text) == nil, "\(text)")
    }
  }

  @Test func `a folder is searched by build ID, whatever its files are called`() throws {
    let folder = TemporaryFolder()
    _ = try folder.write(StrippedProgram.bytes, to: "a/stripped")
    _ = try folder.write(Self.file(), to: "b/c/d/other.bin")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/b/loop", withDestinationPath: folder.path)
    let trace = try Self.trace(Self.app, [[0x1000, 0x1048]], folders: [folder.path])
    #expect(SampleBlobTests.names(trace, 0) == ["outer", "inner"])
    let searched = SymbolFolder(folder.path)
    #expect(searched.paths["12345678"]?.count == 2 && !searched.isCut)
    #expect(SymbolFolder("/nowhere").paths.isEmpty)
  }

  @Test func `folders inside each other are searched up to a limit`() throws {
    let folder = TemporaryFolder()
    let deep = String(repeating: "a/", count: SymbolFolder.maximumDepth)
    _ = try folder.write(Self.file(), to: deep + "app")
    #expect(SymbolFolder(folder.path).paths.count == 1)
    _ = try folder.write(Self.file(), to: deep + "a/app")
    #expect(SymbolFolder(folder.path).isCut)
  }

  static func trace(
    _ module: SampleBlobTests.Module, _ stacks: [[UInt64]], folders: [String]
  ) throws -> Trace {
    let payload = SampleBlobTests.payload([module], stacks.map { $0.map { (0, $0) } })
    var options = ImportOptions()
    options.symbolFolders = folders
    return try TraceFile.read(
      MemoryByteSource(SampleBlobTests.recording([payload])), options: options)
  }

  @Test func `code is named by the file whose build ID fits, wherever it is in the folder`() throws
  {
    for name in ["app", "app.debug", "opt/app", ".build-id/12/345678.debug"] {
      let folder = TemporaryFolder()
      _ = try folder.write(Self.file(), to: name)
      let trace = try Self.trace(Self.app, [[0x1000, 0x1048]], folders: [folder.path])
      #expect(SampleBlobTests.names(trace, 0) == ["outer", "inner"], "\(name)")
      #expect(trace.notices.allSatisfy { !"\($0)".contains("--symbols") })
    }
  }

  @Test
  func `another build of the module names nothing, and a notice says how to get names`() throws {
    let folder = TemporaryFolder()
    _ = try folder.write(Self.file(), to: "app")
    let other = SampleBlobTests.Module(path: ["opt", "app"], buildID: [0x12, 0x34, 0x56, 0x79])
    let trace = try Self.trace(other, [[0x1000, 0x1048]], folders: [folder.path])
    #expect(SampleBlobTests.names(trace, 0) == ["app+0x1000", "app+0x1048"])
    #expect(trace.says("not found: app; name a folder"))
  }

  @Test func `code without a symbol is part of its caller in the same module`() throws {
    let folder = TemporaryFolder()
    _ = try folder.write(Self.file(), to: "app")
    let module = SampleBlobTests.Module(path: ["app"], buildID: [0x12, 0x34, 0x56, 0x78])
    let trace = try Self.trace(
      module, [[0x1000, 0x5000, 0x6000], [0x5000, 0x6000, 0x1000], [0x1000]], folders: [folder.path]
    )
    #expect(SampleBlobTests.names(trace, 0) == ["outer"])
    #expect(SampleBlobTests.names(trace, 1) == ["app", "outer"])
    #expect(trace.samples.first?.stacks[0] == trace.samples.first?.stacks[2])
  }

  @Test func `a path of a trace never leads out of the folder`() throws {
    let folder = TemporaryFolder()
    let secret = try folder.write(Self.file(), to: "secret")
    _ = try folder.write([], to: "inside/empty")
    let module = SampleBlobTests.Module(
      path: ["..", "secret"], buildID: [0x12, 0x34, 0x56, 0x78])
    let trace = try Self.trace(module, [[0x1000]], folders: [folder.path + "/inside"])
    #expect(SampleBlobTests.names(trace, 0) == ["secret+0x1000"])
    #expect(FileManager.default.fileExists(atPath: secret))
  }
}
