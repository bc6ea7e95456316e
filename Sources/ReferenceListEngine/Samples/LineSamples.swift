/// Small traces as a host prints them that only knows how to print lines.
enum LineSamples {
  /// One second of frames at 60 Hz in microseconds; every twentieth has 27 ms of work.
  private static let frames = (0..<60).map { index in
    let begin = index * 16_667
    return (number: index + 1, begin: begin, work: index % 20 == 13 ? 27_000 : 9_000)
  }

  /// Lines of JSON, with spans and an interaction.
  static var ndjson: String {
    var lines = [
      #"{"scrolltrace":"ndjson/1","unit":"us"}"#,
      #"{"interaction":"drag","begin":0,"end":1000000}"#,
    ]
    for frame in frames {
      let target = frame.begin + 33_334
      let presented = target + (frame.work > 16_667 ? 16_667 : 0)
      lines.append(
        #"{"span":"layout","category":"scrolltrace.phase","begin":\#(frame.begin + 100),"#
          + #""duration":\#(frame.work - 200).5,"item":\#(frame.number)}"#)
      lines.append(
        #"{"frame":\#(frame.number),"begin":\#(frame.begin),"commitStart":\#(frame.begin + 50),"#
          + #""commitEnd":\#(frame.begin + frame.work),"deadline":\#(frame.begin + 16_667),"#
          + #""target":\#(target),"presented":\#(presented),"interval":16667}"#)
      lines.append(
        #"{"span":"load","thread":"loader","category":"scrolltrace.data","#
          + #""begin":\#(frame.begin + 500),"end":\#(frame.begin + 9_000)}"#)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Comma-separated values of the same frames, with deadlines alone.
  static var csv: String {
    let rows = frames.map { frame in
      "\(frame.number),\(frame.begin),\(frame.work),\(frame.begin + 16_667),16667"
    }
    return (["frame,begin_us,duration_us,deadline_us,interval_us"] + rows)
      .joined(separator: "\n") + "\n"
  }
}
