import ScrollTraceModel

/// A line that Android's libraries write into the kernel's trace buffer: a letter, and its fields
/// separated by bars.
struct PerfettoLine {
  typealias Text = Slice<UnsafeRawBufferPointer>

  enum Reading {
    case line(PerfettoLine)
    /// Not one of these lines.
    case none
    /// One of these lines, but unusable.
    case loss(Loss.Reason)
  }

  let kind: PerfettoEvents.Kind
  /// The process in the line.
  let process: UInt64?
  let name: Text
  /// The key shared by the start and the end of asynchronous work, or the value of a counter.
  private(set) var number: Int64?
  /// The track of the process for the work.
  private(set) var lane: Text?

  /// Returns the line in `text`, without its terminating byte.
  static func read(_ text: Text) -> Reading {
    readWork(text).map(Reading.line) ?? readAny(text)
  }

  /// Returns the line in `text` if it is the usual start or end of work.
  private static func readWork(_ text: Text) -> PerfettoLine? {
    let bar = UInt8(ascii: "|")
    let nothing = text[text.endIndex...]
    guard let phase = text.first, phase == UInt8(ascii: "B") || phase == UInt8(ascii: "E"),
      text.count > 2, text[text.startIndex + 1] == bar
    else { return nil }
    let rest = text[(text.startIndex + 2)...]
    let end = rest.firstIndex(of: bar)
    let process = number(rest[..<(end ?? rest.endIndex)]).flatMap(UInt64.init(exactly:))
    if phase == UInt8(ascii: "E") {
      return PerfettoLine(kind: .lineEnd, process: process, name: nothing)
    }
    return end.map { PerfettoLine(kind: .lineBegin, process: process, name: rest[($0 + 1)...]) }
  }

  private static func readAny(_ text: Text) -> Reading {
    let parts = text.split(
      separator: UInt8(ascii: "|"), maxSplits: 4, omittingEmptySubsequences: false)
    guard let letter = parts.first, letter.count == 1, let phase = letter.first else {
      return .none
    }
    let process = parts.count > 1 ? number(parts[1]).flatMap(UInt64.init(exactly:)) : nil
    let nothing = text[text.endIndex...]
    var line: PerfettoLine
    switch (phase, parts.count) {
    case (UInt8(ascii: "E"), _):
      return .line(PerfettoLine(kind: .lineEnd, process: process, name: nothing))
    case (UInt8(ascii: "B"), 3...), (UInt8(ascii: "I"), 3...), (UInt8(ascii: "N"), 4...):
      // A name can contain bars itself.
      let name = parts[phase == UInt8(ascii: "N") ? 3 : 2].startIndex
      let kind = phase == UInt8(ascii: "B") ? PerfettoEvents.Kind.lineBegin : .instant
      return .line(PerfettoLine(kind: kind, process: process, name: text[name...]))
    case (UInt8(ascii: "S"), 4...), (UInt8(ascii: "F"), 4...), (UInt8(ascii: "C"), 4...):
      let kind =
        phase == UInt8(ascii: "C")
        ? PerfettoEvents.Kind.sample : phase == UInt8(ascii: "S") ? .asyncBegin : .asyncEnd
      line = PerfettoLine(kind: kind, process: process, name: parts[2])
      line.number = number(parts[3])
    case (UInt8(ascii: "G"), 5):
      line = PerfettoLine(kind: .start, process: process, name: parts[3])
      (line.lane, line.number) = (parts[2], number(parts[4]))
    case (UInt8(ascii: "H"), 4), (UInt8(ascii: "H"), 5):
      line = PerfettoLine(kind: .end, process: process, name: nothing)
      (line.lane, line.number) = (parts[2], number(parts[parts.count - 1]))
    default: return .loss(.unknownRecord)
    }
    return line.number == nil ? .loss(.invalidValue) : .line(line)
  }

  /// The names of Android's own work that end in the number of its frame.
  private static let numberedNames: [StaticString] = [
    "Choreographer#doFrame", "DrawFrames", "DrawFrame", "FrameDisplayed", "commit", "composite",
    "onMessageInvalidate", "onMessageRefresh", "GPU completion fence",
    "Trace GPU completion fence", "waiting for GPU completion", "HWC release fence",
    "Trace HWC release fence", "waiting for HWC release", "presentFence fence",
    "Trace presentFence fence", "waiting for presentFence",
  ]

  /// The text after the name of a delayed frame callback.
  private static let resynced: StaticString = "Choreographer#doFrame - resynced to "

  /// The name without the number of the frame, so that the work of all frames has one name. It
  /// applies only to Android's own names, in which the meaning of the number is known.
  var commonName: Text {
    guard kind != .sample, let last = name.last else { return name }
    let whole = UnsafeRawBufferPointer(rebasing: name)
    if whole.hasPrefix(Self.resynced) {
      return name.prefix(Self.resynced.utf8CodeUnitCount - " to ".utf8.count)
    }
    guard last.isDigit,
      let space = name.lastIndex(of: UInt8(ascii: " ")),
      name[(space + 1)...].allSatisfy(\.isDigit)
    else { return name }
    let stem = UnsafeRawBufferPointer(rebasing: name[..<space])
    return Self.numberedNames.contains(where: stem.hasBytes) ? name[..<space] : name
  }

  private static func number(_ text: Text) -> Int64? {
    JSONNumber.integer(UnsafeRawBufferPointer(rebasing: text))
  }
}
