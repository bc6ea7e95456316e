import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

/// Each row of what talks and articles on smooth scrolling describe, measured in the sample that shows
/// it.
@Suite struct RowTests {
  /// A span or mark with its arguments as text.
  struct Event {
    var name: String
    var track: TrackID
    var start: Int64
    var end: Int64
    var arguments: [String: String]
    var length: Int64 { end - start }
  }

  /// A sample, its analysis and its events.
  struct Seen {
    let analysis: Analysis
    let surface: SurfaceAnalysis
    let main: TrackID
    private let spans: [Event]
    private let marks: [Event]

    init(_ name: String) throws {
      analysis = try SampleTests.analysis(name)
      surface = try #require(analysis.surfaces.first)
      let trace = analysis.trace
      main = try #require(trace.mainTrack)
      func arguments(_ id: ArgumentListID) -> [String: String] {
        trace.arguments[id].reduce(into: [:]) { known, argument in
          known[trace.strings[argument.key]] =
            switch argument.value {
            case .integer(let value): "\(value)"
            case .unsigned(let value): "\(value)"
            case .double(let value): "\(value)"
            case .bool(let value): "\(value)"
            case .string(let id): trace.strings[id]
            case .null: "null"
            }
        }
      }
      spans = trace.numberedTracks.flatMap { id, track in
        (0..<track.spans.count).map { index in
          let span = track.spans[index]
          return Event(
            name: trace.categoryAndName(of: span.label), track: id,
            start: span.range.start.nanoseconds, end: span.range.end.nanoseconds,
            arguments: arguments(track.spans.arguments(at: index)))
        }
      }
      marks = trace.marks.map { mark in
        Event(
          name: trace.categoryAndName(of: mark.label), track: mark.track,
          start: mark.time.nanoseconds, end: mark.time.nanoseconds,
          arguments: arguments(mark.arguments))
      }
    }

    func spans(_ name: String) -> [Event] { spans.filter { $0.name == "scrolltrace.\(name)" } }
    func marks(_ name: String) -> [Event] { marks.filter { $0.name == "scrolltrace.\(name)" } }
    /// The preparations of cells that were not needed yet.
    var ahead: [Event] { spans("cell prepare").filter { $0.arguments["ahead"] == "true" } }
    /// The commits of the frames.
    var commits: [ClosedRange<Int64>] {
      guard let frames = analysis.trace.surfaces.first?.frames else { return [] }
      return (0..<frames.count).compactMap { index in
        let frame = frames[index]
        guard let start = frame.commitStart, let end = frame.commitEnd else { return nil }
        return start.nanoseconds...end.nanoseconds
      }
    }
    /// What the main thread worked inside the movements.
    var work: WorkSums? { surface.interactions.first?.work }
  }

