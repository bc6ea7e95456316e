import ScrollTraceTestSupport
import ScrollTraceRecorder
import Testing

@testable import ScrollTraceAdapters

/// The run loop's work outside of frames, drawn: the turns from waking to waiting, the frames, and the work.
@Suite struct RunLoopWorkTests {
  /// Draws when such work goes on: `[` where it begins and `]` where it ends.
  private func work(turns: String, frames: String) -> String {
    var work = RunLoopWork()
    var drawing = ""
    for (turn, frame) in zip(turns, frames) {
      let before = work.isOpen
      if turn == "[" { work.handle(.wakes) }
      if frame == "]" { work.handle(.frameEnds) }
      if frame == "[" { work.handle(.frameBegins) }
      if turn == "]" { work.handle(.waits) }
      drawing += before == work.isOpen ? " " : work.isOpen ? "[" : "]"
    }
    return drawing
  }

  @Test(arguments: [
    (
      "  [              ]   [    ]  ",
      "      [    ]                 ",
      "  [   ]    [     ]   [    ]  "
    ),
    (
      "  [              ]   [    ]  ",
      "      [          ]           ",
      "  [   ]              [    ]  "
    ),
    (
      "  [    ]   [ [  ]    [    ]  ",
      "   [                   ]     ",
      "  []                   [  ]  "
    ),
    (
      "  [      ]      [      ]     ",
      "                             ",
      "  [      ]      [      ]     "
    ),
  ])
  func `it lasts from waking to waiting, without frames`(
    turns: String, frames: String, expected: String
  ) {
    #expect(work(turns: turns, frames: frames) == expected)
  }

  @Test func `it is a span, which is over when a frame begins`() throws {
    let host = try VirtualHost()
    var frames = DisplayLinkFrames(host.recorder, rule: .commits, surface: "display")
    let drag = host.recorder.beginInteraction(.drag)
    for frame in [0, 1, 2, 3, 5] {
      let start = Double(frame) * 10
      host.set(start)
      frames.runLoopWakes()
      if frame == 3 { host.set(start + 18) }
      frames.displayLinkDidFire(
        LinkTimes(timestamp: VirtualHost.ms(start), target: VirtualHost.ms(start + 10)))
      host.set(start + (frame == 3 ? 19 : 2))
      frames.runLoopWaits()
    }
    host.recorder.endInteraction(drag)
    let run = try host.analyzed()
    run.surface.expect(["hitches.count": 1])
    let work = run.run["work"]["tracks"][0]["byCategory"]
    work.expect(["0.category": "runloop", "0.selfNs": 18_000_000])
  }
}
