/// Writes a small trace in the shape of Perfetto's: half a second of an Android app at 60 Hz.
///
/// 29 frames of an app called Feed. The main thread binds rows for 27 ms in one and for 44 ms in
/// another, which are late; a third misses its deadline and is shown in time all the same; a fourth is
/// thrown away. The compositor is late once by itself.
struct PerfettoSample {
  static let refresh: Int64 = 16_666_667
  static let app: UInt64 = 4242
  static let compositor: UInt64 = 512

  private static let start: Int64 = 1_000_000_000

  private var packets = ProtoWriter()
  private var cookie: Int64 = 0

  static func whole() -> [UInt8] {
    var sample = PerfettoSample()
    sample.addProcesses()
    // While the main thread was busy for two refreshes, one frame was not even begun.
    for number in 0..<30 as Range<Int64> where number != 18 { sample.addFrame(number) }
    return sample.packets.bytes
  }

  private mutating func addProcesses() {
    packets.message(1) { packet in
      packet.number(8, UInt64(Self.start))
      packet.message(2) { tree in
        tree.message(1) {
          $0.number(1, Self.compositor)
          $0.text(3, "/system/bin/surfaceflinger")
        }
        tree.message(1) {
          $0.number(1, Self.app)
          $0.text(3, "com.example.feed")
        }
        tree.message(2) {
          $0.number(1, Self.app + 17)
          $0.text(2, "RenderThread")
          $0.number(3, Self.app)
        }
      }
    }
  }

  /// When in its refresh the app begins and ends a frame, and what Android says of it.
  ///
  /// A frame that follows a late one begins when the main thread is free again.
  private static func work(
    _ number: Int64
  ) -> (start: Int64, end: Int64, jank: UInt64, presentation: UInt64) {
    switch number {
    case 9: (200_000, 30_000_000, 64, 2)
    case 10: (10_600_000, 16_000_000, 1, 1)
    case 13: (200_000, 17_200_000, 1, 1)
    case 17: (200_000, 47_000_000, 64, 2)
    case 19: (10_900_000, 16_100_000, 1, 1)
    case 23: (200_000, 9_000_000, 1024, 4)
    case 26: (200_000, 10_000_000, 16, 2)
    default: (200_000, 9_000_000 + number % 4 * 500_000, 1, 1)
    }
  }

  private mutating func addFrame(_ number: Int64) {
    let due = Self.start + number * Self.refresh
    let (first, last, jank, presentation) = Self.work(number)
    let (begin, done) = (due + first, due + last)
    let token = 100 + number
    frame(3, from: due, to: due + Self.refresh) {
      $0.number(2, token)
      $0.number(3, token + 1000)
      $0.number(4, Self.app)
      $0.text(5, "TX - com.example.feed/com.example.feed.MainActivity#88")
    }
    frame(4, from: begin, to: done) {
      $0.number(2, token)
      $0.number(3, token + 1000)
      $0.number(4, Self.app)
      $0.text(5, "TX - com.example.feed/com.example.feed.MainActivity#88")
      $0.number(6, presentation)
      $0.number(7, jank == 1 ? 1 : UInt64(0))
      $0.number(9, jank)
      $0.number(10, UInt64(1))
    }
    let next = due + Self.refresh
    frame(1, from: next, to: next + 10_000_000) {
      $0.number(2, token + 1000)
      $0.number(3, Self.compositor)
    }
    frame(2, from: next, to: next + (number == 26 ? 13_000_000 : 5_000_000)) {
      $0.number(2, token + 1000)
      $0.number(3, Self.compositor)
      $0.number(4, presentation == 4 ? 1 : presentation)
      $0.number(7, number == 26 ? UInt64(16) : 1)
      $0.number(8, UInt64(1))
    }
    addWork(number, from: begin, to: done)
  }

  /// Slices of the main thread and of the render thread, as the kernel's trace buffer has them.
  private mutating func addWork(_ number: Int64, from start: Int64, to end: Int64) {
    let drawn = end - 3_000_000
    var lines: [(time: Int64, thread: UInt64, text: String)] = [
      (start, Self.app, "B|\(Self.app)|Choreographer#doFrame \(100 + number)"),
      (start + 100_000, Self.app, "B|\(Self.app)|RV Scroll"),
      (drawn - 600_000, Self.app, "E|\(Self.app)"),
      (drawn, Self.app, "E|\(Self.app)"),
      (drawn, Self.app + 17, "B|\(Self.app)|DrawFrames \(100 + number)"),
      (end, Self.app + 17, "E|\(Self.app)"),
    ]
    if number % 4 == 1 {
      lines.insert((start + 300_000, Self.app, "B|\(Self.app)|RV OnBindView"), at: 2)
      lines.insert((drawn - 900_000, Self.app, "E|\(Self.app)"), at: 3)
    }
    packets.message(1) { packet in
      packet.message(1) { bundle in
        bundle.number(1, UInt64(0))
        for line in lines {
          bundle.message(2) { event in
            event.number(1, line.time)
            event.number(2, line.thread)
            event.message(3) { $0.text(2, line.text + "\n") }
          }
        }
      }
    }
  }

  private mutating func frame(
    _ kind: UInt64, from start: Int64, to end: Int64, _ build: (inout ProtoWriter) -> Void
  ) {
    cookie += 1
    let cookie = cookie
    packets.message(1) { packet in
      packet.number(8, start)
      packet.message(76) { event in
        event.message(kind) {
          $0.number(1, cookie)
          build(&$0)
        }
      }
    }
    packets.message(1) { packet in
      packet.number(8, end)
      packet.message(76) { event in event.message(5) { $0.number(1, cookie) } }
    }
  }
}
