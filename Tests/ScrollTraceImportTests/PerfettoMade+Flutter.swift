extension PerfettoMade {
  /// One frame of Flutter, as a timeline that the Dart VM writes.
  static var flutter: [UInt8] {
    func begin(
      _ name: String, _ thread: Int, at time: Int, _ arguments: (name: String, value: String)...
    ) -> Proto {
      let arguments = arguments.map { argument -> Proto.Content in
        [10: .text(argument.name), 6: .text(argument.value)]
      }
      return event(1, at: time, [11: .number(thread), 23: .text(name), 4: .repeated(arguments)])
    }
    return bytes([
      thread(5, process: 1, 5), thread(6, process: 1, 6),
      begin(
        "VsyncProcessCallback", 5, at: 1_000_200_000, ("StartTime", "1000000500"),
        ("TargetTime", "1016667166")),
      begin("Animator::BeginFrame", 5, at: 1_000_310_000, ("frame_number", "7")),
      event(2, at: 1_005_300_000, [11: 5]), event(2, at: 1_005_310_000, [11: 5]),
      begin("Rasterizer::DoDraw", 6, at: 1_011_300_000, ("frame_number", "7")),
      event(2, at: 1_020_300_000, [11: 6]),
    ])
  }
}
