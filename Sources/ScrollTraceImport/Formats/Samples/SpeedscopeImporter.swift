package import ScrollTraceModel

/// Reads sampled profiles in speedscope's file format: stacks with weights.
package struct SpeedscopeImporter: TraceImporter, JSONTextReader {
  /// `speedscope`
  package static let name = "speedscope"

  /// `speedscope.json`
  package static let fileEndings = ["speedscope.json"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the text is an object that names speedscope's schema.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    JSONSniff.sniff(
      prefix,
      of: [
        "\"https://www.speedscope.app/file-format-schema.json\"",
        "\"https:\\/\\/www.speedscope.app\\/file-format-schema.json\"",
      ])
  }

  private struct Profile {
    var name = ""
    var unit = ""
    var start: Double = 0
    var isSampled = false
    var stacks: [StackID] = []
    var weights: [Double] = []
  }

  private var profiles: [Profile] = []
  private var frames: [(name: StringID, place: StringID)] = []
  /// The stacks as the numbers of frames: their names may come later.
  private var rawStacks = StackTree()
  private var otherCount = 0

  package static let parts = "profiles"

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "shared":
        try scanner.passMembers { (name, scanner) throws(ScanFault) in
          guard name == "frames" else {
            _ = try scanner.passValue()
            return
          }
          try scanner.passElements { (scanner) throws(ScanFault) in
            try scanner.passView { addFrame($0, in: &builder) }
          }
        }
      case "profiles":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try readProfile(&scanner, &builder)
        }
      default: _ = try scanner.passValue()
      }
    }
  }

  private mutating func addFrame(_ view: JSONView, in builder: inout TraceBuilder) {
    let name = view.member("name")?.text ?? ""
    let file = view.member("file")?.text ?? ""
    frames.append(
      (
        builder.string(name.isEmpty ? "[unknown]" : name),
        builder.string(SamplePlace.lastPart(of: file))
      ))
  }

  private mutating func readProfile(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    var profile = Profile()
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "type": profile.isSampled = try scanner.passView { $0.isText("sampled") }
      case "name": profile.name = try scanner.passText() ?? ""
      case "unit": profile.unit = try scanner.passText() ?? ""
      case "startValue": profile.start = try scanner.passView { $0.double } ?? 0
      case "samples":
        try scanner.passElements { (scanner) throws(ScanFault) in
          let found = try scanner.passView { self.stack($0, in: &builder) }
          guard profile.stacks.count < TraceBuilder.sampleLimit else {
            return builder.countLoss(.limitReached)
          }
          profile.stacks.append(found)
        }
      case "weights": profile.weights = try scanner.passNumbers().values
      default: _ = try scanner.passValue()
      }
    }
    if profile.isSampled { profiles.append(profile) } else { otherCount += 1 }
  }

  private mutating func stack(_ view: JSONView, in builder: inout TraceBuilder) -> StackID {
    var stack = StackID?.some(.empty)
    view.forEachElement { frame in
      guard let caller = stack, let number = frame.integer.flatMap(UInt32.init(exactly:)) else {
        return stack = nil
      }
      let function = SampledFunction(name: StringID(rawValue: number), place: .empty)
      stack = rawStacks.stack(of: rawStacks.id(of: function), calledBy: caller)
    }
    if stack == nil { builder.countLoss(.limitReached) }
    return stack ?? .empty
  }

  package var isEmpty: Bool { profiles.isEmpty }

  package mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard !profiles.isEmpty else {
      throw ImportError(
        "holds no sampled profile", advice: "export one with samples, not with events")
    }
    if otherCount > 0 {
      builder.addNotice(.source("profiles of events, which are not read: \(otherCount)"))
    }
    var stacks: [StackID] = []
    for position in 0..<rawStacks.count {
      let raw = StackID(rawValue: Int32(truncatingIfNeeded: position))
      let number = Int(rawStacks.function(of: raw).name.rawValue)
      let caller = rawStacks.caller(of: raw)
      let frame =
        number < frames.count ? frames[number] : (builder.string("[unknown]"), StringID.empty)
      let above = caller == .empty ? .empty : stacks[Int(caller.rawValue)]
      let function = builder.sampledFunction(frame.0, in: frame.1)
      stacks.append(builder.stack(of: function, calledBy: above) ?? .empty)
    }
    for (index, profile) in profiles.enumerated() {
      add(profile, number: UInt64(index), stacks, to: &builder)
    }
  }

  /// Adds the samples of a profile: each begins where the weights of those before it end.
  private func add(
    _ profile: Profile, number: UInt64, _ stacks: [StackID], to builder: inout TraceBuilder
  ) {
    let track = builder.track(number, of: builder.process(0))
    builder.setName(profile.name, of: track)
    let nanoseconds: Double? =
      switch profile.unit {
      case "seconds": 1_000_000_000
      case "milliseconds": 1_000_000
      case "microseconds": 1000
      case "nanoseconds": 1
      default: nil
      }
    if nanoseconds == nil {
      builder.addNotice(.source("the weights of \(profile.name) are no times"))
    }
    // Whole weights stay what they are.
    let isWhole = profile.weights.allSatisfy { Int64(exactly: $0) != nil }
    let unit = isWhole || nanoseconds == nil ? profile.unit : "nanoseconds"
    let series = builder.sampleSeries(
      of: track, weightUnit: builder.string(unit), reach: .middle)
    builder.reportUnpaired(samples: profile.stacks.count, times: profile.weights.count)
    var now = profile.start * (nanoseconds ?? 1)
    for (stack, weight) in zip(profile.stacks, profile.weights) {
      let length = weight * (nanoseconds ?? 1)
      // A sample lies in the middle of its weight.
      guard
        let time = Int64(exactly: (now + length / 2).rounded()).flatMap(
          Timestamp.init(nanoseconds:)),
        let weight = Int64(exactly: (isWhole ? weight : length).rounded())
      else {
        builder.countLoss(.timeOutOfRange)
        continue
      }
      now += length
      builder.addSample(
        of: stack == .empty ? .empty : stacks[Int(stack.rawValue)], at: time, weight: weight,
        to: series)
    }
  }
}
