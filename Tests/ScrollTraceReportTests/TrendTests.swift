import Foundation
import ScrollTraceGate
import ScrollTraceLayout
import ScrollTraceSummary
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// Which build made scrolling worse, on which devices, and by which cause.
struct TrendTests {
  /// A device of a fleet.
  private struct Device: Sendable {
    let name: String
    /// The hitch time ratio in ms/s.
    let level: Double
    /// The average number of traces of a build.
    var traces: @Sendable (_ build: Int) -> Int = { _ in 40 }
    /// The factor of the time of the function.
    var factor: @Sendable (_ build: Int) -> Double = { _ in 1 }
    /// The factor of the time of layout.
    var layout: @Sendable (_ build: Int) -> Double = { _ in 1 }
    /// How much more or less content sessions scroll through, as a factor of all their hitch times.
    var contents: ClosedRange<Double> = 1...1
    /// The factor of all hitch times on the screen profile.
    var profile: @Sendable (_ build: Int) -> Double = { _ in 1 }
    /// The share of the time that is on that screen.
    var timeOnProfile: @Sendable (_ build: Int) -> Double = { _ in 0.25 }
  }

  private static let function = "decodeAvatar"

  /// The sums of the traces of a build and device: added up here, since merging many lines is slow in debug builds.
  private struct Sums {
    private var (motion, hitchTime, longest) = (Int64(0), Int64(0), Int64(0))
    private var (motions, squares, products): (WideInteger, WideInteger, WideInteger) = (0, 0, 0)

    mutating func add(_ motion: Int64, _ time: Int64) {
      self.motion += motion
      hitchTime += time
      longest = max(longest, time / 7)
      let (motion, time) = (WideInteger(motion), WideInteger(time))
      motions = motions + motion * motion
      squares = squares + time * time
      products = products + motion * time
    }

    func scope(session: String? = nil) -> SummaryScope {
      var scope = SummaryScope()
      scope[.motion] = SummaryValue(motion)
      scope[.hitchTime] = SummaryValue(hitchTime)
      scope[.longestHitch] = SummaryValue(longest)
      scope[.motionSquares] = SummaryValue(motions)
      scope[.hitchTimeSquares] = SummaryValue(squares)
      scope[.products] = SummaryValue(products)
      scope.longestHitchSession = session
      return scope
    }
  }

  /// The sums of a fleet by build and device. Two thirds of the hitch time are of one cause.
  private static func fleet(_ devices: [Device], builds: Int = 20, seed: UInt64) -> TraceSummary {
    var random = SeededGenerator(seed: seed)
    var sum = TraceSummary.zero
    for build in 0..<builds {
      for device in devices {
        var attributes = SummaryAttributes()
        _ = attributes.set("build", to: "1.\(build)")
        _ = attributes.set("device", to: device.name)
        var (whole, feed, profile) = (Sums(), Sums(), Sums())
        var causes: [String: (time: Int64, hitches: Int64)] = [:]
        let count = device.traces(build)
        for _ in 0..<count {
          let motion = Int64.random(in: 10_000_000_000...60_000_000_000, using: &random)
          let noise = (1...3).map { _ in Double.random(in: 0.5...1.5, using: &random) }
          let content = Double.random(in: device.contents, using: &random)
          let slower = device.profile(build)
          let onProfile = device.timeOnProfile(build)
          let level =
            device.level / 1_000 * Double(motion) * content * (1 - onProfile + slower * onProfile)
          let times = [
            (function, level * 2 / 3 * noise[0] * device.factor(build)),
            ("layout", level / 6 * noise[1] * device.layout(build)),
            ("bindRow", level / 6 * noise[2]),
          ]
          var time: Int64 = 0
          for (name, own) in times {
            time += Int64(own)
            causes[name, default: (0, 0)].time += Int64(own)
            causes[name, default: (0, 0)].hitches += Int64(own / 16_666_667)
          }
          let hitches = Int64(
            Double(time) * slower * onProfile / (1 - onProfile + slower * onProfile))
          let motionOnProfile = Int64(Double(motion) * onProfile)
          whole.add(motion, time)
          feed.add(motion - motionOnProfile, time - hitches)
          profile.add(motionOnProfile, hitches)
        }
        guard count > 0 else { continue }
        var row = SummaryRow()
        (row[.traces], row[.weight]) = (WideInteger(count), WideInteger(count))
        for (name, category) in [(function, "image"), ("layout", "phase"), ("bindRow", "cell")] {
          let sums = causes[name] ?? (0, 0)
          row.causes[SummaryCause(category: category, name: name)] = SummaryCauseSums(
            hitchTime: WideInteger(sums.time), hitches: WideInteger(sums.hitches))
        }
        row.scopes[SummaryScope.all] = whole.scope(session: "\(device.name)-\(build)")
        for (screen, sums) in [("feed", feed), ("profile", profile)] {
          row.scopes[SummaryScope.name(ofState: "screen", value: screen)] = sums.scope()
        }
        let rate: Int64 = device.name == "tablet" ? 8_333_333 : 16_666_667
        sum += TraceSummary(
          SummaryKey(
            surface: "display", basis: "target", refreshInterval: rate, attributes: attributes),
          row)
      }
    }
    return sum
  }

