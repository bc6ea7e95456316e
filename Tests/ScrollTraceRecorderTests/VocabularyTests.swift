import ScrollTraceRecorder
import Testing

/// The words of F-4 reach the file.
struct VocabularyTests {
  @Test func `cells carry all known arguments, with separate item, position and view`() throws {
    let events = try StrictWalker { recorder in
      let feed = recorder.registerList(named: "feed")
      let grid = recorder.registerList(named: "grid")
      let all = CellDetails(
        list: feed, item: 1, position: 2, viewID: 3, kind: "post", registrationID: 4,
        isReused: true,
        isPreparedAhead: false, estimatedSize: 44.5, size: 60)
      recorder.withCellStep(.prepare, all) {
        recorder.withCellStep(.dequeue, CellDetails(list: grid, item: 1)) {
          $0.isReused = false
        }
      }
      recorder.markCell(.willDisplay, CellDetails(item: ItemID(UInt64.max), position: -1))
    }.events
    #expect(events.map(\.name) == ["dequeue", "prepare", "willDisplay"])
    #expect(events.allSatisfy { $0.category == "scrolltrace.cell" })
    #expect(
      events[0].arguments == ["list": .text("grid"), "item": .unsigned(1), "reused": .bool(false)])
    #expect(
      events[1].arguments == [
        "list": .text("feed"), "item": .unsigned(1), "position": .signed(2), "view": .unsigned(3),
        "kind": .text("post"), "registration": .unsigned(4), "reused": .bool(true),
        "ahead": .bool(false), "estimatedSize": .double(44.5), "size": .double(60),
      ])
    #expect(events[2].arguments == ["item": .unsigned(.max), "position": .signed(-1)])
  }

  @Test func `images, data and snapshots have their arguments`() throws {
    let bytes = try RoundTripTests.record { recorder in
      let feed = recorder.registerList(named: "feed")
      recorder.withImageStep(.decode, item: 1, viewID: 2, bytes: 3) {}
      recorder.markImage(.cacheMiss, item: 1)
      recorder.withDataStep(.load, list: feed, item: 4, viewID: 5) {}
      recorder.markData(.prefetch, item: 6)
      recorder.withSnapshot(
        to: feed,
        SnapshotChanges(
          kind: "differences", inserted: 1, deleted: 2, reconfigured: 3, reloaded: 4)
      ) {}
    }
    let events = try StrictWalker(bytes).events
    #expect(events.map(\.name) == ["decode", "cacheMiss", "load", "prefetch", "applySnapshot"])
    #expect(events.map(\.type) == [4, 0, 4, 0, 4])
    #expect(
      events[0].arguments == ["item": .unsigned(1), "view": .unsigned(2), "bytes": .unsigned(3)])
    #expect(
      events[2].arguments == ["list": .text("feed"), "item": .unsigned(4), "view": .unsigned(5)])
    #expect(
      events[4].arguments == [
        "list": .text("feed"), "kind": .text("differences"), "inserted": .signed(1),
        "deleted": .signed(2), "reconfigured": .signed(3), "reloaded": .signed(4),
      ])
  }

  @Test func `interactions, states, counters and flows are what Perfetto expects`() throws {
    let events = try StrictWalker { recorder in
      recorder.withInteraction("fling") {
        recorder.setState("screen", to: "Feed")
        recorder.setState("screen", to: nil)
        recorder.recordCounter("cache", 12)
        recorder.recordCounter("offset", 0.5)
        recorder.beginFlow("request", id: 3)
        recorder.stepFlow("request", id: 3)
        recorder.endFlow("request", id: 3)
      }
    }.events
    #expect(events.map(\.type) == [5, 0, 0, 1, 1, 8, 9, 10, 7])
    #expect(events.first?.category == "scrolltrace.interaction")
    #expect(events.first?.name == "fling")
    #expect(events.first?.tail == events.last?.tail)
    #expect(events[1].arguments == ["key": .text("screen"), "value": .text("Feed")])
    #expect(events[2].arguments == ["key": .text("screen")])
    #expect(events[3].arguments == ["value": .signed(12)])
    #expect(events[4].arguments == ["value": .double(0.5)])
    #expect(events[5].tail == 3)
  }
}
