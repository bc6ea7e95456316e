import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis
@testable import ScrollTraceReport

/// The first sentences about small recordings, each with one or more planted causes.
@Suite struct AdviceTests {
  /// A recording and what its first findings have to say.
  struct Case: Sendable {
    let name: String
    let titles: [String]
    var text = ""
    var worth: String?
    var late = AdviceTests.late
    let plant: @Sendable (inout FindingTrace) -> Void

    /// A recording with the same in each of its late frames, which begins at the time that `plant` gets.
    static func each(
      _ name: String, titles: [String], text: String = "", worth: String? = nil,
      plant: @escaping @Sendable (inout FindingTrace, Double) -> Void
    ) -> Case {
      Case(name: name, titles: titles, text: text, worth: worth) { trace in
        for start in AdviceTests.starts { plant(&trace, start) }
      }
    }
  }

  private static let late: Set = [20, 40]
  private static let starts = [200.0, 400]

  /// Adds to each late frame a span of nearly its length in which the main thread is off the core.
  private static func block(
    _ trace: inout FindingTrace, in name: String, cpu: Double = 1, diskFaults: Int64? = nil
  ) {
    for start in starts {
      trace.span(name, start + 0.5, 14)
      trace.count(start, start + 15, cpu: cpu, ready: 0, diskFaults: diskFaults)
    }
  }

  /// Adds to each late frame work of four parts.
  private static func addParts(_ trace: inout FindingTrace, _ names: [String], in work: String) {
    for start in starts {
      trace.span(work, start + 0.3, 14.4)
      var time = start + 0.4
      for (name, length) in zip(names, [4, 3.7, 3.5, 3]) {
        trace.span(name, time, length)
        time += length
      }
    }
  }

  /// Adds to each late frame ten layouts of a page, inside a call or a task.
  private static func thrash(_ trace: inout FindingTrace, in name: String) {
    for start in starts {
      trace.span(category: "devtools.timeline", name: name, start + 0.2, 14.5)
      for index in 0..<10 {
        trace.span(
          category: "devtools.timeline", name: "Layout", start + 0.5 + Double(index) * 1.4, 1.2)
      }
    }
  }

