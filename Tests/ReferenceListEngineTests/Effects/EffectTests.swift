import Foundation
import ReferenceListEngine
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The effects of S-1 to S-17 follow from costs and policies, and disappear with their reasons.
@Suite struct EffectTests {
  @Test
  func `each effect is there where its reason is, gone where it is not, and on the page`() throws {
    let rows = Set(Effect.all.map(\.row))
    #expect(rows == Set((1...17).map { "S-\($0)" }))
    let page = try String(
      contentsOf: SampleTests.folder.deletingLastPathComponent().appendingPathComponent(
        "Sources/ReferenceListEngine/ReferenceListEngine.docc/ReferenceListEngine.md"),
      encoding: .utf8)
    for effect in ExtraCases.some(1, of: Effect.all) {
      let result = try effect.result()
      #expect(effect.isClaimed(result.shown), "\(effect.row): \(result.shown)")
      #expect(!effect.isClaimed(result.gone), "\(effect.row): \(result.gone)")
      let isOnPage = page.contains(effect.tableRow(result))
      #expect(isOnPage, "\(effect.tableRow(result))")
    }
  }

  /// A feed in which every step occurs.
  private static func busyFeed() -> (EngineConfiguration, ScrollScript) {
    var feed = EngineConfiguration(content: ListContent(feedOf: 300, seed: 3))
    feed.columns = 2
    feed.sizing = .estimate(60_000)
    feed.costs.readData = 1_000_000
    let script = ScrollScript(
      steps: [
        .rest(200_000_000), .drag(velocity: 1_200_000, for: 2_500_000_000), .rest(600_000_000),
      ],
      updates: [500_000_000, 900_000_000].map { ListUpdate(at: $0, .insert(2, at: 250)) })
    return (feed, script)
  }

  /// The time that the main thread and the others spent.
  private static func time(
    _ feed: EngineConfiguration, _ script: ScrollScript
  ) throws -> (main: Nanoseconds, background: Nanoseconds, waiting: Nanoseconds) {
    let counters = try EngineRun(feed, script).counters
    return (counters.mainBusy, counters.backgroundBusy, counters.backgroundWaiting)
  }

  private static var mainCosts: [WritableKeyPath<CostModel, Nanoseconds>] {
    [
      \.event, \.update, \.layout, \.layoutOfRow, \.dequeue, \.create, \.prepareForReuse,
      \.configureText, \.configurePhoto, \.readData, \.size, \.snapshot, \.differenceOfItem,
      \.moveOfLine, \.commit, \.commitOfRow, \.readOfKilobyte, \.decodeOfKilopixel,
    ]
  }

  @Test func `each cost of the main thread takes its time, and half of it half the time`() throws {
    let (feed, script) = Self.busyFeed()
    for (place, path) in ExtraCases.some(6, of: Array(Self.mainCosts.enumerated())) {
      func main(_ percent: Int64) throws -> Nanoseconds {
        var changed = feed
        // A fifth of all costs, so that no frame is late and all engines play the same frames.
        for other in Self.mainCosts { changed.costs[keyPath: other] /= 5 }
        // A pool that is filled before the first frame leaves nothing to create.
        if path == \.create { changed.policies.registrations = .perCell }
        changed.costs[keyPath: path] = feed.costs[keyPath: path] / 5 * percent / 100
        return try Self.time(changed, script).main
      }
      // Data that costs nothing to read is downloaded instead.
      let (none, half, all) = try (main(path == \.readData ? 1 : 0), main(50), main(100))
      #expect(none < half && half < all, "cost \(place): \(none), \(half), \(all)")
      let (first, second) = (half - none, all - half)
      #expect(first < 2 * second && second < 2 * first, "cost \(place): \(none), \(half), \(all)")
    }
  }

  @Test func `a download is a wait and no work, whatever it takes`() throws {
    var (feed, script) = Self.busyFeed()
    feed.policies.images = .background
    for path in [\CostModel.latency, \.downloadOfKilobyte] as [WritableKeyPath] {
      var slow = feed
      slow.costs[keyPath: path] *= 3
      let (usual, longer) = try (Self.time(feed, script), Self.time(slow, script))
      #expect(longer.waiting > usual.waiting + usual.waiting / 20)
      // What arrives later may not be decoded any more, and nothing else changes.
      #expect(longer.background <= usual.background + usual.background / 20)
    }
  }

  @Test func `S-14: a thumbnail costs its pixels, never more than the whole image`() throws {
    var (feed, script) = Self.busyFeed()
    feed.policies.images = .background
    feed.imageCacheBytes = 1 << 30
    let whole = try Self.time(feed, script).background
    feed.policies.images = .thumbnails
    var before: Nanoseconds = 0
    for side in [40, 120, 240, 400, 4_000] as [Int64] {
      feed.imageSize = ImageSize(width: side, height: side, scale: 2)
      let time = try Self.time(feed, script).background
      #expect(time > before && time <= whole || time == before && time == whole)
      before = time
    }
    #expect(before == whole)
  }

  @Test func `S-12: what an existing cell saves is what reconfiguring costs less`() throws {
    let script = ScrollScript(
      steps: [.rest(150_000_000), .drag(velocity: 100_000, for: 1_000_000_000)],
      updates: [400_000_000, 700_000_000].map { ListUpdate(at: $0, .change(3)) })
    func main(_ updates: EnginePolicies.Updates, saved: Int64, size: Nanoseconds) throws
      -> Nanoseconds
    {
      var feed = EngineConfiguration(
        content: ListContent(feedOf: 300, seed: 3, percentOfPhotos: 0))
      feed.costs.readData = 1_000
      feed.costs.size = size
      feed.costs.savedByExistingCell = saved
      feed.policies.updates = updates
      return try Self.time(feed, script).main
    }
    let reload = try main(.reload, saved: 0, size: 500_000)
    let again = try main(.reconfigure, saved: 0, size: 500_000)
    let half = try main(.reconfigure, saved: 50, size: 500_000)
    #expect(half < again && again < reload)
    // Six cells are configured again: half of the handler is half of 1.4 ms each, within 30 %.
    #expect(abs(again - half - 6 * 700_000) < 6 * 210_000)
    // Without a size to measure, only taking the cell from the pool is saved.
    let bare = try main(.reload, saved: 0, size: 0) - main(.reconfigure, saved: 0, size: 0)
    #expect(bare < (reload - again) / 2)
  }
}
