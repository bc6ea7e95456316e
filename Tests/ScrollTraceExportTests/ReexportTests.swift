import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What importers read is the same after it was written and read again, in the formats that hold it.
struct ReexportTests {
  private typealias Kind = ExportOmissions.Kind

  /// What lines of JSON omit of the samples.
  private static let omittedByLines: [Kind] = [
    .asyncSpan, .flowPoint, .thread, .threadTime, .threadState, .stackSample, .changedName, .loss,
    .notice,
  ]

  /// What Perfetto's packets omit of the samples, or hold as spans.
  private static let omittedByPackets: [Kind] = [
    .refreshInterval, .listedHitch, .surfaceProperty, .crossingSpan, .stackSample, .threadTime,
    .changedName, .loss, .notice,
  ]

  @Test func `lines hold frames, interactions, states and listed hitches`() async {
    await forEachCase(of: SampleFiles.some) { try checkLines($0) }
  }

  @Test
  func `packets hold frames, interactions, states, flows, asynchronous spans and thread states`()
    async
  {
    await forEachCase(of: SampleFiles.some, checkPackets)
  }

  @Test(.needsExtraCases) func `lines hold those of real traces`() async {
    // Lines hold the work of the host's process only.
    await forEachCase(of: SampleFiles.extra) {
      try checkLines($0, omitting: [.span, .openSpan, .mark])
    }
  }

  @Test func `a surface whose frames were presented stays one in lines (M-24)`() throws {
    var builder = TraceBuilder(format: "drawn")
    for name in ["page", "screen"] {
      builder.updateFrame(1, of: builder.surface(name), start: .zero)
    }
    let screen = builder.surface("screen")
    builder[screen].isDisplayStream = true
    let copy = try builder.finish().copied(as: .ndjson).copy
    #expect(copy.surfaces.map(\.name) == ["page", "screen"])
    #expect(copy.surfaces.map(\.isDisplayStream) == [false, true])
  }

  @Test(arguments: ["perfetto", "chrome-json"])
  func `surfaces keep their basis and the accuracy of their times in a copy (M-2)`(
    format: String
  ) throws {
    let exporter = try #require(TraceFormat.named(format))
    for name in ["Foreign/chrome-scroll.json", "feed-commit-hitches.fxt"] {
      let trace = try SampleFiles.trace(name)
      let (copy, omissions) = try trace.copied(as: exporter)
      #expect(copy.surfaceLines == trace.surfaceLines)
      #expect(omissions[.surfaceProperty] == 0)
    }
  }

  @Test(arguments: ["perfetto", "chrome-json"])
  func `a surface whose hitches the copy lacks is evaluated by its frames there`(
    format: String
  ) throws {
    let exporter = try #require(TraceFormat.named(format))
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("list")
    builder.setBasis(.hitchList, of: surface)
    builder.updateFrame(1, of: surface, start: .zero)
    let (copy, omissions) = try builder.finish().copied(as: exporter)
    #expect(copy.surfaces.map(\.basis) == [.cadence])
    #expect(omissions[.surfaceProperty] == 1)
  }

  @Test func `frame numbers from 2^63 on survive in every format`() throws {
    var builder = TraceBuilder(format: "drawn")
    let track = builder.track(1, of: builder.process(1))
    let surface = builder.surface("list")
    let numbers: [UInt64] = [1 << 63 - 1, 1 << 63, .max]
    for (index, number) in numbers.enumerated() {
      builder.updateFrame(
        number, of: surface, start: Timestamp(clamping: Int64(index) * 16_000_000),
        deadline: Timestamp(clamping: Int64(index + 1) * 16_000_000), track: track)
    }
    let trace = builder.finish()
    for type in TraceFormat.all {
      let copy = try trace.copied(as: type).copy
      #expect(copy.surfaces.flatMap { $0.frames.map(\.id) } == numbers, "\(type.name)")
    }
  }

  @Test(arguments: ["perfetto", "chrome-json"])
  func `spans that overlap others of their thread are its work in a copy, too`(
    format: String
  ) throws {
    let exporter = try #require(TraceFormat.named(format))
    var builder = TraceBuilder(format: "drawn")
    let track = builder.track(2, of: builder.process(1))
    builder.setName("CrGpuMain", of: track)
    let list = builder.argumentList([Argument(key: builder.string("item"), value: .unsigned(7))])
    // GPUTask   [0        10)
    // GPUTask        [5        15)
    // Swap                 [12      20)
    // Commit                     [18      30)
    let spans: [(category: String, name: String, start: Int64, end: Int64)] = [
      ("gpu", "GPUTask", 0, 10), ("gpu", "GPUTask", 5, 15), ("cc,benchmark", "Swap", 12, 20),
      ("", "Commit", 18, 30),
    ]
    for span in spans {
      builder.addSpan(
        on: track, from: Timestamp(clamping: span.start), to: Timestamp(clamping: span.end),
        label: builder.label(category: span.category, name: span.name), arguments: list)
    }
    let trace = builder.finish()
    let (copy, omissions) = try trace.copied(as: exporter)
    #expect(omissions[.crossingSpan] == 2)
    #expect(copy.work == trace.work)
    #expect(copy.asyncSpans.isEmpty)
    let overlapping = copy.tracks.flatMap { $0.spans }.filter { $0.range.start.nanoseconds == 5 }
    #expect(overlapping.map { copy.arguments[$0.arguments].map(\.value) } == [[.unsigned(7)]])
  }

