/// What was measured in an interval, mostly half a second long.
struct FlashlightMeasure {
  /// The threads' use of the processor, in percent of one core; each thread once.
  var threads: [(name: String, percent: Double)] = []
  var fps: Double?
  var megabytes: Double?
  /// When the interval ended, in milliseconds from the begin of the iteration.
  var time: Double?
  /// How many values are not what they should be.
  var invalidCount: UInt64 = 0

  /// More than any process has.
  private static let maximumThreadCount = 1000

  /// The measure that `view` is; `nil` where it is no object.
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

  /// A number that can be: nothing measured is below zero.
  private mutating func number(_ view: JSONView) -> Double? {
    // What was not measured is null.
    if view.kind == .literal { return nil }
    guard let value = view.double, value >= 0, value < 1e12 else {
      invalidCount += 1
      return nil
    }
    return value
  }

  /// The name without the parentheses in which the system tells it, of which the last may be cut off.
  private static func threadName(_ name: String) -> String {
    let name = name.prefix(256)
    guard name.hasPrefix("("), name.count > 2 else { return String(name) }
    let isWhole = name.hasSuffix(")")
    return String(isWhole ? name.dropFirst().dropLast() : name.dropFirst())
  }
}
