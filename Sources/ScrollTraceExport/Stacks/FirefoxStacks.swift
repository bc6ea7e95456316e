import ScrollTraceModel

/// Writes a profile for the Firefox Profiler, in its processed format.
enum FirefoxStacks {
  /// Writes `profile` with a thread whose samples have the weight of their time.
  static func write(_ profile: StackProfile, to output: inout ExportOutput) {
    var names = Names()
    let frameNames = profile.frames.map { names.index(of: $0.name) }
    let modules = profile.frames.map { frame in frame.module.map { names.index(of: $0) } }
    output.append(
      text:
        "{\"meta\":{\"interval\":1,\"startTime\":0,\"processType\":0,\"product\":\"scrolltrace\","
        + "\"stackwalk\":1,\"debug\":false,\"version\":27,\"preprocessedProfileVersion\":48,"
        + "\"symbolicationNotSupported\":true,\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
        + "\"subcategories\":[\"Other\"]}],\"markerSchema\":[]},\"libs\":[],\"pages\":[],"
        + "\"threads\":[{\"processType\":\"default\",\"processStartupTime\":0,"
        + "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
        + "\"pausedRanges\":[],\"isMainThread\":true,\"pid\":\"0\",\"tid\":0,\"name\":")
    output.appendJSON(profile.thread)
    output.append(",\"processName\":")
    output.appendJSON(profile.title)
    let origin = profile.segments.first?.start ?? .zero
    samples(profile, from: origin, to: &output)
    tables(profile, frameNames: frameNames, modules: modules, to: &output)
    output.append(",\"stringArray\":[")
    for (index, name) in names.all.enumerated() {
      if index > 0 { output.append(",") }
      output.appendJSON(name)
    }
    output.append("]}]}\n")
  }

  private static func samples(
    _ profile: StackProfile, from origin: Timestamp, to output: inout ExportOutput
  ) {
    func list(_ name: String, _ value: (StackProfile.Segment) -> String) {
      output.append(text: "\"\(name)\":[")
      for (index, segment) in profile.segments.enumerated() {
        output.append(text: (index > 0 ? "," : "") + value(segment))
      }
      output.append("],")
    }
    output.append(",\"samples\":{\"weightType\":\"tracing-ms\",")
    list("stack") { $0.stack < 0 ? "null" : "\($0.stack)" }
    list("time") { milliseconds($0.start - origin) }
    list("weight") { milliseconds($0.length) }
    output.append(
      text:
        "\"length\":\(profile.segments.count)},\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],"
        + "\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}")
  }

  private static func tables(
    _ profile: StackProfile, frameNames: [Int], modules: [Int?], to output: inout ExportOutput
  ) {
    func table(_ name: String, _ count: Int, _ columns: [(String, (Int) -> String)]) {
      output.append(text: ",\"\(name)\":{")
      for (column, value) in columns {
        output.append(text: "\"\(column)\":[")
        for index in 0..<count { output.append(text: (index > 0 ? "," : "") + value(index)) }
        output.append("],")
      }
      output.append(text: "\"length\":\(count)}")
    }
    let (zero, null) = ({ (_: Int) in "0" }, { (_: Int) in "null" })
    let (no, none) = ({ (_: Int) in "false" }, { (_: Int) in "-1" })
    table(
      "stackTable", profile.callers.count,
      [
        ("frame", { "\(profile.leaves[$0])" }),
        ("prefix", { profile.callers[$0] < 0 ? "null" : "\(profile.callers[$0])" }),
        ("category", zero), ("subcategory", zero),
      ])
    let count = profile.frames.count
    table(
      "frameTable", count,
      [
        ("address", none), ("inlineDepth", zero), ("category", zero), ("subcategory", zero),
        ("func", { "\($0)" }), ("nativeSymbol", null), ("innerWindowID", zero),
        ("implementation", null), ("line", null), ("column", null),
      ])
    table(
      "funcTable", count,
      [
        ("isJS", no), ("relevantForJS", no), ("name", { "\(frameNames[$0])" }), ("resource", none),
        ("fileName", { modules[$0].map { "\($0)" } ?? "null" }), ("lineNumber", null),
        ("columnNumber", null),
      ])
    table("resourceTable", 0, [("lib", null), ("name", null), ("host", null), ("type", null)])
    table(
      "nativeSymbols", 0,
      [("libIndex", null), ("address", null), ("name", null), ("functionSize", null)])
  }

  /// Milliseconds with as many digits as nanoseconds need.
  private static func milliseconds(_ span: TimeSpan) -> String {
    let (whole, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(whole).\(String(1_000_000 + rest.magnitude).dropFirst())"
  }

  /// The strings of a profile, each once.
  private struct Names {
    private(set) var all: [String] = []
    private var positions: [String: Int] = [:]

    mutating func index(of name: String) -> Int {
      all.position(of: name, in: &positions, adding: name)
    }
  }
}
