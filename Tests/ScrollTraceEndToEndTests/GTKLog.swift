import Foundation

/// Writes a log as a GTK program would, of a list that binds one row in each frame.
///
/// 60 Hz, one second in motion. A bind takes 0.2 ms, in a slow frame 60 ms, after which the frame
/// clock goes on at the next refresh.
enum GTKLog {
  private static let interval = 16_667

  static func text(slowFrames: Set<Int>) -> String {
    var lines = [#"{"ev":"header","mode":"test","main_tid":7}"#]
    var refresh = 60
    for frame in 0..<40 {
      let begin = 5_000_000 + refresh * interval
      let bindEnd = begin + 300 + (slowFrames.contains(frame) ? 60_000 : 200)
      if frame == 5 { lines.append(#"{"ev":"scroll_begin","leg":1,"t":\#(begin + 40)}"#) }
      if frame == 35 { lines.append(#"{"ev":"scroll_end","leg":1,"t":\#(begin + 40)}"#) }
      lines.append(
        #"{"ev":"bind","frame":\#(frame),"pos":\#(frame),"t0":\#(begin + 300),"t1":\#(bindEnd),"tid":7}"#
      )
      lines.append(
        #"{"ev":"frame","frame":\#(frame),"frame_time":\#(begin - 90),"before_paint":\#(begin + 10),"#
          + #""update":\#(begin + 20),"layout":\#(begin + 200),"paint":\#(bindEnd + 100),"#
          + #""after_paint":\#(bindEnd + 300),"refresh_info_interval":\#(interval),"tid":7}"#)
      // The timings of a frame come later; this display does not tell when it was shown.
      lines.append(
        #"{"ev":"timings","frame":\#(frame),"frame_time":\#(begin),"presentation":0,"#
          + #""predicted":\#(begin + interval),"refresh_interval":0}"#)
      refresh += 1 + (bindEnd - begin) / interval
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
