import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What `install.sh` and `.ci/release` make can be used, and removed without a trace.
#if os(Linux)
  @Suite(
    .needsTime,
    .needs(
      "binutils, cc and pkg-config",
      if: ["ld", "objcopy", "strip", "ar", "cc", "c++", "python3", "pkg-config", "swiftc"]
        .allSatisfy(Shell.has)))
  struct InstallTests {
    private static let script = Library.sources.appendingPathComponent("install.sh").path

    /// Runs the script with variables for it.
    @discardableResult
    private static func install(
      _ command: String = "install", into root: String, _ variables: String = ""
    ) throws -> String {
      try Shell.run(
        "DESTDIR='\(root)' BUILD='\(try Library.folder())' \(variables) '\(script)' \(command)")
    }

    private static func files(below root: String) throws -> [String] {
      try Shell.run("cd '\(root)' && find . ! -type d | LC_ALL=C sort").split(separator: "\n")
        .map(String.init)
    }

    @Test func `a staged installation is complete, and uninstall leaves no file`() throws {
      let root = TemporaryFolder()
      try Self.install(into: root.path, "PREFIX=/opt/scrolltrace LIBDIR=/opt/scrolltrace/lib64")
      #expect(
        try Self.files(below: root.path + "/opt/scrolltrace") == [
          "./include/scrolltrace.h", "./include/scrolltrace.hpp", "./lib64/libCScrollTrace.a",
          "./lib64/libCScrollTrace.so",
          "./lib64/libCScrollTrace.so.1", "./lib64/libCScrollTrace.so.1.0.0",
          "./lib64/pkgconfig/scrolltrace-static.pc", "./lib64/pkgconfig/scrolltrace.pc",
          "./share/doc/scrolltrace/LICENSE", "./share/doc/scrolltrace/LICENSE-Swift.txt",
          "./share/scrolltrace/ScrollTrace.kt", "./share/scrolltrace/scrolltrace_jni.c",
        ])
      let library = root.path + "/opt/scrolltrace/lib64/libCScrollTrace.so"
      let dynamic = try Shell.run("readelf -d -W '\(library)'")
      #expect(dynamic.contains("soname: [libCScrollTrace.so.1]"))
      let needed = dynamic.matches(of: /\(NEEDED\).*\[(\w+)[^\]]*\]/).map { String($0.1) }
      #expect(Set(needed).isSubset(of: ["libc", "libm", "libstdc", "libgcc_s", "ld"]))
      try expectOnlyDeclaredFunctions(in: library)

      try Self.install(
        "uninstall", into: root.path, "PREFIX=/opt/scrolltrace LIBDIR=/opt/scrolltrace/lib64")
      #expect(try Self.files(below: root.path).isEmpty)
      #expect(!FileManager.default.fileExists(atPath: root.path + "/opt/scrolltrace"))
      #expect(throws: CProgram.Failure.self) { try Self.install("uninstall", into: root.path, "") }
    }

    private func expectOnlyDeclaredFunctions(in library: String) throws {
      let table = try Shell.run("readelf --dyn-syms -W '\(library)'")
      var exported: Set<String> = []
      for line in table.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count >= 8, ["GLOBAL", "WEAK", "UNIQUE"].contains(words[4]),
          words[6] != "UND", words[6] != "ABS"
        else { continue }
        let parts = words[7].split(separator: "@", omittingEmptySubsequences: true)
        exported.insert(String(parts[0]))
        #expect(parts.last == "SCROLLTRACE_1", "\(words[7])")
      }
      #expect(exported == (try Library.declaredFunctions()))
    }

    @Test func `the documented commands build and record with either library`() throws {
      let root = TemporaryFolder()
      let prefix = root.path + "/usr"
      try Self.install(into: "", "PREFIX='\(prefix)'")
      let source = Library.examples.appendingPathComponent("feed.c").path
      for package in ["scrolltrace", "scrolltrace-static"] {
        let program = try CProgram { path in
          """
          export PKG_CONFIG_PATH='\(prefix)/lib/pkgconfig'
          pkg-config --exact-version=1.0.0 \(package) &&
          cc \(CProgram.warnings) '\(source)' -o '\(path)' $(pkg-config --cflags --libs \(package))
          """
        }
        let trace = root.path + "/\(package).fxt"
        try program.record(to: trace, environment: "env -u LD_LIBRARY_PATH")
        #expect(try TraceLines(trace).trace.isComplete)
      }
      try Self.install("uninstall", into: "", "PREFIX='\(prefix)'")
      #expect(!FileManager.default.fileExists(atPath: prefix))
    }

    @Test func `what cannot be installed is one line, and nothing is written`() throws {
      let root = TemporaryFolder()
      func message(_ line: String) -> String? {
        do {
          try Shell.run(line)
          return nil
        } catch let failure as CProgram.Failure {
          return failure.output
        } catch {
          return nil
        }
      }
      let absent = "PREFIX='\(root.path)/usr' BUILD='\(root.path)' '\(Self.script)'"
      #expect(
        message(absent)
          == "install.sh: no libCScrollTraceStatic.a in \(root.path); "
          + "run 'swift build -c release --product CScrollTraceStatic'\n")
      let folder = try Library.folder()
      let unwritable = "PREFIX=/proc/scrolltrace BUILD='\(folder)' '\(Self.script)'"
      #expect(
        message(unwritable)
          == "install.sh: cannot write to /proc/scrolltrace; run as root, or set PREFIX\n")
      #expect(
        message("PREFIX=usr '\(Self.script)'")
          == "install.sh: PREFIX and LIBDIR must be absolute paths\n")
      #expect(try Self.files(below: root.path).isEmpty)
    }

    @Test(
      .needs(
        "the command beside the tests",
        if: FileManager.default.isExecutableFile(atPath: try Library.folder() + "/scrolltrace")))
    func `the release archive contains what it lists, and the same command gives the same archive`()
      throws
    {
      let folder = TemporaryFolder()
      let command = try Library.folder() + "/scrolltrace"
      var archives: [Data] = []
      for name in ["first", "second"] {
        let place = "\(folder.path)/\(name)"
        let printed = try Shell.run(
          "cd '\(PackageFiles.folder.path)' && COMMAND='\(command)' .ci/release '\(place)'")
        let archive = printed.trimmingCharacters(in: .newlines)
        try Shell.run("cd '\(place)' && sha256sum -c --quiet *.sha256")
        archives.append(try Data(contentsOf: URL(fileURLWithPath: archive)))
        try Shell.run(
          "mkdir '\(place)/root' && tar -xzf '\(archive)' --strip-components=1 -C '\(place)/root'")
      }
      #expect(archives[0] == archives[1])
      let root = folder.path + "/first/root"
      try Shell.run("cd '\(root)' && sha256sum -c --quiet share/doc/scrolltrace/SHA256SUMS")
      #expect(
        try Self.files(below: root) == [
          "./bin/scrolltrace", "./share/bash-completion/completions/scrolltrace",
          "./share/doc/scrolltrace/LICENSE", "./share/doc/scrolltrace/LICENSE-Swift.txt",
          "./share/doc/scrolltrace/SHA256SUMS",
          "./share/fish/vendor_completions.d/scrolltrace.fish",
          "./share/zsh/site-functions/_scrolltrace",
        ])
      #expect(
        try Shell.run("'\(root)/bin/scrolltrace' --version") == Shell.run("'\(command)' --version"))
    }

    /// A root of its own: the machine's files, over which what is written is kept apart, and without a
    /// Swift toolchain once the library is installed.
    @Test(
      .enabled(
        if: (try? Shell.run(
          "unshare -m sh -c 'd=$(mktemp -d) && mount -t tmpfs none $d && mkdir $d/u $d/w $d/r"
            + " && mount -t overlay none -o lowerdir=/,upperdir=$d/u,workdir=$d/w $d/r'")) != nil,
        "it mounts an overlay; to run it: as root on Linux, swift test"))
    func `in a clean root, the library is installed, found by the loader, and removed`() throws {
      let scratch = TemporaryFolder()
      let toolchain = try Shell.run("dirname $(dirname $(dirname $(command -v swiftc)))")
        .trimmingCharacters(in: .newlines)
      let examples = Library.examples.path
      let steps = """
        set -e
        BUILD='\(try Library.folder())' '\(Self.script)'
        mkdir /tmp/empty
        mount --bind /tmp/empty '\(toolchain)'
        cd '\(examples)'
        cc feed.c $(pkg-config --cflags --libs scrolltrace) -o /tmp/feed
        /tmp/feed /out/c.fxt > /dev/null
        c++ -std=c++17 feed.cpp $(pkg-config --cflags --libs scrolltrace) -o /tmp/feed++
        /tmp/feed++ /out/cpp.fxt
        export PYTHONPATH=../Bindings PYTHONDONTWRITEBYTECODE=1
        python3 feed.py /out/python.fxt
        ldconfig -p | grep -c libCScrollTrace.so.1
        '\(Self.script)' uninstall
        ldconfig -p | grep libCScrollTrace.so.1 || echo none
        """
      let script = try scratch.write(steps, to: "steps.sh")
      let output = try Shell.run(
        """
        unshare -m sh -c '
        set -e
        d=\(scratch.path)/root && mkdir $d && mount -t tmpfs none $d && cd $d && mkdir u w r
        mount -t overlay none -o lowerdir=/,upperdir=u,workdir=w r
        mount --bind /proc r/proc && mount --bind /dev r/dev
        for folder in tmp out usr/local; do mkdir -p r/$folder && mount -t tmpfs none r/$folder; done
        mkdir -p r\(PackageFiles.folder.path) && mount --bind \(PackageFiles.folder.path) r\(PackageFiles.folder.path)
        cp \(script) r/out/steps
        chroot r sh /out/steps
        cp r/out/*.fxt \(scratch.path)
        (cd r/usr/local && find . ! -type d)
        find u ! -type d ! -name ld.so.cache ! -name aux-cache'
        """)
      // The loader knew the library, and does not any more; no file is left in the root.
      #expect(
        output == """
          installed libCScrollTrace 1.0.0 in /usr/local
          1
          removed libCScrollTrace from /usr/local
          none

          """)
      for host in ["c", "cpp", "python"] {
        #expect(try TraceLines("\(scratch.path)/\(host).fxt").trace.isComplete)
      }
    }
  }
#endif
