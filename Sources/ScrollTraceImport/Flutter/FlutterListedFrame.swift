import ScrollTraceModel

/// A frame as DevTools lists it: lengths in microseconds, and when its build began.
struct FlutterListedFrame {
  let number: UInt64
  /// When the vsync was with which it began.
  let start: Timestamp
  /// When the UI thread began to build it.
  let buildBegin: Timestamp
  let build: TimeSpan
  let raster: TimeSpan
  /// How long it took from the vsync until it was drawn; `nil` where that is not told.
  let elapsed: TimeSpan?

  /// The frame that `view` is; `nil` where a part of it is missing or impossible.
  init?(_ view: JSONView) {
    var fields: (number: Int64?, start: Int64?, build: Int64?, raster: Int64?)
    var (elapsed, overhead): (Int64?, Int64?) = (nil, nil)
    view.forEachMember { name, value in
      func nanoseconds() -> Int64? { JSONNumber.nanoseconds(fromMicroseconds: value.bytes) }
      if name.hasBytes(of: "number") {
        fields.number = value.integer
      } else if name.hasBytes(of: "startTime") {
        fields.start = nanoseconds()
      } else if name.hasBytes(of: "build") {
        fields.build = nanoseconds()
      } else if name.hasBytes(of: "raster") {
        fields.raster = nanoseconds()
      } else if name.hasBytes(of: "elapsed") {
        elapsed = nanoseconds()
      } else if name.hasBytes(of: "vsyncOverhead") {
        overhead = nanoseconds()
      }
      return true
    }
    guard let number = fields.number.flatMap(UInt64.init(exactly:)),
      let buildBegin = fields.start.flatMap(Timestamp.init(nanoseconds:)),
      let build = fields.build, let raster = fields.raster, build >= 0, raster >= 0
    else { return nil }
    let before = TimeSpan(nanoseconds: max(0, overhead ?? 0))
    guard buildBegin - .zero >= before else { return nil }
    self.number = number
    self.buildBegin = buildBegin
    self.start = buildBegin - before
    self.build = TimeSpan(nanoseconds: build)
    self.raster = TimeSpan(nanoseconds: raster)
    self.elapsed = elapsed.flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
  }

  /// When it was drawn.
  var end: Timestamp? {
    elapsed.map { start + $0 }.flatMap { $0 >= buildBegin ? $0 : nil }
  }
}
