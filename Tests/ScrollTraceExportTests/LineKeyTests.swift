import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Lines of JSON say the same after any number of conversions.
struct LineKeyTests {
  /// All names that have a meaning as a key of a line somewhere, and some that do not.
  private static let names: [String] =
    LineKey.allCases.map(\.description) + LineKey.synonyms.keys.sorted()
    + LineDetail.allCases.map(\.rawValue) + ["ph", "traceEvents", "arg:", "arg:arg:end", "own", ""]

  /// The values of an argument.
  private static let values = ["\"list\"", "7", "-7", "0.5", "true", "null"]

  private static func converted(_ text: String, times count: Int) throws -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<count {
      let trace = try TraceFile.read(bytes)
      #expect(trace.losses.isEmpty)
      bytes = trace.exported(as: .ndjson).bytes
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The arguments of the spans and marks of a text, by name.
  private static func arguments(_ text: String) throws -> [String: String] {
    let trace = try TraceFile.read(Array(text.utf8))
    var arguments: [String: String] = [:]
    let lists =
      trace.tracks.flatMap { $0.spans.map(\.arguments) } + trace.marks.map(\.arguments)
    for list in lists {
      trace.arguments.forEach(in: list) { argument in
        let name = trace.strings[argument.key]
        if case .string(let text) = argument.value {
          arguments[name] = trace.strings[text]
        } else {
          arguments[name] = "\(argument.value)"
        }
      }
    }
    return arguments
  }

  @Test(arguments: ["\"span\":\"x\",\"begin\":1,\"end\":2", "\"mark\":\"x\",\"at\":1"])
  func `an argument with the name of any key survives conversions`(line: String) throws {
    for (index, name) in Self.names.enumerated() {
      let member = "\"arg:\(name)\":\(Self.values[index % Self.values.count])"
      for members in [member, "\(member),\"colour\":1,\"item\":1"] {
        let text = "{\(line),\(members)}\n"
        let given = try Self.arguments(text)
        #expect(given[name] != nil, "\(text)")
        let once = try Self.converted(text, times: 1)
        #expect(try Self.arguments(once) == given, "\(text)")
        #expect(try Self.converted(once, times: 1) == once, "\(text)")
      }
    }
  }

  @Test func `all arguments together survive ten conversions`() throws {
    let members = Self.names.map { "\"arg:\($0)\":\"a value\"" }.joined(separator: ",")
    let text = "{\"span\":\"x\",\"begin\":1,\"end\":2,\(members)}\n"
    let twice = try Self.converted(text, times: 2)
    #expect(try Self.converted(text, times: 10) == twice)
    #expect(try Self.arguments(twice).count == Self.names.count)
  }

  @Test func `every key of a line survives conversions`() throws {
    let times = "\"begin\":1,\"end\":9"
    let thread = Vocabulary.Key.self
    let text = """
      {"scrolltrace":"ndjson/1","unit":"ns","begin":0,"end":90,"process":"app","tellsLength":false}
      {"thread":"main","id":7,"main":true,"complete":true}
      {"thread":"loader","id":8,"main":false}
      {"surface":"glass","basis":"hitchList"}
      {"surface":"list","basis":"deadline","tolerance":3,"grid":true,"numbered":true,"display":true,\
      "estimatedInterval":true}
      {"interaction":"drag","name":"first",\(times),"surface":"list"}
      {"state":"screen","value":"feed","at":2}
      {"hitch":"late","surface":"glass","begin":3,"duration":4,"interval":5}
      {"frame":1,"surface":"list","begin":1,"commitStart":2,"commitEnd":8,"deadline":9,"target":20,\
      "presented":20,"interval":10000000,"outcome":"presentedOnTime","thread":"main","label":"own",\
      "commitSpan":false}
      {"span":"layout","category":"app","thread":"main",\(times),"item":5}
      {"span":"open","category":"app","thread":"loader","begin":5,"item":6}
      {"mark":"tap","category":"app","thread":"main","at":3,"item":7}
      {"counter":"rows","value":2.5,"at":4}
      {"threadTime":"main","at":5,"\(thread.cpu)":1,"\(thread.ready)":2,"\(thread.preemptions)":3,\
      "\(thread.waits)":4,"\(thread.faults)":5,"\(thread.diskFaults)":6}
      {"threadState":"running","thread":"main",\(times),"\(thread.core)":1}
      {"threadState":"ready","thread":"loader",\(times),"\(thread.waker)":"main"}

      """
    #expect(try Self.converted(text, times: 1) == text)
    let other = text.replacingBeginAndInterval
    #expect(try Self.converted(other, times: 1) == text)
  }
}

extension String {
  /// The lines with the second spellings of keys.
  fileprivate var replacingBeginAndInterval: String {
    var text = self
    for (spelling, key) in LineKey.synonyms {
      text = text.split(separator: "\"\(key)\":", omittingEmptySubsequences: false)
        .joined(separator: "\"\(spelling)\":")
    }
    return text
  }
}
