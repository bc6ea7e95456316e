#if os(Linux)
  import Foundation
  import ScrollTraceAnalysis
  import ScrollTraceImport
  import ScrollTraceModel
  import ScrollTraceTestSupport
  import Testing

  /// Stacks of programs whose chains of calls are known by construction (F-9).
  @Suite(.serialized, .needsTime, .needs("clang or gcc", if: CProgram.Compiler.c != nil))
  struct StackProgramTests {
    /// A recording of the program, whose folder has its symbols.
    struct Recording {
      let folder = TemporaryFolder()
      let program: CProgram
      let output: String
      let trace: Trace

      /// - Parameters:
      ///   - mode: What the program does.
      ///   - period: The time between two samples, in nanoseconds.
      ///   - environment: What comes before the command.
      init(
        _ mode: String, period: Int = 1_000_000, environment: String = "", options: String = ""
      ) throws {
        let compiler = try #require(CProgram.Compiler.c)
        program = try CProgram(
          Library.programs.appendingPathComponent("Stacks/stacks.c"),
          with: CProgram.Compiler(command: compiler.command, options: "-std=gnu11 -O2"),
          options: options)
        let path = folder.path + "/run.fxt"
        output = try program.record(
          to: path, arguments: "\(mode) \(period)", environment: environment)
        trace = try TraceFile.open(path)
      }

      /// The samples with their functions, outermost first.
      var stacks: [(time: Int64, names: [String])] {
        trace.samples.flatMap { series in
          series.times.indices.map { index in
            let path = trace.stackTree.path(of: series.stack(at: index))
            return (series.times[index], path.map { trace.strings[$0.name] })
          }
        }
      }

      /// The commits of the frames, by number.
      var commits: [UInt64: ClosedRange<Int64>] {
        var commits: [UInt64: ClosedRange<Int64>] = [:]
        for surface in trace.surfaces {
          for index in 0..<surface.frames.count {
            let frame = surface.frames[index]
            guard let start = frame.commitStart, let end = frame.commitEnd else { continue }
            commits[frame.id] = start.nanoseconds...end.nanoseconds
          }
        }
        return commits
      }
    }

    static let works = [
      "memcpy", "malloc", "qsort", "snprintf", "recursion", "poll", "usleep", "leaf",
    ]

    @Test func `99 of 100 samples reach the outermost function through the right caller`() throws {
      let recording = try Recording("chains")
      #expect(recording.trace.losses.isEmpty)
      let (stacks, commits) = (recording.stacks, recording.commits)
      for (index, work) in Self.works.enumerated() {
        let commit = try #require(commits[UInt64(index)])
        let samples = stacks.filter { commit.contains($0.time) }.map(\.names)
        // A loaded machine gives the program little time.
        #expect(samples.count > 10, "\(work)")
        // The first and last ones may be in the recorder itself.
        let inside = samples.filter { $0.contains("outer") }
        #expect(inside.count * 100 >= samples.count * 95, "\(work)")
        let right = inside.filter { names in
          guard names.first == "_start", let at = names.firstIndex(of: "outer") else {
            return false
          }
          return names[at - 1] == "make_chains" && names.dropFirst(at + 1).first == "work_\(work)"
        }
        #expect(
          right.count * 100 >= inside.count * 99,
          "\(work): \(right.count) of \(inside.count), \(inside.first { !right.contains($0) } ?? [])"
        )
      }
      let deep = stacks.filter {
        $0.names.contains("work_recursion") && $0.names.contains("recurse")
      }
      #expect(deep.contains { $0.names.count { $0 == "recurse" } == 201 })
      // The C library's own functions between them have names only where its debug file is.
      let sorting = stacks.map(\.names).filter { $0.last == "compare" }
      #expect(
        sorting.contains { names in
          guard let at = names.firstIndex(of: "work_qsort") else { return false }
          return names[at + 1].hasPrefix("qsort")
        })
    }

    @Test(arguments: CProgram.Compiler.all.filter { $0.options == "-std=c11" })
    func `each instruction of a chain of calls leads to its callers`(_ compiler: CProgram.Compiler)
      throws
    {
      let shims = PackageFiles.url("Sources/CRecorderShims").path
      let program = try CProgram { path in
        """
        \(compiler.command) -std=gnu11 -O2 -D_Nullable= -Wno-unknown-pragmas -I '\(shims)/include' \
        -I '\(shims)/Stacks' '\(Library.programs.path)/Stacks/walks.c' '\(shims)'/Stacks/*.c \
        '\(shims)/CRecorderShims.c' -rdynamic -pthread -o '\(path)'
        """
      }
      // A chain that is found too rarely makes the program fail.
      #expect(try program.record(to: "").contains("work_snprintf"))
    }

    @Test(arguments: CProgram.Compiler.all.filter { $0.options == "-std=c11" })
    func `the sampler for Apple's systems walks frame pointers, with stand-ins for what it calls`(
      _ compiler: CProgram.Compiler
    ) throws {
      let shims = PackageFiles.url("Sources/CRecorderShims").path
      let folder = TemporaryFolder()
      // What the headers say to clang about pointers is nothing to others.
      let nullable =
        compiler.command == "clang" ? "" : "-D_Nullable= -Wno-unknown-pragmas"
      let program = try CProgram { path in
        """
        set -e
        sources='\(Library.programs.path)/Stacks'
        options="-std=gnu11 -O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer \(nullable) \
        -Wall -Wextra -Werror -I $sources/Mach -I \(shims)/include -I \(shims)/Stacks"
        for source in AppleSampler Sampler FramePointers; do
          \(compiler.command) $options -D_GNU_SOURCE -D__APPLE__ -U__linux__ \
          -c '\(shims)'/Stacks/$source.c -o '\(folder.path)'/$source.o
        done
        \(compiler.command) $options -DWALKS_FRAME_POINTERS "$sources/walks.c" "$sources/Mach/mach.c" \
        '\(folder.path)'/*.o '\(shims)/Stacks/SampledFrames.c' '\(shims)/CRecorderShims.c' \
        -rdynamic -pthread -o '\(path)'
        """
      }
      #expect(try program.record(to: "").contains("work_recursion"))
    }

    @Test
    func `frames that end in time leave no sample, and nothing is sampled without the option`()
      throws
    {
      let recording = try Recording("frames")
      #expect(recording.trace.surfaces.first?.frames.count == 50)
      #expect(recording.trace.samples.isEmpty && recording.trace.losses.isEmpty)
      #expect(try Recording("chains", period: 0).trace.samples.isEmpty)
    }

    @Test func `waits of a sampled thread are not interrupted`() throws {
      let failed = try #require(Int(Recording("polls").output.split(separator: "\n").first ?? ""))
      // One of 60 on a quiet machine; on a loaded one a wait is over before its thread has a core.
      #expect(failed <= 6)
    }

    private func fact(_ key: String, of finding: Finding) -> Finding.Value? {
      finding.facts.first { $0.key == key }?.value
    }

    @Test func `a host that is killed in a hang has samples until 100 ms before`() throws {
      let recording = try Recording(
        "hang", environment: "run() { timeout -s KILL 0.8 \"$@\" || true; }; run")
      let last = try #require(recording.stacks.last)
      #expect(last.names.suffix(2) == ["main", "hang"])
      #expect(recording.stacks.count > 50)
      // The samples say that the host lived until then.
      #expect(recording.trace.range.end.nanoseconds >= last.time)
      // A frame that never ends outside of a motion is no hitch.
      let analysis = TraceAnalyzer().analyze(recording.trace)
      let finding = try #require(analysis.findings.first)
      #expect(finding.id == .endlessFrame && fact("name", of: finding) == .name("hang"))
    }

    @Test(arguments: [("hang-late", FindingID.endlessFrame), ("hang-drag", .unrecordedCode)])
    func `a hang in the last frame is named, in motion and outside`(
      _ mode: String, _ finding: FindingID
    ) throws {
      let recording = try Recording(
        mode, environment: "run() { timeout -s KILL 2 \"$@\" || true; }; run")
      let analysis = TraceAnalyzer().analyze(recording.trace)
      let found = try #require(analysis.findings.first { $0.id == finding })
      let key = finding == .endlessFrame ? "name" : "function"
      #expect(fact(key, of: found) == .name("hang"))
    }

    @Test func `after a fork the child samples nothing, and the parent goes on`() throws {
      let recording = try Recording("fork")
      #expect(recording.trace.losses.isEmpty)
      let names = recording.stacks.map(\.names)
      #expect(names.contains { $0.suffix(1) == ["work_leaf"] })
      #expect(!names.contains { $0.contains("make_chains") })
      #expect(Set(recording.trace.samples.map(\.track)).count == 1)
    }

    @Test func `threads that end leave their samples`() throws {
      let recording = try Recording("threads", period: 100_000)
      #expect(recording.trace.losses.isEmpty)
      let threads = Set(recording.trace.samples.map(\.track)).count
      #expect(threads > 50)
      let names = recording.stacks.map(\.names).filter { $0.contains("outer") }
      #expect(names.allSatisfy { $0.contains("make_thread_frame") })
    }

    @Test(arguments: [("taken", "1 1 1"), ("taken-later", "0 1 1")])
    func `a host that handles SIGURG itself keeps its handler and has no stacks from then on`(
      _ mode: String, _ output: String
    ) throws {
      let recording = try Recording(mode, environment: "run() { \"$@\" 2>&1; }; run")
      #expect(recording.output.split(separator: "\n").contains { $0 == output })
      let text = "no stacks are sampled: the host handles SIGURG itself"
      #expect(
        recording.output.split(separator: "\n").count { $0.hasSuffix("run.fxt: \(text)") } == 1)
      #expect(recording.trace.notices.count { $0 == .source(text) } == 1)
      #expect(recording.trace.losses.isEmpty)
      #expect(recording.trace.samples.isEmpty == (mode == "taken"))
      #expect(recording.commits.count == Self.works.count)
    }

    @Test(arguments: [100_000, 1_000_000])
    func `no program is killed that a host calls exec for while it is sampled`(_ period: Int) throws
    {
      let compiler = try #require(CProgram.Compiler.c)
      let program = try CProgram(
        Library.programs.appendingPathComponent("Stacks/stacks.c"),
        with: CProgram.Compiler(command: compiler.command, options: "-std=gnu11 -O2"))
      let folder = TemporaryFolder()
      let output = try program.record(
        to: folder.path + "/run.fxt", arguments: "execs \(period)")
      #expect(output == "0 0\n")
    }

    @Test func `a thread with a stack of 64 KiB can record frames and be sampled`() throws {
      for period in [0, 100_000] {
        let recording = try Recording("small-64", period: period)
        // A kernel may need a quarter of that for the registers of a larger processor.
        #expect(try #require(Int(recording.output.split(separator: "\n").first ?? "")) <= 48)
        #expect(recording.commits.count == 20 && recording.trace.losses.isEmpty)
        #expect(recording.trace.samples.isEmpty == (period == 0))
      }
    }

    @Test func `the signal handler takes at most 8 KiB of an alternate stack`() throws {
      let recording = try Recording("alternate", period: 100_000)
      let used = try #require(Int(recording.output.split(separator: "\n").first ?? ""))
      #expect((1...8192).contains(used))
      #expect(recording.stacks.contains { $0.names.last == "work_leaf" })
    }

    @Test func `a dump after a hitch has its samples to the end`() throws {
      let recording = try Recording("dump")
      let dump = try TraceFile.open(recording.folder.path + "/run.fxt-hitch-1.fxt")
      let surface = try #require(dump.surfaces.first)
      let first = try #require((0..<surface.frames.count).map { surface.frames[$0] }.first)
      let end = try #require(first.commitEnd).nanoseconds
      let times = dump.samples.flatMap(\.times)
      #expect(times.contains { (end - 10_000_000...end).contains($0) })
    }

    @Test
    func `a function that no span covers is the first finding about work, by its name`() throws {
      let analysis = TraceAnalyzer().analyze(try Recording("feed").trace)
      // On a loaded machine, the first one is about that.
      let finding = try #require(analysis.findings.first { $0.id != .machineOverloaded })
      #expect(finding.id == .unrecordedCode)
      #expect(fact("function", of: finding) == .name("score_rows"))
      #expect(finding.measures.hitches >= 2)
    }

    @Test(
      arguments: [
        ("timer", "flush_events"), ("timer-missed", "flush_events"), ("timer-asks", "ask_author"),
      ])
    func `a timer between frames is the first finding about work, by its function`(
      _ mode: String, _ function: String
    ) throws {
      let analysis = TraceAnalyzer().analyze(try Recording(mode).trace)
      let surface = try #require(analysis.primarySurface)
      let account = try #require(analysis.samples?.hitches[surface.surface])
      #expect(account.unrecorded?.function == function)
      #expect(account.ownFunctions.contains { $0.name == function })
      // On a loaded machine, that can be the only finding.
      guard let finding = analysis.findings.first(where: { $0.id != .machineOverloaded }) else {
        return #expect(analysis.findings.first?.id == .machineOverloaded)
      }
      #expect(finding.id == .unrecordedCode)
      #expect(fact("function", of: finding) == .name(function))
    }

    @Test
    func `a wait between frames has samples, and the wait for the next event has none`() throws {
      let recording = try Recording("timer-asks")
      let stacks = recording.stacks.map(\.names)
      let asking = stacks.count { $0.contains("ask_author") }
      #expect(asking > 7 * 20)
      // What the program does around it: frames, and threads that it makes.
      #expect(asking * 10 > stacks.count * 9)
      #expect(recording.trace.losses.isEmpty)
    }

    @Test(arguments: ["timer-at-rest", "timer-held"])
    func `nothing is sampled between frames at rest, nor while a finger holds still`(
      _ mode: String
    ) throws {
      let recording = try Recording(mode)
      #expect(recording.commits.count == 64)
      // A loaded machine makes single frames late.
      let between = recording.stacks.filter { stack in
        !recording.commits.values.contains { $0.contains(stack.time) }
      }
      #expect(between.count < 5)
    }

    @Test
    func `stripped code has its module and address, and a notice says how to get names`() throws {
      let recording = try Recording("chains", options: "-s")
      let functions = Set(recording.stacks.flatMap(\.names))
      let own = functions.filter { $0.hasPrefix("program+0x") }
      // Whatever is sampled in a function, it has one name: there are no more than the program has.
      #expect(own.count > Self.works.count && own.count < 30)
      #expect(recording.trace.notices.contains { "\($0)".contains("--symbols DIR") })
    }
  }
#endif