  static let cases: [Case] = [
    .each(
      "many calls too short to tell",
      titles: ["'measure' makes frames late: 240 in a frame inside 'list', 12.0 ms in all"]
    ) { trace, start in
      trace.span("list", start + 0.3, 12.5)
      for index in 0..<240 { trace.span("measure", start + 0.4 + Double(index) * 0.05, 0.05) }
    },
    Case(
      name: "three causes of a third of the hitches each",
      titles: ["'a' makes frames late", "'b' makes frames late", "'c' makes frames late"],
      late: [5, 10, 15, 20, 25, 30]
    ) { trace in
      for (index, start) in [50.0, 100, 150, 200, 250, 300].enumerated() {
        trace.span(["a", "b", "c"][index % 3], start + 0.5, 13)
      }
    },
    .each(
      "three causes of a third of each hitch",
      titles: ["'a' makes frames late", "'b' makes frames late", "'c' makes frames late"],
      worth: "Saves up to all 20.0 ms of hitch time."
    ) { trace, start in
      for (index, name) in ["a", "b", "c"].enumerated() {
        trace.span(name, start + Double(index) * 5, 5)
      }
    },
    Case(
      name: "a lock, unmarked",
      titles: ["the main thread waits in 'configure' for 'compact cache' (thread 2)"],
      text: "it waited 26.1 ms of 30.0 ms in 2 late frames",
      worth: "Saves up to all 20.0 ms of hitch time."
    ) { trace in
      block(&trace, in: "cell.configure")
      for start in starts { trace.span("compact cache", start - 5, 19.6, isOnMain: false) }
    },
    Case(
      name: "a lock whose owner goes on after the wait",
      titles: ["the main thread waits in 'configure' for 'compact cache' (thread 2)"]
    ) { trace in
      block(&trace, in: "cell.configure")
      for start in starts { trace.span("compact cache", start - 5, 60, isOnMain: false) }
    },
    .each(
      "a lock, marked",
      titles: [
        "the main thread waits in 'cache lock' inside 'configure' for 'compact cache' (thread 2)"
      ],
      text: "it waited 28.0 ms of 30.0 ms in 2 late frames, at most 14.0 ms"
    ) { trace, start in
      trace.span("cell.configure", start + 0.2, 14.6)
      trace.span("waiting.cache lock", start + 0.5, 14)
      trace.span("compact cache", start - 5, 19.6, isOnMain: false)
    },
    Case(
      name: "pages read from disk", titles: ["the main thread waits in 'look up' for the disk"],
      text: "80 pages read from disk"
    ) { block(&$0, in: "look up", diskFaults: 40) },
    Case(
      name: "work that computes as long as it reads from disk",
      titles: ["'look up' makes frames late"], text: "it waited for the disk 13.1 ms of that"
    ) { block(&$0, in: "look up", cpu: 8, diskFaults: 40) },
    Case(
      name: "work whose name says files",
      titles: ["the main thread waits in 'write file' for the disk"]
    ) { block(&$0, in: "write file") },
    Case(
      name: "a wait of which nothing is known",
      titles: ["the main thread waits in 'save position'"],
      text: "the trace does not show for what"
    ) { block(&$0, in: "save position") },
    Case(
      name: "a socket, marked", titles: ["the main thread waits in 'socket' for another process"]
    ) {
      for start in starts { $0.span("waiting.socket", start + 0.5, 14) }
    },
    Case(name: "a timer, marked", titles: ["the main thread sleeps in 'sleep'"]) {
      for start in starts { $0.span("waiting.sleep", start + 0.5, 14) }
    },
    Case(
      name: "the display, marked, for more than a refresh",
      titles: ["the display is behind: the main thread waits in 'vsync'"]
    ) {
      for start in starts { $0.span("waiting.vsync", start + 0.5, 14) }
    },
    .each(
      "a function that only sleeps",
      titles: ["the main thread sleeps in 'usleep' inside 'configure'"]
    ) {
      $0.span("cell.configure", $1 + 0.2, 14.6)
      $0.span("usleep", $1 + 0.5, 14)
    },
    Case(
      name: "a function that takes a lock",
      titles: ["the main thread waits in 'pthread_mutex_lock' for a lock"]
    ) { for start in starts { $0.span("pthread_mutex_lock", start + 0.5, 14) } },
    .each(
      "cells that together are too many",
      titles: ["too many cells in one frame: 4 take 'configure', 3.50 ms each"]
    ) { trace, start in
      for index in 0..<4 { trace.span("cell.configure", start + 0.3 + Double(index) * 3.6, 3.5) }
    },
    Case(
      name: "a load that computes", titles: ["data is loaded on the main thread"],
      text: "'load' made 2 frames late; it computed 28.0 ms"
    ) { for start in starts { $0.span("data.load", start + 0.5, 14) } },
    Case(
      name: "a load that waits", titles: ["loading data makes the main thread wait"],
      text: "it waited 26.1 ms of 28.0 ms", worth: "Saves up to all 20.0 ms of hitch time."
    ) { block(&$0, in: "data.load") },
    .each(
      "a load around a marked wait", titles: ["loading data makes the main thread wait"]
    ) { trace, start in
      trace.span("data.load", start + 0.2, 14.6)
      trace.span("waiting.socket", start + 0.5, 14)
    },
    Case(
      name: "images", titles: ["images are decoded on the main thread"],
      text: "decoding 2 images took 28.0 ms in 2 late frames"
    ) { for start in starts { $0.span("image.decode", start + 0.5, 14) } },
    Case(
      name: "images by the name of the work",
      titles: ["images are decoded on the main thread ('Decode Image')"],
      text: "'Decode Image' took 28.0 ms in 2 late frames"
    ) { for start in starts { $0.span("Decode Image", start + 0.5, 14) } },
    .each(
      "cells that compute and wait",
      titles: ["cells take too long ('bind', 14.0 ms each)"],
      text: "it waited 13.1 ms of that"
    ) { trace, start in
      trace.span("bind", start + 0.5, 14)
      trace.count(start, start + 15, cpu: 8, ready: 0)
    },
    .each(
      "cells that wait for most of their time, and for whom",
      titles: [
        "the main thread waits in 'lru lock' inside 'bind' for 'evict' (thread 2)",
        "cells take too long ('bind', 14.6 ms each)",
      ]
    ) { trace, start in
      trace.span("bind", start + 0.2, 14.6)
      trace.span("waiting.lru lock", start + 5, 9)
      trace.span("evict", start + 4, 9.9, isOnMain: false)
    },
    .each(
      "another process by the name of the wait",
      titles: ["the main thread waits in 'binder transaction' inside 'bind' for another process"]
    ) { trace, start in
      trace.span("bind", start + 0.2, 14.6)
      trace.span("binder transaction", start + 0.5, 14)
    },
    .each(
      "many cells of an ordinary cost",
      titles: ["too many cells in one frame: 7 take 'configure', 2.00 ms each"]
    ) { trace, start in
      for index in 0..<7 { trace.span("cell.configure", start + 0.3 + Double(index) * 2, 2) }
    },
    .each(
      "cells that touch new memory for most of their time",
      titles: [
        "cells take too long ('configure', 14.0 ms each): each late frame touches 32.8 MB of new memory"
      ],
      text: "each touched 32.8 MB of new memory (8000 page faults; other frames: 0)"
    ) { trace, start in
      trace.span("cell.configure", start + 0.5, 14)
      trace.count(start, start + 15, cpu: 15, ready: 0, faults: 8_000)
    },
    .each(
      "work that touches new memory for a part of its time",
      titles: ["'resize' makes frames late"],
      text: "each touched 12.3 MB of new memory (3000 page faults; other frames: 0)"
    ) { trace, start in
      trace.span("resize", start + 0.5, 14)
      trace.count(start, start + 15, cpu: 15, ready: 0, faults: 3_000)
    },
    Case(
      name: "a script that forces layout",
      titles: ["'renderRows (feed.js:10)' forces 'Layout': 10 times in a frame, 1.20 ms each"]
    ) { thrash(&$0, in: "renderRows (feed.js:10)") },
    Case(
      name: "a script that forces layout, with the function of the browser that lays out",
      titles: ["'renderRows (feed.js:10)' forces 'Layout': 10 times in a frame, 1.20 ms each"]
    ) { trace in
      thrash(&trace, in: "renderRows (feed.js:10)")
      for start in starts {
        for index in 0..<10 {
          trace.span(
            category: "blink,benchmark,rail", name: "LocalFrameView::performLayout",
            start + 0.55 + Double(index) * 1.4, 1.1)
        }
      }
    },
    Case(
      name: "layout of a page that no script forces",
      titles: ["'Layout' makes frames late: 10 in a frame, 1.20 ms each"]
    ) { thrash(&$0, in: "RunTask") },
    .each(
      "many small parts inside one work",
      titles: ["'layoutPass' makes frames late: it holds 14 small parts, 1.00 ms each"],
      text: "work of 'host' took 29.0 ms in 2 hitches, 1.00 ms each"
    ) { trace, start in
      trace.span("layoutPass", start + 0.2, 14.5)
      for (index, letter) in "abcdefghijklmn".enumerated() {
        trace.span("step \(letter)", start + 0.3 + Double(index), 1)
      }
    },
    .each(
      "small parts inside one work, most of which is in none of them",
      titles: ["'unpack page' takes 9.60 ms in a late frame, 51.2% of it in its own code"]
    ) { trace, start in
      trace.span("unpack page", start + 0.1, 9.6)
      for index in 0..<12 { trace.span("step", start + 0.3 + Double(index) * 0.7, 0.39) }
      trace.span("score", start + 9.8, 2.5)
      trace.span("rank", start + 12.3, 2.6)
    },
    .each(
      "many small parts of a few names with numbers",
      titles: ["'layoutPass' makes frames late: it holds 28 small parts ('attr …'), 0.50 ms each"]
    ) { trace, start in
      trace.span("layoutPass", start + 0.2, 14.5)
      for index in 0..<28 {
        trace.span("attr \(index % 7)", start + 0.3 + Double(index) * 0.5, 0.5)
      }
    },
    .each(
      "many small parts inside nothing",
      titles: [
        "'step a' 1.00 ms, 'step b' 1.00 ms, 'step c' 1.00 ms and 11 more make frames late together"
      ]
    ) { trace, start in
      for (index, letter) in "abcdefghijklmn".enumerated() {
        trace.span("work.step \(letter)", start + 0.3 + Double(index), 1)
      }
    },
    .each(
      "many small parts of a few names with numbers inside nothing",
      titles: ["28 small parts ('attr …'), 0.50 ms each, make frames late"]
    ) { trace, start in
      for index in 0..<28 {
        trace.span("attr \(index % 7)", start + 0.3 + Double(index) * 0.5, 0.5)
      }
    },
    .each(
      "small parts of which a third is inside one work",
      titles: [
        "'clip' 2.40 ms, 'record' 2.40 ms, 'fetch' 2.10 ms and 3 more make frames late together"
      ]
    ) { trace, start in
      for (work, parts, begin, length) in [
        ("draw", ["record", "clip"], 0.2, 2.4), ("layout", ["place", "move"], 5.3, 2.1),
        ("scroll", ["fetch", "sort"], 9.9, 2.1),
      ] {
        trace.span(work, start + begin, length * 2 + 0.2)
        for (index, part) in parts.enumerated() {
          trace.span(part, start + begin + 0.1 + Double(index) * length, length)
        }
      }
    },
    .each(
      "many small parts of one name",
      titles: ["'glyph' makes frames late: 28 in a frame inside 'draw list', 0.50 ms each"]
    ) { trace, start in
      trace.span("draw list", start + 0.2, 14.5)
      for index in 0..<28 { trace.span("glyph", start + 0.3 + Double(index) * 0.5, 0.5) }
    },
    .each(
      "a script with a function that samples are in",
      titles: ["'onScroll (feed.js:4)' makes frames late: 80.0% of it in highlight (hl.js:10)"]
    ) { trace, start in
      trace.span(category: "devtools.timeline", name: "onScroll (feed.js:4)", start + 0.5, 14)
      let script = (name: "onScroll", file: "feed.js:5")
      trace.sample([script, ("highlight", "hl.js:10")], 32, start + 0.5, 11.2)
      trace.sample([script, ("computeHeights", "feed.js:91")], 8, start + 11.7, 2.8)
    },
    .each(
      "a cell whose time is in a library",
      titles: [
        "cells take too long ('configure', 14.0 ms each): most of it in NSHTMLReader.load"
      ]
    ) { trace, start in
      trace.span("cell.configure", start + 0.5, 14)
      trace.sample(
        [("FeedCell.configure(_:)", "Feed"), ("NSHTMLReader.load", "")], 40, start + 0.5, 14)
    },
    .each(
      "work that samples say nothing more of",
      titles: ["'score rows' makes frames late"]
    ) { trace, start in
      trace.span("score rows", start + 0.5, 12)
      trace.sample([("Feed.update()", "Feed"), ("Feed.sort()", "Feed")], 20, start + 0.5, 6)
      trace.sample([("Feed.update()", "Feed"), ("Feed.rank()", "Feed")], 20, start + 6.5, 6)
      // The function around the span.
      trace.sample([("Feed.update()", "Feed")], 7, start + 12.5, 2.1)
    },
    .each(
      "the reload of a list by the name of the toolkit",
      titles: ["'-[UITableView reloadData]' prepares 6 cells again, 2.20 ms each"],
      text: "it took 25.2 ms in 2 late frames", worth: "Saves up to all 20.0 ms of hitch time."
    ) { trace, start in
      trace.span("-[UITableView reloadData]", start + 0.2, 14.5)
      for index in 0..<6 {
        let time = start + 0.4 + Double(index) * 2.3
        trace.span("cellForRowAt", time, 2.2)
        trace.span("configure", time + 0.1, 2.1)
      }
    },
    Case(
      name: "the reload of a list of which nothing else is known",
      titles: ["'RV FullInvalidate' reloads a whole list"]
    ) { for start in starts { $0.span("RV FullInvalidate", start + 0.5, 14) } },
    .each(
      "cells that are created in the reload of a new list",
      titles: ["too many cells in one frame: 6 take 'inflate', 2.20 ms each"]
    ) { trace, start in
      trace.span("RV FullInvalidate", start + 0.2, 14.5)
      for index in 0..<6 { trace.span("inflate", start + 0.4 + Double(index) * 2.3, 2.2) }
    },
    .each(
      "cells that a reset of the model discards and creates again",
      titles: ["'QAbstractItemModel::endResetModel' prepares 6 cells again, 2.20 ms each"]
    ) { trace, start in
      trace.span(category: "qt", name: "QAbstractItemModel::endResetModel", start + 0.2, 14.5)
      trace.span(category: "qt", name: "QQuickItemView::modelUpdated", start + 0.3, 14.3)
      for index in 0..<6 {
        trace.span(
          category: "qt", name: "QQmlComponent::create Row.qml",
          start + 0.4 + Double(index) * 2.3, 2.2)
      }
    },
    .each(
      "cells that are prepared after an update in the same frame",
      titles: ["'Differ.presentNewList' has 6 cells prepared at once, 2.20 ms each"]
    ) { trace, start in
      trace.span(category: "app", name: "Differ.presentNewList", start + 0.1, 0.6)
      for index in 0..<6 { trace.span("RV OnBindView", start + 0.8 + Double(index) * 2.3, 2.2) }
    },
    .each(
      "work after an update in the same frame", titles: ["'parse' makes frames late"]
    ) { trace, start in
      trace.span("submitList", start + 0.1, 0.6)
      trace.span("parse", start + 0.8, 13)
    },
    .each(
      "a few calls of one name",
      titles: ["'configure' makes frames late: 4 in a frame, 3.50 ms each"]
    ) { trace, start in
      for index in 0..<4 { trace.span("configure", start + 0.3 + Double(index) * 3.6, 3.5) }
    },
    .each(
      "two calls of one name, alike",
      titles: ["'configure' makes frames late: 2 in a frame, 7.00 ms each"]
    ) { trace, start in
      for index in 0..<2 { trace.span("configure", start + 0.3 + Double(index) * 7.2, 7) }
    },
    .each(
      "a long call and a short one", titles: ["'configure' makes frames late"]
    ) { trace, start in
      trace.span("configure", start + 0.3, 2)
      trace.span("configure", start + 2.5, 12)
    },
    Case(
      name: "two calls of one name in frames that follow each other",
      titles: ["8 frames in a row pay 14.4 ms for 'sort feed': 2 in a frame, 7.20 ms each"],
      late: Set(stride(from: 20, to: 36, by: 2))
    ) { trace in
      for number in stride(from: 20, to: 36, by: 2) {
        for index in 0..<2 {
          trace.span("sort feed", Double(number) * 10 + 0.1 + Double(index) * 7.2, 7.2)
        }
      }
    },
    .each(
      "one long call among short ones", titles: ["'configure' makes frames late"]
    ) { trace, start in
      for index in 0..<8 { trace.span("configure", start + 0.1 + Double(index) * 0.2, 0.1) }
      trace.span("configure", start + 2, 12)
    },
    Case(
      name: "many calls in frames that follow each other",
      titles: ["8 frames in a row pay 14.4 ms for 'createNode': 12 in a frame, 1.20 ms each"],
      late: Set(stride(from: 20, to: 36, by: 2))
    ) { trace in
      for number in stride(from: 20, to: 36, by: 2) {
        for index in 0..<12 {
          trace.span("createNode", Double(number) * 10 + 0.1 + Double(index) * 1.2, 1.2)
        }
      }
    },
    Case(
      name: "a cell of several parts",
      titles: [
        "cells take too long ('prepare', 14.4 ms each): 'set avatar' 4.00 ms, 'set text' 3.70 ms,"
          + " 'set badges' 3.50 ms and 1 more"
      ],
      worth: "Saves up to all 20.0 ms of hitch time."
    ) {
      addParts(&$0, ["set avatar", "set text", "set badges", "set reactions"], in: "cell.prepare")
    },
    Case(
      name: "work of several parts",
      titles: [
        "'update feed' takes 14.4 ms in a late frame: 'a' 4.00 ms, 'b' 3.70 ms, 'c' 3.50 ms and 1 more"
      ],
      text: "work of 'host' took 28.8 ms in 2 hitches, 14.4 ms each (median)",
      worth: "Saves up to all 20.0 ms of hitch time."
    ) { addParts(&$0, ["a", "b", "c", "d"], in: "update feed") },
    Case(
      name: "a row with another part in each late frame",
      titles: [
        "cells take too long ('bindRow', 14.0 ms each): 'a' in 2 frames, 'b' in 2 frames, 'c' in 2 frames"
          + " and 2 more", "'a' makes frames late",
      ],
      worth: "Saves up to all 100.0 ms of hitch time.", late: Set(stride(from: 5, to: 55, by: 5))
    ) { trace in
      for index in 0..<10 {
        let start = Double(index + 1) * 50
        trace.span("bindRow", start + 0.2, 14)
        trace.span(["a", "b", "c", "d", "e"][index % 5], start + 0.3, 13.8)
      }
    },
    .each(
      "one slow cell among cheap ones", titles: ["cells take too long ('configure')"]
    ) { trace, start in
      for index in 0..<4 { trace.span("cell.configure", start + 0.1 + Double(index) * 0.3, 0.3) }
      trace.span("cell.configure", start + 2, 12)
    },
    .each(
      "time off the core without a reason", titles: ["'load more' makes frames late"]
    ) { trace, start in
      trace.span("load more", start + 0.5, 14)
      trace.count(start, start + 15, cpu: 2)
    },
    Case(
      name: "a request, unmarked",
      titles: ["the main thread waits in 'GET /avatar' for another process"]
    ) { block(&$0, in: "GET /avatar") },
    Case(
      name: "a single item",
      titles: ["'configure' takes 13.0 ms for item 20, 1.00 ms for others"],
      text: "the time for others is the median of 59 items", late: [20]
    ) { trace in
      for number in 0..<60 where number != 21 {
        trace.span(
          "cell.configure", Double(number) * 10 + 0.5, number == 20 ? 13 : 1,
          ["item": .unsigned(UInt64(number))])
      }
    },
    Case(
      name: "a snapshot", titles: ["snapshots take long to apply"],
      text: "applying a snapshot took 14.0 ms (median), 2 times, for 2500 changed items each"
    ) { trace in
      for start in starts {
        trace.span(
          "data.applySnapshot", start + 0.5, 14,
          ["kind": trace.string("reload"), "reloaded": .unsigned(2500)])
      }
    },
    Case(
      name: "cells that are made again and again, by their steps alone",
      titles: ["cells are not reused"],
      text: "0 of 10 cells were reused, and creating one takes 3.60 ms, in 2 late frames"
    ) { trace in
      for number in 0..<8 { trace.span("cell.create", Double(number) * 10 + 0.5, 1) }
      for start in starts { trace.span("cell.create", start + 0.5, 14) }
    },
    .each(
      "two causes of the same frames",
      titles: ["images are decoded on the main thread", "data is loaded on the main thread"],
      worth: "Saves up to all 20.0 ms of hitch time."
    ) { trace, start in
      trace.span("image.decode", start + 0.1, 7.5)
      trace.span("data.load", start + 7.6, 7.3)
    },
    Case(
      name: "nothing is instrumented",
      titles: ["late frames are not instrumented (inside 'commit')"],
      text: "30.0 ms of 30.0 ms in 2 hitches are not instrumented"
    ) { _ in },
    Case(
      name: "nothing is instrumented inside two phases that take most of the time together",
      titles: ["late frames are not instrumented (inside 'layout' and 'draw')"], late: late
    ) { trace in
      for start in starts {
        trace.span("phase.update", start + 0.2, 2)
        trace.span("phase.layout", start + 2.3, 6.4)
        trace.span("phase.draw", start + 8.8, 5.9)
      }
    },
    Case(
      name: "a machine without a free core", titles: ["the machine was overloaded"],
      text: "while these 2 frames were made (30.0 ms), the main thread had no core for 26.0 ms"
    ) { trace in
      for start in starts { trace.count(start, start + 15, cpu: 2, ready: 13) }
    },
  ]

