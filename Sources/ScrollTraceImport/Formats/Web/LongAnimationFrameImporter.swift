package import ScrollTraceModel

/// Reads a web page's long animation frames: `PerformanceLongAnimationFrameTiming.toJSON()`, as an
/// array or one after another.
///
/// The article *Frames of web pages and apps in the field* of this module describes the mapping.
package struct LongAnimationFrameImporter: TraceImporter, JSONTextReader {
  package static let name = "long-animation-frames"

  package static let fileEndings = ["json", "ndjson"]

  /// Creates an importer; memory grows only with the data, so no option applies.
  package init(options: ImportOptions) {}

  /// Returns whether the text is an object, or an array of objects, with the type of such an entry.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let answer = JSONSniff.sniff(prefix, of: ["\"long-animation-frame\""], allowsArray: true)
    guard case .yes = answer else { return answer }
    return JSONSniff.contains("\"entryType\"", prefix) ? .yes : .needMoreBytes
  }

  private static let surface = "page"

  private var frames: [LongAnimationFrame] = []
  private var otherCount = 0
  private var invalidCount: UInt64 = 0

  package static let parts = "frames"

  package var isEmpty: Bool { frames.isEmpty }

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    repeat {
      try scanner.passOneOrMany { (scanner) throws(ScanFault) in
        try scanner.passView { readEntry($0) }
      }
    } while try scanner.peek() != 0
  }

  private mutating func readEntry(_ view: JSONView) {
    guard let type = view.member("entryType"), type.isText("long-animation-frame") else {
      return otherCount += 1
    }
    guard let frame = LongAnimationFrame(view) else { return invalidCount += 1 }
    frames.append(frame)
  }

  // MARK: - The end

  package mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard !frames.isEmpty else { throw ImportError("the text contains no long animation frame") }
    frames.sort { $0.range.start < $1.range.start }
    let work = LongAnimationFrameWork(in: &builder)
    // Shorter frames are not listed: without them, these are not the frames of a surface.
    builder.setBasis(.aggregate, of: builder.surface(Self.surface))
    for frame in frames { work.add(frame, to: &builder) }
    addNumbers(to: &builder)
    builder.source.hasKnownLength = false
    builder.addNotice(
      .source(
        "browsers list frames that take 50 ms or more, and no others: how many frames the page made,"
          + " and whether they were late, is unknown"))
    if otherCount > 0 {
      builder.addNotice(.source("entries of other types, omitted: \(otherCount)"))
    }
    builder.countLoss(.invalidValue, count: frames.reduce(invalidCount) { $0 + $1.invalidCount })
  }

  private func addNumbers(to builder: inout TraceBuilder) {
    var numbers = ResultNumbers()
    func add(_ name: String, _ values: [TimeSpan?]) {
      let known = values.compactMap { $0 }
      guard !known.isEmpty else { return }
      let sum = known.reduce(0.0) { $0 + $1.milliseconds }
      numbers.add(name, "ms", sum, of: Self.surface)
    }
    numbers.add("longFrames", "frames", Double(frames.count), of: Self.surface)
    let input = frames.count { $0.firstInput != nil }
    numbers.add("longFramesWithInput", "frames", Double(input), of: Self.surface)
    let longest = frames.map(\.range.length).max()
    numbers.add("longestFrame", "ms", longest?.milliseconds, of: Self.surface)
    add("longFrameTime", frames.map(\.range.length))
    add("blockingDuration", frames.map(\.blocking))
    let scripts = frames.flatMap(\.scripts)
    add("scriptDuration", scripts.map(\.range.length))
    add("forcedStyleAndLayoutDuration", scripts.map(\.forcedLayout))
    add("scriptPauseDuration", scripts.map(\.pause))
    numbers.finish(in: &builder)
  }
}

/// The work of long frames, on the main thread of one page.
private struct LongAnimationFrameWork {
  private let track: TrackID
  private let frame: LabelID
  private let render: LabelID
  private let layout: LabelID
  private let compile: LabelID
  private let input: LabelID
  private let keys:
    (
      url: StringID, function: StringID, kind: StringID, forced: StringID,
      presented: StringID, blocking: StringID
    )

  init(in builder: inout TraceBuilder) {
    let page = builder.process(1)
    builder.setName("page", of: page)
    builder.setHost(page)
    track = builder.track(1, of: page)
    builder.setName("main", of: track)
    builder.setMain(track)
    frame = builder.label(category: "rendering", name: "long animation frame")
    render = builder.label(category: "rendering", name: "render")
    layout = builder.label(category: "rendering", name: "style and layout")
    compile = builder.label(category: "script", name: "compile")
    input = builder.label(category: "input", name: "first event")
    keys = (
      builder.string("url"), builder.string("function"), builder.string("invokerType"),
      builder.string("forcedStyleAndLayoutNs"), builder.string("presentedNs"),
      builder.string("blockingNs")
    )
  }

  func add(_ frame: LongAnimationFrame, to builder: inout TraceBuilder) {
    var times: [Argument] = []
    if let presented = frame.presented {
      times.append(Argument(key: keys.presented, value: .integer(presented.nanoseconds)))
    }
    if let blocking = frame.blocking {
      times.append(Argument(key: keys.blocking, value: .integer(blocking.nanoseconds)))
    }
    // Between its tasks, the thread can be idle: this is not its work.
    builder.addAsyncSpan(
      on: track, from: frame.range.start, to: frame.range.end, label: self.frame,
      arguments: builder.argumentList(times))
    if let start = frame.renderStart {
      builder.addSpan(on: track, from: start, to: frame.range.end, label: render)
    }
    if let start = frame.styleAndLayoutStart {
      builder.addSpan(on: track, from: start, to: frame.range.end, label: layout)
    }
    if let time = frame.firstInput { builder.addMark(on: track, at: time, label: input) }
    for script in frame.scripts {
      var arguments: [Argument] = []
      func add(_ key: StringID, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        arguments.append(Argument(key: key, value: .string(builder.string(text))))
      }
      add(keys.url, script.url)
      add(keys.function, script.function)
      add(keys.kind, script.kind)
      if let forced = script.forcedLayout, forced > .zero {
        arguments.append(Argument(key: keys.forced, value: .integer(forced.nanoseconds)))
      }
      builder.addSpan(
        on: track, from: script.range.start, to: script.range.end,
        label: builder.label(category: "script", name: script.name),
        arguments: builder.argumentList(arguments))
      if let start = script.executionStart, start > script.range.start {
        builder.addSpan(on: track, from: script.range.start, to: start, label: compile)
      }
    }
  }
}
