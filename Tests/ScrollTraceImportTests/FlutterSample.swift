/// A small snapshot of Flutter's DevTools.
enum FlutterSample {
  /// Half a second of a list at 60 Hz as DevTools exports it: building row 12 takes 40 ms, so that the
  /// next two refreshes have no frame, and row 24 takes 22 ms to draw.
  static var text: String {
    var (events, frames): ([String], [String]) = ([], [])
    let start = 5_000_000
    var uiFree = 0
    var rasterFree = 0
    for number in 0..<30 {
      // The second refresh behind a long build goes by without a frame.
      guard ![13, 14].contains(number) else { continue }
      let vsync = start + number * 16_667
      let build = max(vsync + 300, uiFree)
      let built = build + (number == 12 ? 40_000 : 4_000 + number % 5 * 500)
      let raster = max(built, rasterFree)
      let drawn = raster + (number == 12 ? 10_000 : number == 24 ? 22_000 : 5_000)
      (uiFree, rasterFree) = (built, drawn)
      func event(_ phase: String, _ name: String, _ time: Int, _ thread: Int, _ arguments: String) {
        events.append(
          "{\"name\":\"\(name)\",\"cat\":\"Embedder\",\"ph\":\"\(phase)\",\"pid\":9,"
            + "\"tid\":\(thread),\"ts\":\(time),\"args\":{\(arguments)}}")
      }
      let times = "\"StartTime\":\"\(vsync)000\",\"TargetTime\":\"\(vsync + 16_667)000\""
      event("B", "VsyncProcessCallback", build, 1, times)
      event("B", "Animator::BeginFrame", build, 1, "\"frame_number\":\"\(number + 1)\"")
      event("B", "BUILD", build + 100, 1, "")
      event("E", "BUILD", built - 200, 1, "")
      event("E", "Animator::BeginFrame", built, 1, "")
      event("E", "VsyncProcessCallback", built, 1, "")
      event("B", "Rasterizer::DoDraw", raster, 2, "\"frame_number\":\"\(number + 1)\"")
      event("E", "Rasterizer::DoDraw", drawn, 2, "")
      frames.append(
        "{\"number\":\(number + 1),\"startTime\":\(build),\"elapsed\":\(drawn - vsync),"
          + "\"build\":\(built - build),\"raster\":\(drawn - raster),"
          + "\"vsyncOverhead\":\(build - vsync)}")
    }
    events.append(
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":9,\"tid\":1,"
        + "\"args\":{\"name\":\"Feed\"}}")
    for (thread, name) in [(1, "1.ui"), (2, "1.raster")] {
      events.append(
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":9,\"tid\":\(thread),"
          + "\"args\":{\"name\":\"\(name)\"}}")
    }
    return "{\"devToolsSnapshot\":true,\"activeScreenId\":\"performance\",\n\"traceEvents\":[\n"
      + events.joined(separator: ",\n") + "],\n\"performance\":{\"flutterFrames\":[\n"
      + frames.joined(separator: ",\n") + "],\n\"displayRefreshRate\":60}}\n"
  }
}