  private static func trend(_ summary: TraceSummary) -> Trend { Trend(of: summary, TrendQuery()) }

  private static let usual = [
    Device(name: "phone", level: 20), Device(name: "tablet", level: 40),
    Device(name: "old", level: 80),
  ]

  @Test func `a slower function on one device is named with its build and its device`() throws {
    for seed in ExtraCases.some(1, of: 0..<6 as Range<UInt64>) {
      let change = 4 + Int(seed) * 2
      var devices = Self.usual
      devices[2].factor = { $0 >= change ? 1.2 : 1 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      let found = try #require(trend.headline)
      #expect(trend.isWorse && found.range.contains(change) && abs(found.buildIndex - change) <= 1)
      #expect(found.strata.map { trend.strata[$0].names } == [["old"]])
      #expect(found.causes.first?.name == "image/\(Self.function)")
      #expect(found.session?.hasPrefix("old-") == true)
      #expect(abs(found.difference - 10.7) < 2 * found.uncertainty)
      // What the others may have together is less than half of it, as a part of their level.
      let most = try #require(found.others.most)
      #expect(found.others.count == 2 && most < 0.1)
    }
  }

  @Test func `a function is found by its share where sessions differ more than it`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].contents = 0.1...1.9 }
      devices[1].factor = { $0 >= 10 ? 1.25 : 1 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      let found = try #require(trend.headline)
      #expect(trend.isWorse && abs(found.buildIndex - 10) <= 1)
      #expect(found.strata.map { trend.strata[$0].names } == [["tablet"]])
      #expect(found.causes.first?.name == "image/\(Self.function)")
    }
  }

  @Test func `a function is found as well where every hitch has all causes`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].contents = 0.1...1.9 }
      devices[1].factor = { $0 >= 10 ? 1.25 : 1 }
      var sum = Self.fleet(devices, seed: seed)
      for (key, row) in sum.rows {
        let hitches = row.causes.values.reduce(WideInteger(0)) { $0 + $1.hitches }
        var row = row
        for cause in row.causes.keys { row.causes[cause]?.hitches = hitches }
        row.scopes[SummaryScope.all]?[.hitches] = SummaryValue(hitches)
        sum.rows[key] = row
      }
      let trend = Self.trend(sum)
      let found = try #require(trend.headline)
      #expect(trend.isWorse && abs(found.buildIndex - 10) <= 1)
      #expect(found.strata.map { trend.strata[$0].names } == [["tablet"]])
      #expect(found.causes.first?.name == "image/\(Self.function)")
    }
  }

  @Test func `of few builds, the one from which a function is slower or faster is named`() {
    var found = 0
    let histories = ExtraCases.some(1, of: [8, 6, 10])
    for builds in histories {
      for change in 1..<builds {
        var devices = Self.usual
        for index in devices.indices { devices[index].contents = 0.1...1.9 }
        let isSlower = change % 2 == 1
        devices[1].factor = { ($0 >= change) == isSlower ? 1.4 : 1 }
        let seed = UInt64(builds * 100 + change)
        let trend = Self.trend(Self.fleet(devices, builds: builds, seed: seed))
        guard let answer = trend.answer else { continue }
        found += 1
        #expect(answer.isWorse == isSlower && answer.build == "1.\(change)")
        #expect(answer.strata == ["tablet"] && answer.cause == "image/\(Self.function)")
      }
    }
    #expect(found * 7 >= histories.reduce(0) { $0 + $1 - 1 } * 4)
  }

  @Test func `without a change, what would be found is said of all devices and of one`() {
    let trend = Self.trend(Self.fleet(Self.usual, seed: 1))
    let text = TextRenderer().render(Report(trend))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("NO CHANGE found in 20 builds; "))
    #expect(words.contains(" ms/s on all 3 devices, or ") && words.contains("(phone) to "))
    #expect(words.contains(" ms/s (old) on one would be found"))
  }

  @Test func `few builds of sessions that differ a lot, and long hitches of a few, are no change`()
  {
    let seeds = ExtraCases.some(6, of: 20..<40 as Range<UInt64>)
    let alarms = seeds.count { seed in
      var devices = Self.usual
      for index in devices.indices { devices[index].contents = 0.1...1.9 }
      var sum = Self.fleet(devices, builds: 4 + Int(seed % 7), seed: seed)
      for (key, row) in sum.rows where key.attributes["build"] == "1.3" {
        var row = row
        let idle = SummaryCause(category: nil, name: "idle")
        row.causes[idle] = SummaryCauseSums(hitchTime: 3_000_000_000, hitches: 1)
        sum.rows[key] = row
      }
      return !Self.trend(sum).changes.isEmpty
    }
    #expect(alarms * 10 <= seeds.count)
  }

  @Test func `a step between the first build and few others is found on its device`() throws {
    let seeds = ExtraCases.some(1, of: 0..<6 as Range<UInt64>)
    for seed in seeds {
      var devices = Self.usual
      devices[0].factor = { $0 >= 1 ? 4 : 1 }
      let trend = Self.trend(Self.fleet(devices, builds: 5, seed: seed))
      let found = try #require(trend.headline)
      #expect(found.isWorse && found.buildIndex == 1)
      #expect(found.strata.map { trend.strata[$0].names } == [["phone"]])
    }
  }

  @Test func `two changes are found at their builds`() throws {
    var devices = Self.usual
    devices[0].factor = { $0 >= 3 ? 1.5 : 1 }
    devices[2].factor = { $0 >= 7 ? 1.5 : 1 }
    let trend = Self.trend(Self.fleet(devices, builds: 10, seed: 9))
    #expect(trend.changes.map(\.buildIndex) == [3, 7])
    #expect(
      trend.changes.flatMap { $0.strata.flatMap { trend.strata[$0].names } } == ["phone", "old"])
  }

  @Test
  func `two functions that slow down on two devices at once are named with their devices`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      devices[1].layout = { $0 >= 10 ? 1.8 : 1 }
      devices[2].factor = { $0 >= 10 ? 1.5 : 1 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      let found = try #require(trend.headline)
      #expect(found.buildIndex == 10)
      func names(_ cause: String) throws -> [[String]] {
        try #require(found.causes.first { $0.name == cause }).strata.map { trend.strata[$0].names }
      }
      #expect(try names("image/\(Self.function)") == [["old"]])
      #expect(try names("phase/layout") == [["tablet"]])
      let text = TextRenderer().render(Report(trend))
      #expect(text.contains("(old), ") && text.contains("(tablet), "))
    }
  }

  @Test func `a change for the worse that is later taken back by less than half is the headline`()
    throws
  {
    var devices = Self.usual
    devices[2].factor = { $0 < 6 ? 1 : $0 < 13 ? 1.9 : 1.6 }
    let partly = Self.trend(Self.fleet(devices, seed: 8))
    #expect(partly.changes.map(\.isWorse) == [true, false])
    #expect(partly.isWorse && partly.headline?.buildIndex == 6)
    devices[2].factor = { $0 < 6 ? 1 : $0 < 13 ? 1.9 : 1.2 }
    #expect(!Self.trend(Self.fleet(devices, seed: 8)).isWorse)
  }

  @Test
  func `a change that is taken back is not left where a device has too few traces to show it`() {
    for seed in ExtraCases.some(1, of: 0..<6 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices {
        devices[index].contents = 0.1...1.9
        devices[index].factor = { (6..<13).contains($0) ? 1.5 : 1 }
      }
      devices[2].traces = { _ in 6 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      #expect(trend.changes.contains { $0.isWorse } && !trend.isWorse)
    }
  }

  @Test func `what is taken back on one of all devices is left on the others`() {
    for seed in ExtraCases.some(2, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].factor = { $0 < 6 ? 1 : 1.5 } }
      devices[2].factor = { (6..<13).contains($0) ? 1.5 : 1 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      #expect(trend.isWorse && trend.headline?.buildIndex == 6)
      let text = TextRenderer().render(Report(trend))
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("; better since 1.13, on old only"))
    }
  }

  @Test func `each step that is left is named`() {
    var devices = Self.usual
    for index in devices.indices { devices[index].factor = { $0 < 6 ? 1 : $0 < 13 ? 1.4 : 1.9 } }
    let text = TextRenderer().render(Report(Self.trend(Self.fleet(devices, seed: 8))))
    #expect(text.contains("WORSE  since build 1.13") && text.contains("also worse since 1.6"))
  }

  @Test func `a level that rises from build to build rises all along, and steps do not`() throws {
    for seed in ExtraCases.some(2, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].factor = { 1 + 0.03 * Double($0) } }
      let rising = Self.trend(Self.fleet(devices, seed: seed))
      let slope = try #require(rising.slope)
      #expect(rising.isWorse && slope.value > 2 * slope.uncertainty)
      let text = TextRenderer().render(Report(rising))
      #expect(text.contains("WORSE  all along, by +") && text.contains(" ms/s per build"))
      for factors in [[1, 1.4, 1.4], [1, 1.4, 1.9]] {
        for index in devices.indices { devices[index].factor = { factors[$0 / 7] } }
        #expect(Self.trend(Self.fleet(devices, seed: seed)).slope == nil)
      }
    }
  }

  @Test func `a large step that is left is the headline, also before a small one of one device`() {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].factor = { $0 < 6 ? 1 : 1.5 } }
      devices[0].factor = { $0 < 6 ? 1 : $0 < 13 ? 1.5 : 2 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      #expect(trend.changesLeft.map(\.buildIndex) == [6, 13])
      let text = TextRenderer().render(Report(trend))
      #expect(text.contains("WORSE  since build 1.6") && text.contains("also worse since 1.13"))
    }
  }

  @Test func `a function that only one device has is on that device only`() throws {
    var devices = Self.usual
    devices[1].factor = { $0 >= 10 ? 1.3 : 1 }
    var sum = Self.fleet(devices, seed: 4)
    for (key, row) in sum.rows where key.refreshInterval != 8_333_333 {
      var row = row
      let cause = SummaryCause(category: "image", name: Self.function)
      row.causes[SummaryCause(category: "image", name: "decode")] = row.causes.removeValue(
        forKey: cause)
      sum.rows[key] = row
    }
    let found = try #require(Self.trend(sum).headline)
    #expect(found.strata.count == 1 && found.excludesOthers && found.others.count == 2)
  }

  @Test func `a rare cause of one device does not hide what changes on the others`() throws {
    var devices = Self.usual
    for index in 0..<2 { devices[index].factor = { $0 >= 10 ? 1.3 : 1 } }
    var sum = Self.fleet(devices, seed: 6)
    for (key, row) in sum.rows where key.attributes["device"] == "old" {
      var row = row
      let cause = SummaryCause(category: "image", name: Self.function)
      if key.attributes["build"] != "1.3" { row.causes[cause] = nil }
      sum.rows[key] = row
    }
    let found = try #require(Self.trend(sum).headline)
    #expect(trend(found, in: sum) == ["phone", "tablet"])
  }

  private func trend(_ change: TrendChange, in sum: TraceSummary) -> [String] {
    let trend = Self.trend(sum)
    return change.strata.flatMap { trend.strata[$0].names }.sorted()
  }

  @Test func `a line with more traces than there are is no crash`() {
    var sum = Self.fleet(Self.usual, builds: 8, seed: 7)
    for (key, row) in sum.rows {
      var row = row
      row[.traces] = .maximumInSummary
      sum.rows[key] = row
    }
    #expect(!TextRenderer().render(Report(Self.trend(sum))).isEmpty)
  }

  @Test func `without a change, sessions that differ a lot are no change`() {
    for seed in ExtraCases.some(1, of: 10..<16 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].contents = 0.1...1.9 }
      #expect(Self.trend(Self.fleet(devices, seed: seed)).changes.isEmpty, "\(seed)")
    }
  }

  @Test func `devices are excluded only if their traces do it`() throws {
    var devices = Self.usual
    devices[2].factor = { $0 >= 10 ? 1.3 : 1 }
    let found = try #require(Self.trend(Self.fleet(devices, seed: 2)).headline)
    #expect(found.excludesOthers && found.strata.count == 1)
    for index in 0..<2 { devices[index].traces = { _ in 1 } }
    let few = try #require(Self.trend(Self.fleet(devices, seed: 2)).headline)
    #expect(!few.excludesOthers && few.others.count == 2)
  }

  @Test func `a device that certainly changed too, if only by less, is not excluded`() throws {
    for seed in ExtraCases.some(1, of: [2, 0, 1, 3] as [UInt64]) {
      var devices = Self.usual
      for index in devices.indices {
        devices[index].factor = { $0 < 10 ? 1 : index < 2 ? 1.12 : 1.5 }
      }
      let found = try #require(Self.trend(Self.fleet(devices, seed: seed)).headline)
      #expect(found.isWorse && (found.isOfAll || !found.excludesOthers))
    }
  }

  @Test func `devices with a small difference that is certain are not said to have too few traces`()
  {
    var devices = [
      Device(name: "phone", level: 1), Device(name: "tablet", level: 1.5),
      Device(name: "old", level: 80),
    ]
    for index in devices.indices {
      devices[index].contents = 0.1...1.9
      devices[index].traces = { _ in index < 2 ? 25 : 60 }
      devices[index].factor = { $0 < 10 ? 1 : index < 2 ? 1.3 : 1.5 }
    }
    let text = TextRenderer().render(Report(Self.trend(Self.fleet(devices, seed: 13))))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("WORSE since build 1.10, on ") && !words.contains("too few traces"))
  }

  @Test func `the cause of which most is certain is first, and what chance explains is not listed`()
  {
    func part(_ name: String, _ value: Double, _ error: Double) -> (
      name: String, value: Double, own: LevelSeries.Difference?
    ) {
      (name, value, LevelSeries.Difference(value: value, error: error, freedom: 18))
    }
    let parts = [part("rare", 0.9, 0.3), part("slower", 0.7, 0.1), part("noise", 0.5, 0.4)]
    let found = TrendChange.largest(parts, of: 2.1)
    #expect(found.parts.map(\.name) == ["slower", "rare"] && abs(found.other - 0.5) < 1e-9)
    // The largest of those that chance explains is better than none.
    let noise = TrendChange.largest([part("less", 0.4, 0.3), part("more", 0.6, 0.4)], of: 1)
    #expect(noise.parts.map(\.name) == ["more"])
  }

  @Test func `causes, and screens, add up to the difference`() throws {
    var devices = Self.usual
    devices[1].factor = { $0 >= 9 ? 1.5 : 1 }
    let found = try #require(Self.trend(Self.fleet(devices, seed: 3)).headline)
    let causes = found.causes.reduce(found.otherCauses) { $0 + $1.value }
    #expect(abs(causes - found.difference) < 1e-9)
    let screens = try #require(found.scopes.first { $0.name == "screen" })
    #expect(abs(screens.parts.reduce(screens.other) { $0 + $1.value } - found.difference) < 1e-9)
  }

  @Test func `a mix that shifts to slow devices is no change, and is named`() throws {
    for seed in ExtraCases.some(1, of: 0..<6 as Range<UInt64>) {
      var devices = Self.usual
      devices[0].traces = { 80 - 4 * $0 }
      devices[2].traces = { 4 + 4 * $0 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      #expect(trend.changes.isEmpty && !trend.isWorse && !trend.hasTooFew)
      let mix = try #require(trend.mixChange)
      #expect(mix.after - mix.before > 5 && abs(mix.constantMix.value) * 3 < mix.after - mix.before)
    }
  }

  @Test func `more time on a slow screen is no change, and is said`() {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices {
        devices[index].profile = { _ in 5 }
        devices[index].timeOnProfile = { $0 >= 10 ? 0.5 : 0.2 }
      }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      #expect(trend.changes.isEmpty && !trend.isWorse)
      let text = TextRenderer().render(Report(trend))
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("NO CHANGE") && words.contains("more time on some screens"))
    }
  }

  @Test func `a small rest beside more time on a slow screen is no change`() {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices {
        devices[index].profile = { _ in 5 }
        devices[index].timeOnProfile = { $0 >= 10 ? 0.6 : 0.2 }
        devices[index].factor = { $0 >= 10 ? 1.06 : 1 }
      }
      let sum = Self.fleet(devices, seed: seed)
      #expect(!Self.trend(sum).isWorse)
      let text = TextRenderer().render(Report(Self.trend(sum)))
      #expect(!text.contains("all traces together"))
    }
  }

  @Test func `more of a cause that may be of the screen that has more of the time is no change`() {
    for seed in ExtraCases.some(1, of: 0..<6 as Range<UInt64>) {
      let trends = [0.15, 0.6].map { share in
        var devices = Self.usual
        for index in devices.indices {
          devices[index].contents = 0.1...1.9
          devices[index].traces = { _ in 12 }
          devices[index].factor = { $0 >= 10 ? 0.93 : 1 }
          devices[index].layout = { $0 >= 10 ? 1.6 : 1 }
          devices[index].timeOnProfile = { $0 >= 10 ? share : 0.15 }
        }
        return Self.trend(Self.fleet(devices, seed: seed))
      }
      // Elsewhere, the whole shows it too.
      guard let change = trends[0].headline, change.found != nil,
        change.whole.value.magnitude * 1.5 < change.whole.uncertainty
      else { continue }
      #expect(change.isWorse)
      #expect(trends[1].changes.isEmpty && trends[1].screenMixes.count == 1)
    }
  }

  @Test func `at a constant mix of screens, causes of the mix are not named`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices {
        devices[index].profile = { _ in 5 }
        devices[index].timeOnProfile = { $0 >= 10 ? 0.6 : 0.2 }
      }
      var query = TrendQuery()
      query.split = [.attribute("device"), .state("screen")]
      #expect(Trend(of: Self.fleet(devices, seed: seed), query).changes.isEmpty)
      for index in devices.indices { devices[index].factor = { $0 >= 10 ? 1.5 : 1 } }
      let trend = Trend(of: Self.fleet(devices, seed: seed), query)
      let found = try #require(trend.headline)
      #expect(found.isWorse && found.causes.isEmpty)
      let text = TextRenderer().render(Report(trend))
      #expect(text.contains("causes are not followed with --split screen"))
    }
  }

  @Test func `traces whose build is merged with others have no place in the order`() {
    var sum = Self.fleet(Self.usual, builds: 8, seed: 1)
    sum = sum.mapKeys { key in
      var key = key
      if key.attributes["build"] == "1.7" { _ = key.attributes.set("build", to: "other") }
      return key
    }
    let trend = Self.trend(sum)
    #expect(trend.items.map(\.name) == (0..<7).map { "1.\($0)" } && trend.foldedTraces == 120)
    #expect(TextRenderer().render(Report(trend)).contains("120 traces whose build is 'other'"))
  }

  @Test func `builds whose traces lost data are named`() {
    var sum = Self.fleet(Self.usual, seed: 1)
    #expect(!TextRenderer().render(Report(Self.trend(sum))).contains("lost data"))
    for (key, row) in sum.rows where ["1.18", "1.19"].contains(key.attributes["build"] ?? "") {
      var row = row
      row[.lossy] = row[.traces]
      sum.rows[key] = row
    }
    let text = TextRenderer().render(Report(Self.trend(sum)))
    #expect(text.contains("1.18, 1.19: of 240 traces, 240 lost data; hitches can be missing"))
  }

  @Test func `hashes are said to have no order`() {
    let hashes = ["3f2a91c", "90be21d", "1234567", "abcdef0", "77aa10e"]
    let sum = Self.fleet(Self.usual, builds: 5, seed: 1).mapKeys { key in
      var key = key
      let number = key.attributes["build"].flatMap { $0.last?.wholeNumberValue } ?? 0
      _ = key.attributes.set("build", to: hashes[number])
      return key
    }
    #expect(TextRenderer().render(Report(Self.trend(sum))).contains("build looks like a hash"))
    #expect(Self.trend(sum).isUndecided)
    let numbered = Self.trend(Self.fleet(Self.usual, builds: 5, seed: 1))
    #expect(!numbered.hasHashes && !numbered.isUndecided)
  }

  @Test func `a change and its reversal are two changes, the last of which is for the better`() {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].factor = { (9..<12).contains($0) ? 1.5 : 1 } }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      #expect(trend.changes.map(\.buildIndex) == [9, 12])
      #expect(trend.changes.map(\.isWorse) == [true, false] && !trend.isWorse)
      let text = TextRenderer().render(Report(trend))
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        words.contains("2 changes in 20 builds; before, worse since 1.9, on all 3 devices, +"))
    }
  }

  @Test func `a cause that is slower makes it worse, also if the whole does not show it`() throws {
    for seed in ExtraCases.some(1, of: 0..<6 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].contents = 0.1...1.9 }
      devices[1].traces = { _ in 12 }
      devices[1].factor = { $0 >= 10 ? 1.2 : 1 }
      let trend = Self.trend(Self.fleet(devices, seed: seed))
      guard let change = trend.headline else { continue }
      #expect(change.isWorse && change.causes.first?.name == "image/\(Self.function)")
      guard let found = change.found else { continue }
      #expect(found.value > 0)
      let text = TextRenderer().render(Report(trend))
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(" ms/s; in all, not certainly, "))
    }
  }

  @Test func `builds that the changed device did not run may have begun the change`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      devices[1].factor = { $0 >= 9 ? 1.5 : 1 }
      devices[1].traces = { (8..<11).contains($0) ? 0 : 40 }
      let change = try #require(Self.trend(Self.fleet(devices, seed: seed)).headline)
      #expect(change.buildIndex == 11 && change.range == 8...11)
    }
  }

  @Test func `the table has the levels of the sentence`() throws {
    var devices = Self.usual
    devices[1].factor = { $0 >= 9 ? 1.5 : 1 }
    let trend = Self.trend(Self.fleet(devices, seed: 3))
    let change = try #require(trend.headline)
    let levels = try #require(
      change.levels(of: change.strata.map { trend.strata[$0] }, .hitchTimeRatio))
    #expect(levels == (change.before, change.after))
  }

  @Test func `a device with two refresh rates is not counted as two devices`() {
    let sum = Self.fleet(Self.usual, seed: 5).mapKeys { key in
      var key = key
      if key.refreshInterval == 8_333_333 { _ = key.attributes.set("device", to: "old") }
      return key
    }
    let text = TextRenderer().render(Report(Self.trend(sum)))
    #expect(text.contains("By device and refresh rate"))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("on all 3 kinds of traces") && !words.contains("3 devices"))
  }

  @Test func `a device that is slow from its first build is new and no change`() {
    let newcomer = Device(name: "new", level: 150, traces: { $0 < 8 ? 0 : 120 })
    let trend = Self.trend(Self.fleet(Self.usual + [newcomer], seed: 5))
    #expect(trend.changes.isEmpty)
    let text = TextRenderer().render(Report(trend))
    #expect(text.contains("new since 1.8: new, 1"))
  }

  @Test func `a build with few traces is no change`() {
    for seed in ExtraCases.some(1, of: 0..<6 as Range<UInt64>) {
      let few = Self.usual.map { device in
        Device(
          name: device.name, level: device.level, traces: { $0 == 12 ? 1 : 40 },
          factor: { $0 == 12 ? 1.6 : 1 })
      }
      #expect(Self.trend(Self.fleet(few, seed: seed)).changes.isEmpty)
    }
  }

  @Test func `a last build of too few traces is said to have too few, and not to be no change`() {
    for seed in ExtraCases.some(1, of: 10..<16 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices {
        devices[index].contents = 0.1...1.9
        devices[index].traces = { $0 < 19 ? 40 : index == 0 ? 1 : 0 }
      }
      let few = Self.trend(Self.fleet(devices, seed: seed))
      #expect(few.changes.isEmpty && few.hasTooFew, "\(seed)")
      let text = TextRenderer().render(Report(few))
      #expect(text.contains("TOO FEW  traces of build 1.19 to show even an eightfold change"))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
      devices[2].factor = { $0 < 10 ? 1 : 1.9 }
      let changed = Self.trend(Self.fleet(devices, seed: seed))
      #expect(changed.isWorse && !changed.hasTooFew)
      #expect(
        TextRenderer().render(Report(changed)).contains("build 1.19 has too few traces to show"))
      for index in devices.indices { devices[index].traces = { $0 < 19 ? 40 : 10 } }
      devices[2].factor = { _ in 1 }
      #expect(!Self.trend(Self.fleet(devices, seed: seed)).hasTooFew)
    }
  }

  @Test func `what a last build of few traces would show is said`() {
    for seed in ExtraCases.some(1, of: 0..<2 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].traces = { $0 < 19 ? 40 : 8 } }
      let text = TextRenderer().render(Report(Self.trend(Self.fleet(devices, seed: seed))))
      #expect(text.contains("NO CHANGE  found in 20 builds"))
      #expect(text.contains("build 1.19 has 24 traces, in which only "))
      let usual = TextRenderer().render(Report(Self.trend(Self.fleet(Self.usual, seed: seed))))
      #expect(!usual.contains("in which only"))
    }
  }

  /// The same fleet with another name of the function from build 1.10 on, or from each of several.
  private static func renamed(
    _ sum: TraceSummary, _ names: [(last: String, name: String)] = [("1.9", "renamed")]
  ) -> TraceSummary {
    sum.rows.reduce(into: TraceSummary.zero) {
      var (key, row) = ($1.key, $1.value)
      let build = key.attributes["build"] ?? ""
      if let name = names.last(where: { Trend.precedes($0.last, build) })?.name {
        let old = SummaryCause(category: "image", name: Self.function)
        row.causes[SummaryCause(category: "image", name: name)] = row.causes[old]
        row.causes[old] = nil
      }
      key.surface = "display"
      $0 += TraceSummary(key, row)
    }
  }

  @Test func `a cause that is only renamed is no change`() {
    let trend = Self.trend(Self.renamed(Self.fleet(Self.usual, seed: 8)))
    #expect(trend.changes.isEmpty)
    #expect(trend.renames.map(\.new.name) == ["renamed"])
  }

  @Test func `a cause that is renamed twice is one`() throws {
    let names: [(last: String, name: String)] = [("1.5", "renamed"), ("1.12", "again")]
    let usual = Self.trend(Self.renamed(Self.fleet(Self.usual, seed: 8), names))
    #expect(usual.changes.isEmpty && Set(usual.renames.map(\.new.name)) == ["renamed", "again"])
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].factor = { $0 >= 10 ? 1.3 : 1 } }
      let sum = Self.renamed(Self.fleet(devices, seed: seed), names)
      let found = try #require(Self.trend(sum).headline)
      #expect(found.isWorse && found.buildIndex == 10)
      #expect(found.causes.first?.name == "image/again")
    }
  }

  @Test
  func `a function with a new name does not hide what got slower, be it that or another`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].layout = { $0 >= 10 ? 2 : 1 } }
      let other = try #require(Self.trend(Self.renamed(Self.fleet(devices, seed: seed))).headline)
      #expect(other.isWorse && other.buildIndex == 10)
      #expect(other.causes.first?.name == "phase/layout")
      for index in devices.indices {
        devices[index].layout = { _ in 1 }
        devices[index].factor = { $0 >= 10 ? 1.3 : 1 }
      }
      let same = Self.trend(Self.renamed(Self.fleet(devices, seed: seed)))
      let change = try #require(same.headline)
      #expect(change.isWorse && change.buildIndex == 10)
      #expect(change.causes.first?.name == "image/renamed")
      let text = TextRenderer().render(Report(same))
      #expect(text.contains("one cause: image/\(Self.function) and, since 1.10, image/renamed"))
    }
  }

  /// The same fleet with the function known only by its address, in a module whose build ID `id` makes of the build.
  private static func unnamed(
    _ sum: TraceSummary, _ id: (String) -> String
  ) -> TraceSummary {
    var sum = sum
    for (key, row) in sum.rows {
      var row = row
      let named = SummaryCause(category: "image", name: Self.function)
      let text = "libFeed.so+0x1f40 build:\(id(key.attributes["build"] ?? ""))"
      row.causes[SummaryCause(category: "image", name: Self.function, function: text)] =
        row.causes.removeValue(forKey: named)
      sum.rows[key] = row
    }
    return sum
  }

  @Test func `addresses that are others in each build count with their cause`() throws {
    let usual = Self.trend(Self.unnamed(Self.fleet(Self.usual, seed: 8)) { "8c\($0.dropFirst(2))" })
    #expect(usual.changes.isEmpty && usual.renames.isEmpty && usual.unnamedCount == 20)
    let text = TextRenderer().render(Report(usual))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("counted with their causes: 20 functions without a name, whose"))
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].factor = { $0 >= 10 ? 1.3 : 1 } }
      let sum = Self.fleet(devices, seed: seed)
      let found = try #require(
        Self.trend(Self.unnamed(sum) { "8c\($0.dropFirst(2))" }).headline)
      #expect(found.isWorse && found.buildIndex == 10)
      #expect(found.causes.first?.name == "image/\(Self.function)")
      // A library that is the same in all builds has one function at an address.
      let same = Self.trend(Self.unnamed(sum) { _ in "8c1d20" })
      #expect(same.unnamedCount == 0)
      let name = "libFeed.so+0x1f40 build:8c1d20 (image/\(Self.function))"
      #expect(same.headline?.causes.first?.name == name)
    }
  }

  @Test func `functions named anew in each build count with their cause`() throws {
    func obfuscated(_ sum: TraceSummary) -> TraceSummary {
      var sum = sum
      for (key, row) in sum.rows {
        var row = row
        let own = SummaryCause(category: "image", name: Self.function)
        let name = "a.\(key.attributes["build"] ?? "").b"
        row.causes[SummaryCause(category: "image", name: Self.function, function: name)] =
          row.causes.removeValue(forKey: own)
        sum.rows[key] = row
      }
      return sum
    }
    let usual = Self.trend(obfuscated(Self.fleet(Self.usual, seed: 8)))
    #expect(usual.changes.isEmpty && usual.unnamedCount == 0)
    var devices = Self.usual
    for index in devices.indices { devices[index].factor = { $0 >= 10 ? 1.3 : 1 } }
    let found = try #require(Self.trend(obfuscated(Self.fleet(devices, seed: 0))).headline)
    #expect(found.isWorse && found.buildIndex == 10)
    #expect(found.causes.contains { $0.name == "image/\(Self.function)" })
  }

  @Test func `a change of all devices is of all`() throws {
    let devices = Self.usual.map {
      Device(name: $0.name, level: $0.level, factor: { $0 >= 10 ? 1.3 : 1 })
    }
    let trend = Self.trend(Self.fleet(devices, seed: 2))
    let found = try #require(trend.headline)
    #expect(found.buildIndex == 10 && found.strata.count == 3 && trend.changes.count == 1)
    #expect(TextRenderer().render(Report(trend)).contains("on all 3 devices"))
  }

  @Test func `a slower screen is named, and all devices have it`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      for index in devices.indices { devices[index].profile = { $0 >= 10 ? 1.5 : 1 } }
      let sum = Self.fleet(devices, seed: seed)
      let found = try #require(Self.trend(sum).headline)
      #expect(found.buildIndex == 10 && found.isOfAll && found.screens == ["profile"])
      #expect(abs(found.after / found.before - 1.5) < 0.15)
      let causes = found.causes.reduce(found.otherCauses) { $0 + $1.value }
      #expect(abs(causes - found.whole.value) < 1e-9)
      let text = TextRenderer().render(Report(Self.trend(sum)))
      #expect(text.contains("since build 1.10, on all 3 devices, above all on screen profile:"))
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("1 other screen: ") && words.contains("% of their level"))
      var query = TrendQuery()
      query.split = [.state("screen")]
      let answer = Trend(of: sum, query).headline
      #expect(answer?.buildIndex == 10 && answer?.screens == ["profile"])
    }
  }

  @Test func `a slower device is not a slower screen`() throws {
    for seed in ExtraCases.some(1, of: 0..<4 as Range<UInt64>) {
      var devices = Self.usual
      devices[1].factor = { $0 >= 10 ? 1.4 : 1 }
      let found = try #require(Self.trend(Self.fleet(devices, seed: seed)).headline)
      #expect(found.screens.isEmpty && found.strata.count == 1)
    }
  }

  @Test func `merged lines give the same answer as those of single traces`() throws {
    var devices = Self.usual
    devices[2].factor = { $0 >= 7 ? 1.2 : 1 }
    let summary = Self.fleet(devices, builds: 14, seed: 4)
    let text = TextRenderer().render(Report(Self.trend(summary)))
    #expect(text.contains("WORSE  since build 1.7"))
    #expect(text.contains(" ms/s, old\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let page = HTMLRenderer().render(Report(Self.trend(summary)))
    #expect(page.components(separatedBy: "<polyline").count == 4)
    #expect(page.contains("at their ends from the top: old, tablet, phone</figcaption>"))
    #expect(page.contains("By device</h2>") && !page.contains("<caption>By device"))
  }
}
