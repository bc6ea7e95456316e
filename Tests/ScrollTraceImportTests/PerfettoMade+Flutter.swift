extension PerfettoMade {
  /// One frame of Flutter, as a timeline that the Dart VM writes.
  static var flutter: [UInt8] {
    func thread(_ number: UInt64) -> Packet {
      { packet in
        packet.message(60) {
          $0.number(1, number)
          $0.message(4) {
            $0.number(1, UInt64(1))
            $0.number(2, number)
          }
        }
      }
    }
    func begin(
      _ name: String, _ thread: UInt64, at time: UInt64, _ arguments: [(String, String)]
    ) -> Packet {
      event(1, at: time) { event in
        event.number(11, thread)
        event.text(23, name)
        for (name, value) in arguments {
          event.message(4) {
            $0.text(10, name)
            $0.text(6, value)
          }
        }
      }
    }
    func end(_ thread: UInt64, at time: UInt64) -> Packet {
      event(2, at: time) { $0.number(11, thread) }
    }
    return bytes([
      thread(5), thread(6),
      begin(
        "VsyncProcessCallback", 5, at: 1_000_200_000,
        [("StartTime", "1000000500"), ("TargetTime", "1016667166")]),
      begin("Animator::BeginFrame", 5, at: 1_000_310_000, [("frame_number", "7")]),
      end(5, at: 1_005_300_000), end(5, at: 1_005_310_000),
      begin("Rasterizer::DoDraw", 6, at: 1_011_300_000, [("frame_number", "7")]),
      end(6, at: 1_020_300_000),
    ])
  }
}
