#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Frames and spans as a host prints them, of any number.
enum LinesText {
  /// Writes lines of JSON: frames with twelve spans each.
  static func writeNDJSON(to path: String, frames: Int) throws {
    try write(to: path, "{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ns\"}\n", frames) {
      begin, number in
      var text = ""
      for step in 0..<12 {
        let start = begin + 100_000 + step * 700_000
        text +=
          "{\"span\":\"configure\",\"category\":\"scrolltrace.cell\",\"thread\":\"main\","
          + "\"begin\":\(start),\"end\":\(start + 600_000)}\n"
      }
      return text
        + "{\"frame\":\(number),\"begin\":\(begin),\"commitStart\":\(begin + 50_000),"
        + "\"commitEnd\":\(begin + 9_000_000),\"deadline\":\(begin + 16_666_667),"
        + "\"target\":\(begin + 33_333_334),\"presented\":\(begin + 33_333_334),"
        + "\"interval\":16666667}\n"
    }
  }

  /// Writes comma-separated values: frames, and spans in their own rows.
  static func writeCSV(to path: String, frames: Int) throws {
    let header =
      "kind,name,category,thread,begin_ns,end_ns,frame,deadline_ns,target_ns,presented_ns\n"
    try write(to: path, header, frames) { begin, number in
      var text = ""
      for step in 0..<12 {
        let start = begin + 100_000 + step * 700_000
        text += "span,configure,scrolltrace.cell,main,\(start),\(start + 600_000),,,,\n"
      }
      return text
        + "frame,,,main,\(begin),\(begin + 9_000_000),\(number),\(begin + 16_666_667),"
        + "\(begin + 33_333_334),\(begin + 33_333_334)\n"
    }
  }

  private static func write(
    to path: String, _ header: String, _ frames: Int, _ line: (Int, Int) -> String
  ) throws {
    guard let file = fopen(path, "w") else { throw ChromeJSONText.WriteError(path: path) }
    fputs(header, file)
    for number in 0..<frames { fputs(line(number * 16_666_667, number + 1), file) }
    guard ferror(file) == 0, fclose(file) == 0 else {
      throw ChromeJSONText.WriteError(path: path)
    }
  }
}