  @Test(arguments: cases.indices) func `the first sentence names the planted cause`(index: Int) {
    let one = Self.cases[index]
    var drawn = FindingTrace(late: one.late)
    one.plant(&drawn)
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let texts = FindingText(of: analysis.trace)
    let titles = analysis.findings.map { texts.title(of: $0) }
    #expect(Array(titles.prefix(one.titles.count)) == one.titles, "\(one.name)")
    guard let first = analysis.findings.first else { return }
    #expect(texts.evidence(of: first).contains(one.text), "\(one.name)")
    if let worth = one.worth { #expect(texts.worth(of: first) == worth, "\(one.name)") }
    let isLock = if case .wait(let wait)? = first.cause { wait.kind == .lock } else { false }
    #expect(isLock || !texts.fix(of: first).contains("lock"), "\(one.name)")
  }

  @Test(arguments: [
    ("onMessage", true), ("handleMessage", true), ("setState", true), ("formatMessage", false),
    ("dispatchDraw", false),
  ])
  func `handlers that are called very often are to handle all at once`(
    name: String, isHandler: Bool
  ) {
    var trace = FindingTrace(late: Self.late)
    for begin in Self.starts {
      for index in 0..<10 { trace.span(name, begin + 0.3 + Double(index) * 1.4, 1.4) }
    }
    let analysis = TraceAnalyzer().analyze(trace.trace())
    let fix = analysis.findings.first.map { FindingText(of: analysis.trace).fix(of: $0) } ?? ""
    #expect(fix.hasPrefix("Gather what arrives") == isHandler, "\(fix)")
  }

  @Test func `a function a tenth of which is garbage collection is to allocate less`() throws {
    for (length, isEnough) in [(3.0, true), (1, false)] {
      var trace = FindingTrace(late: Self.late)
      for start in Self.starts {
        trace.span("sum up", start + 0.5, 14)
        trace.span(category: "devtools.timeline,v8", name: "MinorGC", start + 2, length)
        trace.span(category: "v8", name: "V8.GCScavenger", start + 2.05, length - 0.1)
      }
      let analysis = TraceAnalyzer().analyze(trace.trace())
      let finding = try #require(analysis.findings.first)
      let text = FindingText(of: analysis.trace)
      #expect(
        text.title(of: finding) == "'sum up' makes frames late"
          + (isEnough ? "; 21.4% of it is garbage collection" : ""))
      #expect(text.fix(of: finding).hasPrefix("Allocate less in these frames") == isEnough)
    }
  }

