/// Writes a small trace in the shape of Perfetto's: half a second of an Android app at 60 Hz.
///
/// 29 frames of an app called Feed. The main thread binds rows for 27 ms in one and for 44 ms in
/// another, which are late; a third misses its deadline and is shown in time all the same; a fourth is
/// thrown away. The compositor is late once by itself.
struct PerfettoSample {
  static let refresh = 16_666_667
  static let app = 4242
  static let compositor = 512

  private static let start = 1_000_000_000

  private var packets: [Proto] = []
  private var cookie = 0

  static func whole() -> [UInt8] {
    var sample = PerfettoSample()
    sample.addProcesses()
    // While the main thread was busy for two refreshes, one frame was not even begun.
    for number in 0..<30 where number != 18 { sample.addFrame(number) }
    return PerfettoMade.bytes(sample.packets)
  }

  private mutating func addProcesses() {
    packets.append([
      8: .number(Self.start),
      2: [
        1: [1: .number(Self.compositor), 3: "/system/bin/surfaceflinger"],
        1: [1: .number(Self.app), 3: "com.example.feed"],
        2: [1: .number(Self.app + 17), 2: "RenderThread", 3: .number(Self.app)],
      ],
    ])
  }

  /// When in its refresh the app begins and ends a frame, and what Android says of it.
  ///
  /// A frame that follows a late one begins when the main thread is free again.
  private static func work(
    _ number: Int
  ) -> (start: Int, end: Int, jank: Int, presentation: Int) {
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

  private mutating func addFrame(_ number: Int) {
    let due = Self.start + number * Self.refresh
    let (first, last, jank, presentation) = Self.work(number)
    let (begin, done) = (due + first, due + last)
    let token = 100 + number
    let surface: Proto = [
      2: .number(token), 3: .number(token + 1000), 4: .number(Self.app),
      5: "TX - com.example.feed/com.example.feed.MainActivity#88",
    ]
    add(3, from: due, to: due + Self.refresh, surface)
    add(
      4, from: begin, to: done, surface,
      [6: .number(presentation), 7: jank == 1 ? 1 : 0, 9: .number(jank), 10: 1])
    let next = due + Self.refresh
    let display: Proto = [2: .number(token + 1000), 3: .number(Self.compositor)]
    add(1, from: next, to: next + 10_000_000, display)
    add(
      2, from: next, to: next + (number == 26 ? 13_000_000 : 5_000_000), display,
      [4: .number(presentation == 4 ? 1 : presentation), 7: number == 26 ? 16 : 1, 8: 1])
    addWork(number, from: begin, to: done)
  }

  /// Slices of the main thread and of the render thread, as the kernel's trace buffer has them.
  private mutating func addWork(_ number: Int, from start: Int, to end: Int) {
    let drawn = end - 3_000_000
    var lines: [(time: Int, thread: Int, text: String)] = [
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
    packets.append(PerfettoMade.lines(lines, core: 0))
  }

  private mutating func add(
    _ kind: Int, from start: Int, to end: Int, _ content: Proto, _ more: Proto = [:]
  ) {
    cookie += 1
    let frame = Proto.Content.message([1: .number(cookie)], content, more)
    packets += [
      [8: .number(start), 76: [kind: frame]], PerfettoMade.frameEnd(at: end, cookie: cookie),
    ]
  }
}
