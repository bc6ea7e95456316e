import ScrollTraceModel

/// The measurements of one test case, in several iterations.
struct FlashlightResult {
  /// One run of the test.
  struct Iteration {
    var measures: [FlashlightMeasure] = []
    /// The duration in milliseconds.
    var length: Double?
    /// A Boolean value indicating whether another iteration replaced it.
    var wasRetried = false

    /// The frames per second of each interval that has them.
    var fps: [Double] { measures.compactMap(\.fps) }
  }

  /// The names of main threads on Android and iOS.
  private static let mainNames: Set<String> = ["UI Thread", "Main Thread", "main"]

  /// The number of threads that are reported individually.
  private static let toldThreadCount = 12

  var name = ""
  var refreshRate: Double?
  var score: Double?
  var hasFailed = false
  var iterations: [Iteration] = []

  /// The test's name, or a substitute if it has none.
  var title: String { name.isEmpty ? "test" : name }

  /// The iterations that count: those that were not retried.
  var counted: [Iteration] {
    iterations.filter { !$0.wasRetried && !$0.measures.isEmpty }
  }

  /// Adds the measurements to `numbers`; returns whether the main thread is known.
  func add(to numbers: inout ResultNumbers) -> Bool {
    let iterations = counted
    // Flashlight's own report averages the iterations interval by interval, up to the end of the
    // shortest one; so its averages cover these intervals only.
    let shortest = iterations.map(\.measures.count).min() ?? 0
    let averaged = iterations.map { $0.measures.prefix(shortest) }
    func average(_ value: (FlashlightMeasure) -> Double?) -> Double? {
      (0..<shortest).compactMap { index in averaged.compactMap { value($0[index]) }.mean }.mean
    }
    let measures = iterations.flatMap(\.measures)
    numbers.add("iterations", "", Double(iterations.count), of: title)
    numbers.add("score", "", score, of: title)
    let averages = iterations.compactMap { $0.fps.mean }
    let rate = refreshRate ?? 60
    let fps = measures.compactMap(\.fps)
    numbers.add("fpsAverage", "fps", average(\.fps), of: title)
    numbers.add("fpsMinimum", "fps", fps.min(), of: title)
    if !fps.isEmpty {
      numbers.add("refreshRate", "Hz", refreshRate, of: title)
      numbers.add(
        "intervalsBelow90Percent", "%",
        100 * Double(fps.count { $0 < rate * 0.9 }) / Double(fps.count), of: title)
    }
    numbers.add("ramAverage", "MB", average(\.megabytes), of: title)
    numbers.add("ramMaximum", "MB", measures.compactMap(\.megabytes).max(), of: title)
    let knowsMain = addThreads(of: averaged.flatMap { Array($0) }, to: &numbers)
    numbers.add("fpsPerIteration", "fps", averages, of: title)
    return knowsMain
  }

  /// Adds the CPU use of the threads; returns whether the main thread is among them.
  private func addThreads(
    of measures: [FlashlightMeasure], to numbers: inout ResultNumbers
  ) -> Bool {
    var sums: [String: Double] = [:]
    for thread in measures.lazy.flatMap(\.threads) {
      sums[thread.name, default: 0] += thread.percent
    }
    guard !sums.isEmpty else { return true }
    // Unmeasured values are not zero.
    let count = Double(measures.count { !$0.threads.isEmpty })
    let total = sums.values.sorted().reduce(0, +)
    numbers.add("cpuAverage", "%", total / count, of: title)
    let main = sums.filter { Self.mainNames.contains($0.key) }.values.max()
    if let main {
      numbers.add("cpuMain", "%", main / count, of: title)
      numbers.add("cpuBackground", "%", max(0, total - main) / count, of: title)
      if total > 0 { numbers.add("cpuMainShare", "%", 100 * main / total, of: title) }
    }
    let order = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    for (name, sum) in order.prefix(Self.toldThreadCount) where sum > 0 {
      numbers.add("cpuOfThread", "%", sum / count, of: "\(title): \(name)")
    }
    let rest = order.dropFirst(Self.toldThreadCount).reduce(0) { $0 + $1.value }
    if rest > 0 { numbers.add("cpuOfOtherThreads", "%", rest / count, of: title) }
    return main != nil
  }

