import ScrollTraceTestSupport
@testable import ScrollTraceAdapters
import ScrollTraceRecorder
import Testing

@Suite struct CellRecorderTests {
  final class Cell {}

  @Test func `a cell that returns from the pool is reused, a deallocated cell is not`() throws {
    let host = try VirtualHost()
    let cells = CellRecorder<Int>(host.recorder, list: "feed") { ItemID($0) }
    var pool: [Cell] = []
    func show(_ item: Int, at time: Double) -> Cell {
      host.set(time)
      let cell = cells.prepare(item, at: item, kind: "post") {
        host.set(time + 1)
        return pool.popLast() ?? Cell()
      } configure: { _ in
        host.set(time + 3)
      }
      cells.willDisplay(cell, item, at: item)
      return cell
    }
    cells.prefetch([1, 2, 3])
    let first = show(1, at: 10)
    cells.cancelPrefetching([3])
    cells.didEndDisplaying(first, 1, at: 1)
    pool.append(first)
    let second = show(2, at: 20)
    #expect(second === first)
    _ = show(3, at: 30)
    let list = try host.analyzed().run["lists"][0]
    list.expect([
      "name": "feed", "cells.prepared": 3, "cells.reused": 1, "cells.created": 2,
      "cells.displayed": 3, "data.prefetches": 3, "data.cancelled": 1,
    ])
    let names = list["cells"]["steps"].array.compactMap(\.["name"].string)
    #expect(names.contains("dequeue") && names.contains("configure"))
  }

  @Test func `a thousand cells that come and go are all new`() throws {
    let host = try VirtualHost()
    let cells = CellRecorder<Int>(host.recorder, list: "feed") { ItemID($0) }
    for item in 0..<1000 {
      host.set(Double(item))
      _ = cells.prepare(item, at: item) {
        Cell()
      } configure: { _ in
      }
    }
    try host.analyzed().run["lists"][0].expect(["cells.created": 1000, "cells.reused": 0])
  }
}
