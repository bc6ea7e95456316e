import ScrollTraceModel

/// What a page says of its work with `performance.measure`.
enum ChromeUserTiming {
  private static let itemNames: [StaticString] = ["item", "id", "index", "i"]

  /// The item that a measure's `detail` names, as an argument list; none where it names none.
  ///
  /// Chrome writes the detail as a text that is itself JSON.
  static func item(
    of known: ChromeKnownEvent, in builder: inout TraceBuilder
  ) -> ArgumentListID {
    guard let detail = known.arguments.member("detail")?.rawText else { return .none }
    let text = JSONText.unescape(detail)
    let value: ArgumentValue? = text.withUnsafeBytes { bytes in
      let object = JSONView(bytes: bytes)
      for name in itemNames {
        guard let value = object.member(name) else { continue }
        if let number = value.integer { return .integer(number) }
        if let name = value.text { return .string(builder.string(name)) }
      }
      return nil
    }
    guard let value else { return .none }
    return builder.argumentList([Argument(key: builder.string("item"), value: value)])
  }
}
