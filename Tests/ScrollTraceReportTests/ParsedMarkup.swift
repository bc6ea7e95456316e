import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What a real parser finds in a document: its elements with attributes, and its text.
final class ParsedMarkup: NSObject, XMLParserDelegate {
  /// One element.
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  /// The elements in the order of their begins.
  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// The content of `text`; `nil` where it is not well-formed XML.
  init?(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func elements(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let index = open.last { elements[index].text += text }
  }
}
