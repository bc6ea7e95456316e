import ScrollTraceModel

/// Writes a profile for speedscope: the stacks one after another, so that hitches follow each other.
enum SpeedscopeStacks {
  static func write(_ profile: StackProfile, to output: inout ExportOutput) {
    let title = "\(profile.thread), \(profile.title)"
    output.append(
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"name\":")
    output.appendJSON(title)
    output.append(",\"exporter\":\"scrolltrace\",\"activeProfileIndex\":0,\"shared\":{\"frames\":[")
    for (index, frame) in profile.frames.enumerated() {
      output.append(index > 0 ? (",\n{\"name\":" as StaticString) : "\n{\"name\":")
      output.appendJSON(frame.name)
      if let module = frame.module {
        output.append(",\"file\":")
        output.appendJSON(module)
      }
      output.append("}")
    }
    output.append("]},\"profiles\":[{\"type\":\"sampled\",\"name\":")
    output.appendJSON(title)
    output.append(
      text: ",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":\(profile.length.nanoseconds),"
        + "\"samples\":[")
    for (index, segment) in profile.segments.enumerated() {
      let frames = profile.frames(of: segment.stack).map { "\($0)" }.joined(separator: ",")
      output.append(text: "\(index > 0 ? "," : "")\n[\(frames)]")
      guard !output.hasFailed else { return }
    }
    output.append("],\"weights\":[")
    for (index, segment) in profile.segments.enumerated() {
      output.append(text: "\(index > 0 ? "," : "")\(segment.length.nanoseconds)")
    }
    output.append("]}]}\n")
  }
}
