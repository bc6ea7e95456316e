import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// Every sink of a syntax against every hostile name, read back by a parser of that syntax.
@Suite struct MarkupSinkTests {
  /// What every reader sees: the name with its invisible parts made visible.
  private func visible(_ name: String) -> String { EscapingContext.terminal.escape(name) }

  @Test func `markup preserves the visible part of a name, in text and in attributes`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      for context in [EscapingContext.html, .xml] {
        let text = context.escape(name)
        let parsed = try #require(ParsedMarkup("<p><i a=\"\(text)\">\(text)</i></p>"))
        #expect(parsed.elements.count == 2)
        #expect(parsed.elements[1].text == visible(name))
        #expect(parsed.elements[1].attributes == ["a": visible(name)])
      }
    }
  }

  @Test func `no Markdown character keeps its meaning in a name`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let text = EscapingContext.markdown.escape(HostileNames.all[index])
      #expect(!text.contains("\n") && !text.contains("\r"))
      // Without what was escaped, nothing is left that Markdown looks for.
      var rest = text.replacingOccurrences(of: "<!-- -->", with: "")
      rest = rest.replacingOccurrences(
        of: #"\\[\\`*_{}\[\]|~]"#, with: "", options: .regularExpression)
      #expect(!rest.contains { "\\`*_{}[]|~<>$".contains($0) }, "\(rest.prefix(200))")
      #expect(!text.contains("://") && !text.lowercased().contains("www."))
      #expect(!text.contains("@x"))
    }
  }

  @Test func `a name in a GitHub command starts no other and ends no property`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let (message, property) = (
        EscapingContext.gitHubMessage.escape(name), EscapingContext.gitHubProperty.escape(name)
      )
      #expect(!(message + property).contains { $0 == "\r" || $0 == "\n" || $0 == "\r\n" })
      #expect(!property.contains(":") && !property.contains(","))
      // As the runner reads them.
      func read(_ text: String) -> String {
        text.replacingOccurrences(of: "%3A", with: ":").replacingOccurrences(of: "%2C", with: ",")
          .replacingOccurrences(of: "%25", with: "%")
      }
      #expect(read(property) == visible(name))
      #expect(message.replacingOccurrences(of: "%25", with: "%") == visible(name))
    }
  }

  @Test func `a name in an OpenMetrics label stays between its quotes`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let text = EscapingContext.openMetricsLabel.escape(name)
      var read = ""
      var isEscaped = false
      for character in text.unicodeScalars {
        if !isEscaped, character == "\\" {
          isEscaped = true
          continue
        }
        #expect(isEscaped || character != "\"")
        #expect(character != "\n")
        read.unicodeScalars.append(character)
        isEscaped = false
      }
      #expect(!isEscaped)
      #expect(read == visible(name))
    }
  }
}