  @Test(arguments: ["perfetto", "chrome-json"])
  func `the items of a page's measures survive in a copy`(format: String) throws {
    let exporter = try #require(TraceFormat.named(format))
    let trace = try SampleFiles.trace("Foreign/chrome-scroll.json")
    let copy = try trace.copied(as: exporter).copy
    let items = [trace, copy].map { (trace: Trace) -> [String] in
      let rows = trace.tracks.flatMap { $0.spans }.filter { trace.name(of: $0.label) == "row" }
      return rows.map { (row: WorkSpan) -> String in
        "\(row.range.start.nanoseconds) \(trace.arguments[row.arguments].map(\.value))"
      }
    }
    #expect(items[0] == items[1])
    #expect(items[0].count == 30 && items[0].allSatisfy { $0.contains("integer") })
  }

  @Sendable private func checkLines(_ name: String, omitting others: [Kind] = []) throws {
    let trace = try SampleFiles.trace(name)
    let (bytes, omissions) = trace.exported(as: .ndjson)
    check(omissions, Self.omittedByLines + others, name)
    let copy = try TraceFile.read(bytes)
    #expect(firstDifference(trace.frameLines, copy.frameLines) == nil, "\(name)")
    #expect(firstDifference(trace.motionLines, copy.motionLines) == nil, "\(name)")
    // The first copy has its arguments in the reader's order. Copies of it are the same file.
    let second = copy.exported(as: .ndjson).bytes
    let third = try TraceFile.read(second).exported(as: .ndjson).bytes
    let isSame = second == third
    #expect(isSame, "\(name)")
  }

  @Sendable private func checkPackets(_ name: String) throws {
    let trace = try SampleFiles.trace(name)
    let (bytes, omissions) = trace.exported(as: .perfetto)
    // Where no core is known, states are spans.
    let hasCores = omissions[.threadState] == 0
    check(omissions, Self.omittedByPackets + (hasCores ? [] : [.threadState]), name)
    guard let copy = try? TraceFile.read(bytes) else {
      return #expect(bytes.isEmpty, "\(name)")
    }
    #expect(firstDifference(trace.framesBySurface, copy.framesBySurface) == nil, "\(name)")
    #expect(firstDifference(trace.motionLines, copy.motionLines) == nil, "\(name)")
    #expect(firstDifference(trace.flowLines, copy.flowLines) == nil, "\(name)")
    let copied = Set(copy.asyncWork)
    #expect(trace.asyncWork.allSatisfy(copied.contains), "\(name)")
    guard hasCores else { return }
    for track in trace.tracks where !track.threadStates.isEmpty {
      #expect(copy.states(of: track.systemID) == trace.states(of: track.systemID), "\(name)")
    }
  }

  private func check(_ omissions: ExportOmissions, _ allowed: [Kind], _ name: String) {
    for kind in Kind.allCases where !allowed.contains(kind) {
      #expect(omissions[kind] == 0, "\(name): \(omissions.text)")
    }
  }
}

extension Trace {
  private func lines(of frames: FrameColumns) -> [String] {
    frames.map { frame in
      let times = [
        frame.start, frame.commitStart, frame.commitEnd, frame.deadline, frame.target,
        frame.presented,
      ].map { $0.map { "\($0.nanoseconds)" } ?? "-" }
      return "\(frame.id) \(times) \(frame.refreshInterval?.nanoseconds ?? 0)"
        + " \(frame.outcome) \(frame.wasOnTime) \(frame.sourceLabel.map { strings[$0] } ?? "")"
    }
  }

  /// The frames with the names of their surfaces, sorted.
  var framesBySurface: [String] {
    surfaces.flatMap { surface in lines(of: surface.frames).map { "\(surface.name) \($0)" } }
      .sorted()
  }

  /// The frames and the hitches that the source lists, surface by surface.
  var frameLines: [String] {
    surfaces.flatMap { surface in
      let frames = lines(of: surface.frames)
      let hitches = surface.listedHitches.map { hitch in
        "hitch \(hitch.start.nanoseconds) \(hitch.length.nanoseconds)"
          + " \(hitch.refreshInterval?.nanoseconds ?? 0)"
          + " \(hitch.sourceLabel.map { strings[$0] } ?? "")"
      }
      return ["\(surface.name) \(surface.basis)"] + frames + hitches
    }
  }

  /// The surfaces with what is said of their frames as a whole.
  fileprivate var surfaceLines: [String] {
    surfaces.map { surface in
      let tolerance = surface.presentationTolerance.nanoseconds
      return "\(surface.name) \(surface.basis) \(tolerance) \(surface.timesLieOnRefreshGrid)"
        + " \(surface.numbersEveryFrame) \(surface.isDisplayStream) \(surface.derivesRefreshInterval)"
    }
  }

  /// The interactions and the changes of states.
  fileprivate var motionLines: [String] {
    interactions.map { interaction in
      "\(interaction.kind) \(interaction.name) \(interaction.start.nanoseconds)"
        + " \(interaction.end?.nanoseconds ?? -1)"
        + " \(interaction.surface.map { surfaces[$0.index].name } ?? "")"
    } + states.map { "\($0.time.nanoseconds) \($0.key) \($0.value ?? "-")" }
  }

  /// The points of flows.
  fileprivate var flowLines: [String] {
    flows.map { "\($0.time.nanoseconds) \(name(of: $0.label)) \($0.id) \($0.kind)" }.sorted()
  }
}
