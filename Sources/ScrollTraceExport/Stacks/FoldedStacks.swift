import ScrollTraceModel

/// Writes one line per stack, as FlameGraph and inferno read them: frames joined by `;`, and the time
/// in nanoseconds.
enum FoldedStacks {
  static func write(_ profile: StackProfile, to output: inout ExportOutput) {
    var times: [Int: Int64] = [:]
    for segment in profile.segments {
      times[segment.stack, default: 0] += segment.length.nanoseconds
    }
    var lines: [String: Int64] = [:]
    for (stack, time) in times {
      let names = profile.frames(of: stack).map { Self.name(profile.frames[$0].name) }
      lines[names.joined(separator: ";"), default: 0] += time
    }
    for (line, time) in lines.sorted(by: { $0.key < $1.key }) {
      output.append(text: "\(line) \(time)\n")
    }
  }

  /// A name without the signs that separate frames and lines.
  private static func name(_ text: String) -> String {
    let bytes = text.utf8.map { byte -> UInt8 in
      byte == UInt8(ascii: ";") ? UInt8(ascii: ":") : byte < 0x20 || byte == 0x7F ? 0x20 : byte
    }
    let name = String(decoding: bytes, as: UTF8.self)
    return name.isEmpty ? "(no name)" : name
  }
}