  @Test func `a listener that scrolling waits for is to be passive`() throws {
    for (event, isWaitedFor) in [("wheel", true), ("touchmove", true), ("scroll", false)] {
      // Two late frames, and eight in a row.
      for late in [Self.late, Set((0..<8).map { 20 + $0 * 2 })] {
        var trace = FindingTrace(late: late)
        for number in late.sorted() {
          let start = Double(number) * 10
          trace.span(
            category: "devtools.timeline", name: "EventDispatch (\(event))", start + 0.2, 14.6)
          trace.span(category: "devtools.timeline", name: "track (page.js:3)", start + 0.4, 14.2)
        }
        let analysis = TraceAnalyzer().analyze(trace.trace())
        let finding = try #require(analysis.findings.first)
        let fix = FindingText(of: analysis.trace).fix(of: finding)
        #expect(
          fix.contains("addEventListener('\(event)', f, {passive: true})") == isWaitedFor, "\(fix)")
        #expect(!fix.contains("draw it smaller"))
      }
    }
  }

  @Test func `a request that stops a page is named, with the script that waits for it`() throws {
    for script in ["refresh (page.js:3)", nil] {
      var trace = FindingTrace(late: Self.late)
      for start in Self.starts {
        if let script {
          trace.span(category: "devtools.timeline", name: script, start + 0.2, 14.6)
        }
        trace.span(category: "loading", name: "URLLoader::loadSynchronously", start + 0.4, 14)
      }
      let analysis = TraceAnalyzer().analyze(trace.trace())
      let finding = try #require(analysis.findings.first)
      let text = FindingText(of: analysis.trace)
      #expect(
        text.title(of: finding)
          == (script.map { "'\($0)' waits for a synchronous XMLHttpRequest" }
            ?? "a synchronous XMLHttpRequest makes frames late ('URLLoader::loadSynchronously')"))
      #expect(text.fix(of: finding).hasPrefix("Use fetch"))
    }
  }

  @Test(arguments: [
    (
      "v8", "v8.callFunction", "", "late frames are not instrumented (inside 'v8.callFunction')",
      "Record"
    ),
    (
      "blink,rail", "PageAnimator::serviceScriptedAnimations", "(program)",
      "the browser's own code, outside of scripts, makes frames late", "Change, store and send less"
    ),
    (
      "v8", "v8.callFunction", "(garbage collector)", "(garbage collector) makes frames late",
      "Allocate less"
    ),
    (
      "toplevel", "SimpleWatcher::OnHandleReady", "",
      "'Receive mojo message' makes frames late", "Send less between the page and the browser"
    ),
  ])
  func `what only a browser knows is not what a page is to shorten`(
    category: String, name: String, function: String, title: String, fix: String
  ) throws {
    var trace = FindingTrace(late: Self.late)
    trace.state(Toolkit.stateKey, "Web", at: 0)
    for start in Self.starts {
      trace.span(category: category, name: name, start + 0.3, 14.4)
      if name.hasPrefix("SimpleWatcher") {
        trace.span(category: "toplevel,mojom", name: "Receive mojo message", start + 5, 3)
      }
      if !function.isEmpty { trace.sample([(name: function, file: "")], 50, start + 0.3, 14.4) }
    }
    let analysis = TraceAnalyzer().analyze(trace.trace())
    let finding = try #require(analysis.findings.first)
    let text = FindingText(of: analysis.trace)
    #expect(text.title(of: finding) == title)
    #expect(text.fix(of: finding).hasPrefix(fix), "\(text.fix(of: finding))")
  }

  @Test func `only work that is called very often is to be called less`() {
    for (count, place, work, start) in [
      (4, "parse", "unpack page", "Move it off the main thread"),
      (10, "parse", "unpack page", "Call it less often"),
      (4, "cellForItemAt", "unpack page", "Do it when the data arrives"),
      (10, "render", "drawRow", "Draw only what is new or changed"),
    ] {
      var trace = FindingTrace(late: Self.late)
      for begin in Self.starts {
        trace.span(place, begin + 0.2, 14.5)
        for index in 0..<count {
          let length = 14 / Double(count)
          trace.span(work, begin + 0.3 + Double(index) * length, length)
        }
      }
      let analysis = TraceAnalyzer().analyze(trace.trace())
      let fix = analysis.findings.first.map { FindingText(of: analysis.trace).fix(of: $0) } ?? ""
      #expect(fix.hasPrefix(start), "\(fix)")
    }
  }

  @Test func `time without a core is a notice beside another finding`() {
    var drawn = FindingTrace(late: [20, 40])
    drawn.span("parse", 200.5, 14)
    drawn.span("parse", 400.5, 14)
    drawn.count(200, 215, cpu: 9, ready: 6)
    drawn.count(400, 415, cpu: 9, ready: 6)
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    #expect(analysis.findings.map(\.id) == [.longTask])
    #expect(
      analysis.results.notices.map(\.text).contains(
        "the machine had no free core for 12.0 ms of the hitches of 'display'"))
  }

  @Test func `threads that hold the cores are named once, with the work of most of them`() throws {
    var drawn = FindingTrace(late: [20])
    drawn.slice(.running, 200, 201)
    drawn.slice(.ready, 201, 215)
    drawn.slice(.running, 200, 214, isOnMain: false)
    drawn.span("crunch", 200, 13, isOnMain: false)
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .backgroundHoldsCores)
    let evidence = FindingText(of: analysis.trace).evidence(of: finding)
    #expect(evidence.contains("; the cores ran thread 2 in 'crunch'"), "\(evidence)")
  }

  @Test(arguments: [1, 2])
  func `samples of other threads say who may have held the cores if they fill more than one`(
    workers: UInt64
  ) {
    var drawn = FindingTrace(late: [20, 40])
    for start in [200.0, 400] {
      drawn.count(start, start + 15, cpu: 3)
      for worker in 0..<workers {
        drawn.sample(
          [("onmessage", "/app/w.js:4"), ("crunch", "/app/w.js:8")], 14, start, 14,
          onWorker: 10 + worker)
      }
    }
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let finding = analysis.findings.first { $0.id == .backgroundHoldsCores }
    let evidence = finding.map { FindingText(of: analysis.trace).evidence(of: $0) }
    let named =
      "the main thread was off its core for 24.0 ms; 2 threads named worker in 'crunch (w.js:8)' had work"
      + " meanwhile"
    #expect((evidence?.contains(named) ?? false) == (workers == 2), "\(evidence ?? "none")")
  }
}
