import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// A word of the vocabulary needs no exporter to know it.
struct VocabularyExportTests {
  /// A trace with a span of each name that means work, and with each argument that it can have.
  private static func trace() -> Trace {
    var builder = TraceBuilder(format: "drawn")
    let process = builder.process(7)
    builder.setHost(process)
    let track = builder.track(7, of: process)
    var time: Int64 = 0
    for row in Vocabulary.table where row.role == .plain {
      for name in row.names.isEmpty ? ["own"] : row.names.map(\.description) {
        let arguments = row.keys.map { key in
          Argument(
            key: builder.string(key.description),
            value: key == .list
              ? .string(builder.string("feed")) : .integer(Int64(key.rawValue) + 100))
        }
        time += 1_000_000
        builder.addSpan(
          on: track, from: Timestamp(clamping: time), to: Timestamp(clamping: time + 500_000),
          label: builder.label(category: row.category.description, name: name),
          arguments: builder.argumentList(arguments))
      }
    }
    return builder.finish()
  }

  /// The name of each span, alone and with each of its arguments.
  private static func words(of trace: Trace) -> Set<String> {
    var words: Set<String> = []
    for track in trace.tracks {
      for span in track.spans {
        let name = trace.category(of: span.label) + " " + trace.name(of: span.label)
        words.insert(name)
        for argument in trace.arguments[span.arguments] {
          words.insert("\(name) \(trace.strings[argument.key]) \(text(argument.value, trace))")
        }
      }
    }
    return words
  }

  private static func text(_ value: ArgumentValue, _ trace: Trace) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    case .string(let id): trace.strings[id]
    case .null: "null"
    }
  }

  @Test(arguments: TraceFormat.all.map { $0.name })
  func `an export has each name of the vocabulary with its arguments`(format: String) throws {
    let exporter = try #require(TraceFormat.named(format))
    let trace = Self.trace()
    let (copy, omissions) = try trace.copied(as: exporter)
    #expect(omissions[.span] == 0 && omissions[.argument] == 0)
    let written = Self.words(of: trace)
    #expect(written.subtracting(Self.words(of: copy)) == [])
    #expect(written.count > 100)
  }
}
