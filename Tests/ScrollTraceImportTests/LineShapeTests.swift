import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Lines that look like those before are read by a shorter way, which must see the same.
struct LineShapeTests {
  /// What a trace says, apart from where it stood.
  private static func facts(_ text: [UInt8]) throws -> [String] {
    let trace = try read(text)
    func name(_ label: LabelID) -> String {
      let label = trace.labels[label]
      return "\(trace.strings[label.category])/\(trace.strings[label.name])"
    }
    func list(_ id: ArgumentListID) -> String {
      trace.arguments[id].map { argument in
        if case .string(let text) = argument.value {
          return "\(trace.strings[argument.key]): \(trace.strings[text])"
        }
        return "\(trace.strings[argument.key]): \(argument.value)"
      }.joined(separator: ", ")
    }
    var facts = trace.losses.map { "\($0.reason) \($0.count)" }
    for track in trace.tracks {
      facts.append("track \(track.name) \(track.isMain)")
      for index in 0..<track.spans.count {
        let span = track.spans[index]
        facts.append("\(span.range) \(name(span.label)) \(list(track.spans.arguments(at: index)))")
      }
    }
    for surface in trace.surfaces {
      facts.append(surface.name)
      facts += (0..<surface.frames.count).map { "\(surface.frames[$0])" }
    }
    facts += trace.interactions.map { "\($0)" }
    facts += trace.states.map { "\($0)" }
    facts += trace.marks.map { "\($0.time) \(name($0.label)) \(list($0.arguments))" }
    facts += trace.counters.map { "\(name($0.label)) \($0.times) \($0.values)" }
    return facts
  }

  private static let lines = [
    #"{"span":"layout","category":"a","thread":"main","begin":100,"end":2345678901}"#,
    #"{"span":"decode","thread":"worker","begin":150,"duration":25.5,"item":4711,"url":"/a\/b"}"#,
    #"{"span":"open","begin":12}"#,
    #"{"frame":7,"begin":0,"commitStart":1,"commitEnd":90000000,"outcome":null,"zoom":true}"#,
    #"{"frame":8,"surface":"left","begin":-0,"commitEnd":1e3,"interval":16666667}"#,
    #"{"mark":"tap","at":77,"host":{"a":[1,2]},"good":false,"":0.5}"#,
    #"{ "counter" : "speed" , "at" : 10 , "value" : -2.5e1 }"#,
    #"{"state":"screen","at":3,"value":"feed"}"#,
    #"{"interaction":"drag","begin":5,"end":500}"#,
    #"{"thread":"worker","id":9}"#,
    #"{"span":"twice","begin":null,"begin":3,"end":4}"#,
    #"{"span":"twice","begin":2,"begin":3,"end":4}"#,
    #"{"\u0073pan":"x","begin":1,"end":2}"#,
  ].map { Array($0.utf8) }

  private static let letters = Array(#""\{}[]:,0123456789.-+eEutrfalsn abdgi"#.utf8) + [0x00, 0xC3]

  /// Lines of which each is a copy of one of a few, some with bytes changed, added or missing.
  private static func made(_ seed: UInt64) -> [[UInt8]] {
    var random = SeededGenerator(seed: seed)
    return (0..<60).map { _ in
      var line = lines.randomElement(using: &random) ?? []
      for _ in 0..<max(0, Int.random(in: -1...2, using: &random)) {
        let place = Int.random(in: 0..<line.count, using: &random)
        let letter = letters.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: line[place] = letter
        case 1: line.insert(letter, at: place)
        default: line.remove(at: place)
        }
      }
      return line
    }
  }

  @Test func `earlier lines do not change how a line is read`() async {
    await forEachCase(of: ExtraCases.some(40, of: 0..<200), oneCase)
    @Sendable func oneCase(seed: Int) throws {
      let first = Array(
        "{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ns\"}\n{\"span\":\"0\",\"begin\":1}\n".utf8)
      let made = Self.made(UInt64(seed))
      let plain = first + made.joined(separator: [0x0A])
      // Each line begins like none before it.
      let apart = made.enumerated().map { [UInt8](repeating: 0x20, count: $0 + 1) + $1 }
      let other = first + apart.joined(separator: [0x0A])
      #expect(try Self.facts(plain) == Self.facts(other))
    }
  }

  @Test func `quotes around the fields change nothing`() async {
    await forEachCase(of: ExtraCases.some(25, of: 0..<100), oneCase)
    @Sendable func oneCase(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let header = "kind,name,category,thread,begin_us,end_us,frame,surface,value,zoom,item\n"
      let words = ["", "", "a", "main", "feed", "7", "2.5", "-1", "täglich", "longer than eight"]
      let rows = (0..<50).map { _ in
        let kind = ["span", "frame", "mark", "state", "counter", "thread", "other"]
        var fields = [kind.randomElement(using: &random) ?? ""]
        for column in 1..<11 {
          let isTime = column == 4 || column == 5
          let number = Int.random(in: 0..<100_000_000, using: &random)
          fields.append(isTime ? "\(number)" : words.randomElement(using: &random) ?? "")
        }
        if Int.random(in: 0..<20, using: &random) == 0 { fields.removeLast() }
        if Int.random(in: 0..<20, using: &random) == 0 { fields.append("one too many") }
        return fields
      }
      let first = "frame,f,,main,0,1,1,,,,\n"
      let plain = rows.map { $0.joined(separator: ",") }.joined(separator: "\n")
      let quoted = rows.map { row in
        row.map { $0.isEmpty ? "" : "\"\($0)\"" }.joined(separator: ",")
      }.joined(separator: "\n")
      #expect(
        try Self.facts(Array((header + first + plain).utf8))
          == Self.facts(Array((header + first + quoted).utf8)))
    }
  }

  @Test func `keys that share a slot of the recent values stay separate`() throws {
    var recent = RecentValues<RecentTexts, Int>(count: 256)
    let names = (0..<5_000).map { Array("name \($0)".utf8) }
    for round in 0..<2 {
      for (number, name) in names.enumerated() {
        name.withUnsafeBytes { bytes in
          for end in [0, 3, bytes.count] {
            let texts = RecentTexts(
              UnsafeRawBufferPointer(rebasing: bytes[..<end]),
              UnsafeRawBufferPointer(rebasing: bytes[end...]))
            let key = end < 4 ? number * 4 + end : number * 4 + 1
            if let found = recent.find(texts) { #expect(found == key) }
            if round == 0 || number % 2 == 0 { recent.keep(key, for: texts) }
          }
        }
      }
    }
    let last = names[4_998]
    last.withUnsafeBytes { #expect(recent.find(RecentTexts($0)) == 4_998 * 4 + 1) }
  }

  @Test func `a long key is not stored, and not mistaken for a short one`() {
    var recent = RecentValues<RecentTexts, Int>(count: 1)
    let long = [UInt8](repeating: 0x78, count: 1 << 21)
    long.withUnsafeBytes { long in
      recent.keep(1, for: RecentTexts(.empty, UnsafeRawBufferPointer(rebasing: long[..<1])))
      #expect(recent.find(RecentTexts(long)) == nil)
      recent.keep(2, for: RecentTexts(long))
      #expect(recent.find(RecentTexts(long)) == nil)
      #expect(recent.find(RecentTexts(.empty, UnsafeRawBufferPointer(rebasing: long[..<1]))) == 1)
    }
  }
}
