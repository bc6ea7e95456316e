import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The binding for Kotlin records on a Java virtual machine, through the Java Native Interface.
#if os(Linux)
  @Suite(
    .needsTime,
    .needs("kotlinc, a JDK and cc", if: ["kotlinc", "javac", "cc"].allSatisfy(Shell.has)))
  struct KotlinTests {
    /// Both programs and the library, built once.
    private struct Programs {
      let folder = TemporaryFolder()

      init() throws {
        let bindings = Library.sources.appendingPathComponent("Bindings").path
        let library = try Library.folder()
        try Shell.run(
          """
          set -e
          cd '\(folder.path)'
          java=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")/include
          cc -std=c11 \(CProgram.warnings) -shared -fPIC -I '\(Library.include)' \
            -I "$java" -I "$java/linux" '\(bindings)/scrolltrace_jni.c' \
            -L '\(library)' -lCScrollTrace '-Wl,-rpath,\(library)' -o libscrolltrace_jni.so
          kotlinc -Werror '\(bindings)/ScrollTrace.kt' '\(Library.programs.path)/Bindings.kt' \
            '\(Library.examples.path)/Feed.kt' -include-runtime -d programs.jar
          """)
      }

      /// Runs the `main` of a file, and returns what it prints.
      func run(_ file: String, options: String = "", trace: String) throws -> String {
        try Shell.run(
          """
          cd '\(folder.path)'
          java \(options) -Djava.library.path=. -cp programs.jar \(file)Kt '\(trace)'
          """)
      }
    }

    private static let programs = Result { try Programs() }

    @Test func `Kotlin records frames, spans and marks, and allocates nothing for them`() throws {
      let folder = TemporaryFolder()
      let trace = folder.path + "/run.fxt"
      let output = try Self.programs.get().run("Bindings", options: "-Xcheck:jni", trace: trace)
      #expect(!output.contains("WARNING") && !output.contains("FATAL"), "\(output)")
      let lines = try TraceLines(trace)
      #expect(lines.trace.isComplete && lines.trace.openSpans.isEmpty)
      let main = lines.spans(of: "the main one")
      let expected = [
        "the main one: scrolltrace.frame/display frame=1",
        "the main one: scrolltrace.phase/layout",
        "the main one: scrolltrace.cell/configure list=feed item=7 position=3 reused=false",
        "the main one: scrolltrace.image/decode item=7",
        "the main one: scrolltrace.phase/commit",
        "the main one: scrolltrace.frame/display frame=2",
        "the main one: scrolltrace.cell/fails",
      ]
      #expect(Array(main.prefix(7)) == expected)
      #expect(lines.spans.contains("worker: scrolltrace.image/decode item=8"))
      // Spans beyond the deepest that the binding keeps are left out.
      #expect(lines.spans.filter { $0 == "worker: scrolltrace.work/deep" }.count == 64)
      #expect(!lines.spans.contains { $0.contains("while off") })
      #expect(lines.spans.filter { $0.contains("scrolltrace.cell/size") }.count == 2000)
      #expect(lines.asyncSpans == ["scrolltrace.data/load page"])
      #expect(lines.spans.contains { $0.hasSuffix("scrolltrace.data/after the fact item=3") })
      #expect(
        lines.marks == [
          "scrolltrace.work/tapped item=0",
          "scrolltrace.cell/willDisplay list=feed item=7 position=3 kind=Größe 🎞",
          "scrolltrace.image/placeholder item=7 view=1", "scrolltrace.work/?x", "scrolltrace.work/",
        ])
      #expect(Set(lines.samples).isSuperset(of: ["cache=-5.0", "offset=0.5", "rows=999.0"]))
      #expect(lines.states == ["screen=Feed 🎞", "screen=-"])
      #expect(lines.trace.interactions.map(\.kind) == ["drag", "scroll"])
      #expect(lines.trace.interactions.allSatisfy { $0.end != nil })
      let display = try #require(lines.trace.surfaces.first { $0.name == "display" })
      let start = try #require(display.frames[0].start).nanoseconds
      #expect(display.frames[0].presented?.nanoseconds == start + 24_000_000)
      let panel = try #require(lines.trace.surfaces.first { $0.name == "panel" })
      #expect(panel.frames.count == 1)
      #expect(panel.frames[0].presented?.nanoseconds == start + 9_000_000)
      #expect(try TraceLines(trace + ".dump").trace.surfaces.count == 2)
    }

    @Test func `the worst hitch of a feed in Kotlin is the longest gap of its own log`() throws {
      let folder = TemporaryFolder()
      let trace = folder.path + "/feed.fxt"
      let output = try Self.programs.get().run("Feed", trace: trace)
      let log = HostLog(output)
      let worst = try log.expectWorstHitchIsLongestGap(in: trace)
      #expect(worst.attribution?.causes.contains { $0.name == "decode" && $0.item == "17" } == true)
    }

    @Test func `without its library, an error says what to do`() throws {
      let programs = try Self.programs.get()
      let output = try Shell.run(
        """
        cd '\(programs.folder.path)'
        ! java -Djava.library.path=/absent -cp programs.jar FeedKt absent.fxt
        """)
      #expect(output.contains("RecordingException: scrolltrace_jni: no scrolltrace_jni in"))
      #expect(output.contains("; build it from scrolltrace_jni.c, and set java.library.path"))
    }

    /// Compiles a source with the binding, and returns what the compiler prints.
    private static func compile(_ source: String, isRefused: Bool = false) throws -> String {
      let folder = TemporaryFolder()
      let path = try folder.write(source, to: "Source.kt")
      return try Shell.run(
        """
        \(isRefused ? "! " : "")kotlinc -cp '\(try programs.get().folder.path)/programs.jar' '\(path)' \
          '\(Library.programs.path)/Android.kt' -d '\(folder.path)/out.jar'
        """)
    }

    @Test func `the guide's code for Android compiles with what it names of the platform`() throws {
      let blocks = try PackageFiles.blocks(
        of: "kotlin", in: "Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/OtherHosts.md")
      #expect(blocks.count == 3)
      _ = try Self.compile(
        """
        import java.io.File
        import scrolltrace.*

        fun main() {
        \(blocks.joined(separator: "\n"))
        }
        """)
    }

    @Test func `an operation can suspend, and a span cannot`() throws {
      func source(_ method: String) -> String {
        """
        import scrolltrace.*

        suspend fun load(): Int = 1
        suspend fun page(recorder: Recorder) = recorder.\(method)("load") { load() }
        """
      }
      _ = try Self.compile(source("operation"))
      let output = try Self.compile(source("span"), isRefused: true)
      #expect(output.contains("error: suspension functions") && output.contains("coroutine body"))
    }
  }
#endif