  @Test func `S-1: every frame has a deadline, at any refresh rate`() throws {
    let seen = try Seen("rate-change")
    #expect(
      Set(seen.surface.refreshIntervals.map(\.refreshInterval.nanoseconds))
        == [8_333_333, 16_666_667, 12_500_000])
    let frames = try #require(seen.analysis.trace.surfaces.first).frames
    for index in 0..<frames.count {
      let frame = frames[index]
      #expect(try #require(frame.start) < #require(frame.deadline))
      #expect(try #require(frame.deadline) < #require(frame.target))
    }
    #expect(seen.spans("phase layout").count == frames.count)
  }

  @Test func `S-2: a commit that misses its deadline keeps the previous frame on screen`() throws {
    let seen = try Seen("feed-commit-hitches")
    #expect(seen.surface.counts.deadlineMisses == 6)
    let late = seen.surface.hitches.filter { $0.kind == .commit }
    #expect(late.count == 6)
  }

  @Test func `S-3: a long commit when a cell is displayed, then short ones that only move cells`()
    throws
  {
    let seen = try Seen("panel-1-on-demand")
    let commit = try #require(seen.surface.commit)
    #expect(commit.p50.nanoseconds < 3_000_000)
    #expect(commit.max.nanoseconds > 16_666_667)
    let perFrame = seen.surface.mainWork.map(\.busy.nanoseconds)
    #expect(perFrame.filter { $0 > 10_000_000 }.count == 8)
    #expect(try #require(seen.surface.headroom).nanoseconds > 800_000_000)
  }

  @Test
  func `S-4: a cell is dequeued or created, configured, sized, displayed, and recycled`() throws {
    let seen = try Seen("feed-commit-hitches")
    let prepared = seen.spans("cell prepare")
    let steps = ["dequeue", "create", "prepareForReuse", "configure", "size"].flatMap {
      seen.spans("cell \($0)")
    }
    #expect(prepared.count > 15)
    for whole in prepared {
      let parts = steps.filter { $0.start >= whole.start && $0.end <= whole.end }
        .sorted { $0.start < $1.start }.map { $0.name.split(separator: " ")[1] }
      let isReused = whole.arguments["reused"] == "true"
      #expect(
        parts == (isReused ? ["dequeue", "prepareForReuse"] : ["create"]) + ["configure", "size"])
      let view = whole.arguments["view"]
      #expect(
        seen.marks("cell willDisplay").contains {
          $0.arguments["view"] == view && $0.start >= whole.end
        })
    }
    let reused = prepared.filter { $0.arguments["reused"] == "true" }.count
    #expect(reused > 5)
    // No view shows a second item before it has left the view with the first.
    let shown = seen.marks("cell willDisplay").count
    #expect(shown - seen.marks("cell didEndDisplaying").count <= 9)
  }

  @Test func `S-5: cells are prepared one at a time, in advance, retained, and redisplayed`() throws
  {
    let whole = try Seen("panel-1-on-demand")
    let prepared = whole.spans("cell prepare")
    let perFrame = whole.commits.map { commit in
      prepared.count { commit.contains($0.start) && commit.contains($0.end) }
    }
    // A whole line of three in one frame.
    #expect(Set(perFrame.dropFirst()) == [0, 3])

    let seen = try Seen("cells-ahead")
    let ahead = seen.ahead
    #expect(ahead.count >= 6)
    var leads: [Int64] = []
    for cell in ahead {
      let shown = seen.marks("cell willDisplay").first {
        $0.arguments["item"] == cell.arguments["item"] && $0.start >= cell.end
      }
      if let shown { leads.append(shown.start - cell.end) }
    }
    // Well before they are shown: some refreshes.
    #expect(leads.count >= 6)
    #expect(leads.min() ?? 0 > 2 * 16_666_667)
    // Shown again without a new preparation.
    let shows = Dictionary(grouping: seen.marks("cell willDisplay")) { $0.arguments["item"] }
    let prepares = Dictionary(grouping: seen.spans("cell prepare")) { $0.arguments["item"] }
    #expect(shows.contains { $0.value.count > (prepares[$0.key]?.count ?? 0) })
  }

  @Test func `S-6: cells are prepared after short commits, and the next frame starts late`() throws
  {
    let seen = try Seen("panel-2-spare-time")
    #expect(seen.surface.counts.deadlineMisses == 0)
    #expect(seen.ahead.count >= 24)
    #expect(
      !seen.ahead.contains { cell in
        seen.commits.contains { $0.contains(cell.start) && cell.start < $0.upperBound }
      })
    // Where a cell takes longer than is left of its refresh, the frame after it begins late and is
    // on time.
    let slow = try Seen("fast-fling")
    #expect(slow.surface.counts.deadlineMisses == 0)
  }

  @Test
  func `S-7: a fast scroll prepares nothing, and some prepared cells are never displayed`() throws {
    let seen = try Seen("fast-fling")
    let drags = seen.surface.interactions.map(\.range)
    func count(in drag: Int) -> Int {
      seen.ahead.count {
        $0.start > drags[drag].start.nanoseconds + 40_000_000
          && $0.start < drags[drag].end.nanoseconds
      }
    }
    #expect(drags.count == 3)
    #expect(count(in: 0) > 0)
    #expect(count(in: 2) == 0)
    #expect(seen.marks("cell discard").count > 0)
  }

  @Test func `S-8: data is prefetched in order, in the background, and cancelled`() throws {
    let seen = try Seen("data-ahead-turn")
    let requests = seen.marks("data prefetch")
    #expect(requests.count > 10)
    let loads = seen.spans("data load")
    #expect(loads.allSatisfy { $0.track != seen.main })
    let order = requests.compactMap { $0.arguments["item"] }
    let loaded = loads.compactMap { $0.arguments["item"] }.filter { order.contains($0) }
    #expect(loaded == order.filter { loaded.contains($0) })
    // All cancels come after the turn.
    let cancels = seen.marks("data cancelPrefetch")
    #expect(cancels.count > 0)
    let turn = seen.surface.interactions[1].range.start.nanoseconds
    #expect(cancels.allSatisfy { $0.start >= turn })
  }

  @Test
  func `S-9: eight dropped frames, then none, then none with less main-thread work`() throws {
    let runs = try ["panel-1-on-demand", "panel-2-spare-time", "panel-3-background"].map(Seen.init)
    #expect(runs.map(\.surface.counts.hitches) == [8, 0, 0])
    #expect(runs.map(\.surface.hitchTime?.nanoseconds) == [8 * 16_666_667, 0, 0])
    let main = try runs.map { try #require($0.work?.mainBusy).nanoseconds }
    let background = try runs.map { try #require($0.work?.backgroundBusy).nanoseconds }
    // The same work, but for the line that is ready at the end: flat in place of peaks.
    #expect(abs(main[1] - main[0]) * 100 < main[0] * 15)
    #expect(main[2] * 100 < main[1] * 80)
    #expect(background[0] == 0 && background[1] == 0 && background[2] > 0)
    let peaks = runs.map { $0.surface.mainWork.map(\.busy.nanoseconds).max() ?? 0 }
    #expect(peaks[0] > 16_666_667 && peaks[1] < 10_000_000 && peaks[2] < peaks[1])
  }

  @Test func `S-10: reloading discards all cells, differences keep them`() throws {
    let reload = try Seen("snapshot-reload")
    let differences = try Seen("snapshot-differences")
    func kinds(_ seen: Seen) -> [String?] {
      seen.spans("data applySnapshot").filter { $0.arguments["inserted"] == "2" }
        .map { $0.arguments["kind"] }
    }
    #expect(kinds(reload) == ["reload", "reload", "reload"])
    #expect(kinds(differences) == ["differences", "differences", "differences"])
    let more =
      reload.spans("cell prepare").count - differences.spans("cell prepare").count
    #expect(more >= 3 * 8)
    #expect(reload.surface.counts.deadlineMisses == 3)
    #expect(differences.surface.counts.deadlineMisses == 0)
  }

  @Test func `S-11: with a registration per cell, no cell is reused`() throws {
    let seen = try Seen("registration-per-cell")
    let cells = seen.spans("cell prepare")
    #expect(cells.allSatisfy { $0.arguments["reused"] == "false" })
    #expect(Set(cells.map { $0.arguments["registration"] }).count == cells.count)
    #expect(seen.spans("cell dequeue").isEmpty)
    #expect(seen.surface.counts.hitches ?? 0 > 3)
  }

  @Test func `S-12: reconfiguring keeps the cell, reloading replaces it`() throws {
    let reload = try Seen("item-reload")
    let reconfigure = try Seen("item-reconfigure")
    let changed = reconfigure.spans("data applySnapshot").compactMap {
      $0.arguments["reconfigured"].flatMap { Int($0) }
    }
    let reloaded = reload.spans("data applySnapshot").compactMap {
      $0.arguments["reloaded"].flatMap { Int($0) }
    }
    #expect(changed.reduce(0, +) >= 40 && reloaded.reduce(0, +) >= 40)
    #expect(reload.spans("cell prepare").count >= reconfigure.spans("cell prepare").count + 40)
    #expect(reload.surface.counts.hitches ?? 0 >= 5)
    #expect(reconfigure.surface.counts.hitches == 0)
  }

  @Test func `S-13: placeholders are displayed, and stale results reach the cell of another item`()
    throws
  {
    let wrong = try Seen("captured-cell")
    let late = wrong.marks("data lateResult")
    #expect(late.count > 0)
    for result in late {
      // The view had been given another item since the request.
      let cell = wrong.marks("cell willDisplay").last {
        $0.arguments["view"] == result.arguments["view"] && $0.start <= result.start
      }
      #expect(try #require(cell).arguments["item"] != result.arguments["item"])
    }
    let right = try Seen("feed-smooth")
    #expect(right.marks("data lateResult").isEmpty)
    // For how long the user saw a placeholder.
    let first = try #require(right.marks("image placeholder").first)
    let final = try #require(
      right.marks("image final").first { $0.arguments["item"] == first.arguments["item"] })
    #expect(final.start - first.start > 18_000_000)
  }

  @Test func `S-14: images are decoded in the commit, or on another thread, or small`() throws {
    let main = try Seen("feed-commit-hitches")
    let decodes = main.spans("image decode")
    #expect(decodes.count > 5 && decodes.allSatisfy { $0.track == main.main })
    #expect(decodes.contains { $0.length > 16_666_667 })
    let background = try Seen("feed-smooth")
    #expect(background.spans("image decode").allSatisfy { $0.track != background.main })
    #expect(background.surface.counts.hitches == 0)

    let small = try Seen("image-thumbnails")
    let thumbnails = small.spans("image thumbnail")
    #expect(thumbnails.count > 5 && small.spans("image decode").isEmpty)
    let usual = background.spans("image decode").map(\.length).max() ?? 0
    #expect((thumbnails.map(\.length).max() ?? .max) * 3 < usual)
    // The cache keeps some of them, throws others out, and knows the difference on the way back.
    #expect(small.marks("image evict").count > 0)
    #expect(small.marks("image cacheHit").count > 0)
    #expect(small.marks("image cacheMiss").count > 0)
  }

  @Test
  func `S-15: headroom remains if nothing hitches, and shrinks if work is not done in advance`()
    throws
  {
    let smooth = try #require(Seen("feed-smooth").surface.slackP5)
    let hitching = try #require(Seen("feed-commit-hitches").surface.slackP5)
    #expect(smooth.nanoseconds > 10_000_000)
    #expect(hitching < smooth)
  }

  @Test func `S-16: a running average estimates sizes better than a fixed estimate`() throws {
    func error(_ name: String) throws -> (count: Int, sum: Double) {
      let sizes = try Seen(name).spans("cell size").compactMap { span -> Double? in
        guard let guess = span.arguments["estimatedSize"].flatMap({ Double($0) }),
          let size = span.arguments["size"].flatMap({ Double($0) })
        else { return nil }
        return abs(size - guess)
      }
      return (sizes.filter { $0 > 0 }.count, sizes.reduce(0, +))
    }
    let fixed = try error("sizes-estimate")
    let average = try error("sizes-average")
    #expect(fixed.count > 10 && average.count > 10)
    #expect(average.sum * 1.5 < fixed.sum)
  }

  @Test func `S-17: every kind of interaction has its own ratio`() throws {
    let seen = try Seen("interactions")
    #expect(
      seen.surface.interactions.map(\.kind) == [
        "refresh", "drag", "deceleration", "animation", "paging", "reorder", "reorder",
      ])
    #expect(seen.surface.interactions.allSatisfy { $0.hitchTime != nil })
    let sum = seen.surface.interactions.reduce(Int64(0)) { $0 + ($1.hitchTime?.nanoseconds ?? 0) }
    #expect(sum == seen.surface.hitchTime?.nanoseconds)
    let moves = seen.spans("data applySnapshot").filter { $0.arguments["kind"] == "reorder" }
    // Three lines within the view, then over two views.
    #expect(moves.count > 6)
    let refreshed = seen.spans("data applySnapshot").filter { $0.arguments["inserted"] == "3" }
    #expect(refreshed.count == 1)
  }
}