  /// Adds the measurements as samples, one iteration after another, from `start` on; returns the
  /// end.
  func addSamples(from start: Timestamp, to builder: inout TraceBuilder) -> Timestamp {
    var begin = start
    builder.extend(to: start)
    let labels = (
      fps: builder.label(category: title, name: "fps"),
      memory: builder.label(category: title, name: "ram"),
      cpu: builder.label(category: title, name: "cpu")
    )
    for iteration in counted {
      var end = begin
      for measure in iteration.measures {
        guard let time = measure.time.flatMap({ Self.length($0) }) else { continue }
        let place = begin + time
        end = max(end, place)
        if let fps = measure.fps { builder.addSample(fps, of: labels.fps, at: place) }
        if let size = measure.megabytes { builder.addSample(size, of: labels.memory, at: place) }
        for thread in measure.threads {
          builder.addSample(
            thread.percent, of: labels.cpu, series: builder.string(thread.name), at: place)
        }
      }
      begin = max(end, begin + (iteration.length.flatMap { Self.length($0) } ?? .zero))
    }
    builder.extend(to: begin)
    return begin
  }

  /// Returns a duration in milliseconds, or `nil` above a day, which no measurement takes.
  private static func length(_ milliseconds: Double) -> TimeSpan? {
    guard milliseconds >= 0, milliseconds < 86_400_000 else { return nil }
    return TimeSpan(nanoseconds: Int64(milliseconds * 1e6))
  }
}

/// The measurements of an interval, usually half a second long.
struct FlashlightMeasure {
  /// The threads' CPU use in percent of one core; each thread once.
  var threads: [(name: String, percent: Double)] = []
  var fps: Double?
  var megabytes: Double?
  /// The end of the interval, in milliseconds from the start of the iteration.
  var time: Double?
  /// The number of invalid values.
  var invalidCount: UInt64 = 0

  /// More than any process has.
  private static let maximumThreadCount = 1000

  /// Creates the measure in `view`, or returns `nil` if it is not an object.
  init?(_ view: JSONView) {
    guard view.kind == .object else { return nil }
    var measure = Self()
    view.forEachMember { name, value in
      if name.hasBytes(of: "cpu") {
        if let threads = value.member("perName") { measure.readThreads(threads) }
      } else if name.hasBytes(of: "fps") {
        measure.fps = measure.number(value)
      } else if name.hasBytes(of: "ram") {
        measure.megabytes = measure.number(value)
      } else if name.hasBytes(of: "time") {
        measure.time = measure.number(value)
      }
      return true
    }
    self = measure
  }

  private init() {}

  private mutating func readThreads(_ view: JSONView) {
    view.forEachMember { name, value in
      guard threads.count < Self.maximumThreadCount, let percent = number(value) else {
        return true
      }
      threads.append(
        (Self.threadName(String(decoding: JSONText.unescape(name), as: UTF8.self)), percent))
      return true
    }
  }

  /// Returns a possible number: no measurement is negative.
  private mutating func number(_ view: JSONView) -> Double? {
    // Unmeasured values are null.
    if view.kind == .literal { return nil }
    guard let value = view.double, value >= 0, value < 1e12 else {
      invalidCount += 1
      return nil
    }
    return value
  }

  /// Returns the name without the system's parentheses, the last of which can be truncated.
  private static func threadName(_ name: String) -> String {
    let name = name.prefix(256)
    guard name.hasPrefix("("), name.count > 2 else { return String(name) }
    let isWhole = name.hasSuffix(")")
    return String(isWhole ? name.dropFirst().dropLast() : name.dropFirst())
  }
}
