import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The table of all arguments of a trace.
@Suite struct ArgumentTableTests {
  /// A value of any kind, small, large or at the edge of a kind.
  static func value(using random: inout SeededGenerator) -> ArgumentValue {
    let edges: [Int64] = [
      0, -1, 1, Int64(Int32.max), Int64(Int32.max) + 1, Int64(Int32.min), Int64(Int32.min) - 1,
      Int64.min, Int64.max,
    ]
    let edge = edges.randomElement(using: &random) ?? 0
    return switch Int.random(in: 0..<7, using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(edge)
    case 3: .unsigned(UInt64(bitPattern: edge))
    case 4: .unsigned(UInt64(UInt32.max) + UInt64.random(in: 0...1, using: &random))
    case 5: .double(Double(edge) / 3)
    default: .string(StringID(rawValue: UInt32.random(in: 0...UInt32.max, using: &random)))
    }
  }

  @Test func `every list comes back as it was stored`() async {
    await forEachCase(of: [1, 3, 70_000], oneCase)
    @Sendable func oneCase(keyCount: UInt32) throws {
      var random = SeededGenerator(seed: UInt64(keyCount))
      var table = ArgumentTable()
      var lists: [(id: ArgumentListID, list: [Argument])] = []
      // Of the many keys each makes a shape of its own: more than are told apart.
      for number in 0..<max(2_000, Int(keyCount)) {
        let list = (0..<Int.random(in: 1...(keyCount > 3 ? 1 : 4), using: &random)).map { _ in
          let key = keyCount > 3 ? UInt32(number) : UInt32.random(in: 0..<keyCount, using: &random)
          return Argument(key: StringID(rawValue: key), value: Self.value(using: &random))
        }
        let id = list.count == 1 ? table.append(one: list[0]) : table.append(list)
        lists.append((id, list))
      }
      #expect(Set(lists.map(\.id)).count == lists.count)
      for (id, list) in lists {
        #expect(table[id] == list)
        let key = list[list.count - 1].key
        #expect(table.value(of: key, in: id) == list.first { $0.key == key }?.value)
      }
      #expect(table[.none].isEmpty)
      #expect(table.value(of: StringID(rawValue: UInt32.max - 1), in: lists[0].id) == nil)
    }
  }

  @Test func `a handle of another table reads nothing past the last list`() {
    var table = ArgumentTable()
    _ = table.append([
      Argument(key: StringID(rawValue: 1), value: .integer(Int64.max)),
      Argument(key: StringID(rawValue: 2), value: .double(0.5)),
    ])
    for rawValue in 0...(40 as UInt32) {
      #expect(table[ArgumentListID(rawValue: rawValue)].count <= 2)
    }
  }
}
