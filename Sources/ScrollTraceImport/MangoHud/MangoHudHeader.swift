/// The columns of a MangoHud log.
struct MangoHudHeader {
  /// How many columns there are.
  let count: Int
  /// The rate; what it is made of differs by version.
  let rate: Int?
  /// How long the frame took.
  let frameTime: Int?
  /// When it was handed over, from the log's begin on.
  let elapsed: Int?
  /// The other columns, by name, as far as they can be counters.
  let others: [(index: Int, name: String)]
  /// How many other columns are none: there are too many, or their names are too long or repeated.
  let leftCount: Int

  /// The most columns that become counters.
  private static let mostCounters = 64

  /// The columns that `line` names; `nil` where they are not those of a log.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard line.starts(with: "fps,".utf8), row.read(line, delimiter: UInt8(ascii: ",")) else {
      return nil
    }
    var places: [String: Int] = [:]
    var others: [(index: Int, name: String)] = []
    var leftCount = 0
    for index in 0..<row.count where !row.bytes(index).isEmpty {
      let name = row.bytes(index).count < 64 ? row.text(index).lowercased() : ""
      guard !name.isEmpty, places[name] == nil else {
        leftCount += 1
        continue
      }
      if ["fps", "frametime", "elapsed"].contains(name) {
        places[name] = index
      } else if others.count < Self.mostCounters {
        places[name] = index
        others.append((index, name))
      } else {
        leftCount += 1
      }
    }
    count = row.count
    rate = places["fps"]
    frameTime = places["frametime"]
    elapsed = places["elapsed"]
    self.others = others
    self.leftCount = leftCount
    guard frameTime != nil || elapsed != nil || places["cpu_load"] != nil else { return nil }
  }
}
