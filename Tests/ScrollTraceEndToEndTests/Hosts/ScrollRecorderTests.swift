@testable import ScrollTraceAdapters
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@Suite struct ScrollRecorderTests {
  /// What is recorded of events that come every 10 ms: kind and begin, end in milliseconds.
  private func intervals(_ events: [ScrollEvent]) throws -> [String] {
    let host = try VirtualHost()
    let scroll = ScrollRecorder(host.recorder)
    // Interactions are reported of surfaces.
    host.recorder.beginFrame(FrameTiming(start: 0, deadline: 5, refreshInterval: 10_000_000)).end()
    for (index, event) in events.enumerated() {
      host.set(Double(index) * 10)
      scroll.scrollViewDid(event)
    }
    host.set(Double(events.count) * 10)
    host.recorder.mark("end")
    return try host.analyzed().surface["interactions"].array.map { one in
      let kind = one["kind"].string ?? "?"
      let end = one["finished"].flag == true ? "\((one["endNs"].integer ?? -1) / 1_000_000)" : "…"
      return "\(kind) \((one["startNs"].integer ?? -1) / 1_000_000)-\(end)"
    }
  }

  @Test func `a drag is followed by its deceleration and a rest`() throws {
    #expect(
      try intervals([.willBeginDragging, .didEndDraggingWithDeceleration, .didEndDecelerating])
        == ["drag 0-10", "deceleration 10-20"])
    #expect(
      try intervals([.willBeginDragging, .didEndDraggingWithPaging, .didEndDecelerating])
        == ["drag 0-10", "paging 10-20"])
    #expect(try intervals([.willBeginDragging, .didEndDragging]) == ["drag 0-10"])
  }

  @Test func `a new drag ends a deceleration, whose late end changes nothing`() throws {
    #expect(
      try intervals([
        .willBeginDragging, .didEndDraggingWithDeceleration, .willBeginDragging,
        .didEndDecelerating, .didEndDragging,
      ]) == ["drag 0-10", "deceleration 10-20", "drag 20-40"])
  }

  @Test
  func `a programmatic scroll is an animation, and a second request starts another`() throws {
    #expect(
      try intervals([.willAnimate, .willAnimate, .didEndAnimation])
        == ["animation 0-10", "animation 10-20"])
    #expect(
      try intervals([.willAnimate, .willBeginDragging, .didEndAnimation, .didEndDragging])
        == ["animation 0-10", "drag 10-30"])
    #expect(try intervals([.willBeginDragging, .willAnimate, .didEndDragging]) == ["drag 0-20"])
  }

  @Test func `entering the background ends every interaction`() throws {
    #expect(
      try intervals([.willBeginDragging, .didEndDraggingWithDeceleration, .cancelled])
        == ["drag 0-10", "deceleration 10-20"])
    #expect(try intervals([.cancelled, .didEndDecelerating, .didEndDragging]) == [])
  }

  @Test
  func `refreshing and reordering run beside the movement and end with the background`() throws {
    let host = try VirtualHost()
    let scroll = ScrollRecorder(host.recorder)
    host.recorder.beginFrame(FrameTiming(start: 0, deadline: 5, refreshInterval: 10_000_000)).end()
    var movements: [Bool] = []
    scroll.onMovement = { movements.append($0) }
    scroll.scrollViewDid(.willBeginDragging)
    scroll.setRefreshing(true)
    scroll.setRefreshing(true)
    host.set(10)
    scroll.setRefreshing(false)
    scroll.setReordering(true)
    host.set(20)
    scroll.scrollViewDid(.cancelled)
    scroll.setReordering(false)
    #expect(movements == [true, false])
    scroll.setReordering(true)
    scroll.setReordering(false)
    #expect(movements == [true, false, true, false])
    let intervals = try host.analyzed().surface["interactions"].array
    #expect(intervals.map(\.["finished"].flag) == [true, true, true, true])
  }

  @Test
  func `in any order of events, a cancelled view rests and only a rest or a drag follows a drag`() {
    for motion in ScrollMotion.allCases {
      #expect(motion.after(.cancelled) == .rest)
      #expect(motion.after(.willBeginDragging) == .drag)
      for event in ScrollEvent.allCases where motion == .rest {
        let next = motion.after(event)
        #expect(
          next == .rest || event == .willBeginDragging && next == .drag
            || [.willAnimate, .willScrollToTop].contains(event) && next == .animation)
      }
    }
  }

  @Test func `a tap that scrolls to the top is an animation until it arrives`() throws {
    let host = try VirtualHost()
    let scroll = ScrollRecorder(host.recorder)
    var intervals: [String] = []
    scroll.onInteraction = {
      intervals.append("begin")
      return { intervals.append("end") }
    }
    scroll.scrollViewDid(.willScrollToTop)
    #expect(scroll.motion == .animation)
    scroll.scrollViewDid(.willBeginDragging)
    scroll.scrollViewDid(.didScrollToTop)
    #expect(scroll.motion == .drag)
    scroll.scrollViewDid(.didEndDragging)
    #expect(intervals == ["begin", "end", "begin", "end"])
  }

  //   phase   idle tracking interacting ........ decelerating ... idle
  //   event        (none)   drag begins          deceleration     ends
  @Test func `the phases of SwiftUI are the events of a scroll view`() {
    func events(_ phases: [ScrolledPhase]) -> [ScrollEvent] {
      zip(phases, phases.dropFirst()).flatMap { $1.events(after: $0) }
    }
    #expect(
      events([.idle, .tracking, .interacting, .decelerating, .idle]) == [
        .willBeginDragging, .didEndDraggingWithDeceleration, .didEndDecelerating,
      ])
    #expect(events([.idle, .tracking, .idle]).isEmpty)
    #expect(
      events([.decelerating, .tracking, .interacting]) == [.didEndDecelerating, .willBeginDragging])
    #expect(
      events([.interacting, .animating, .idle]) == [
        .didEndDragging, .willAnimate, .didEndAnimation,
      ])
    // After every path, a view at rest has no open interaction.
    for first in ScrolledPhase.allCases {
      for second in ScrolledPhase.allCases {
        let path = events([.idle, first, second, .idle])
        #expect(
          path.reduce(ScrollMotion.rest) { $0.after($1) } == .rest
            || path.last == .didEndDecelerating)
      }
    }
  }

  @Test func `what a scroll view says of itself becomes events`() {
    let rest = ScrollSample()
    let (drag, fling) = (ScrollSample(isDragging: true), ScrollSample(isDecelerating: true))
    let paging = ScrollSample(isDecelerating: true, isPaging: true)
    #expect(drag.events(since: rest) == [.willBeginDragging])
    #expect(fling.events(since: drag) == [.didEndDraggingWithDeceleration])
    #expect(paging.events(since: drag) == [.didEndDraggingWithPaging])
    #expect(rest.events(since: fling) == [.didEndDecelerating])
    #expect(rest.events(since: drag) == [.didEndDragging])
    #expect(drag.events(since: fling) == [.willBeginDragging])
    #expect(rest.events(since: rest).isEmpty)
  }

  @Test func `a phone that can do more than 60 Hz is limited unless the app asks`() {
    func limit(_ maximum: Int, isPhone: Bool = true, _ isUnlocked: Bool?) -> Int? {
      FrameRateLimit.limit(ofScreen: maximum, isPhone: isPhone, isUnlocked: isUnlocked)
    }
    #expect(limit(120, nil) == 60 && limit(120, false) == 60)
    #expect(limit(120, true) == nil && limit(60, nil) == nil)
    #expect(limit(120, isPhone: false, nil) == nil)
  }
}
