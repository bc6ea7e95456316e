import ScrollTraceModel

/// Finds the stretches in which a page was scrolled, by the input events that scroll.
struct ChromeInteractions {
  /// Input events less than this apart belong to one interaction.
  static let joining = TimeSpan.milliseconds(500)

  private static let scrollingTypes: [StaticString] = [
    "MOUSE_WHEEL", "TOUCH_MOVED", "GESTURE_SCROLL_UPDATE", "FIRST_GESTURE_SCROLL_UPDATE",
    "INERTIAL_GESTURE_SCROLL_UPDATE",
  ]

  private var inputs: [Timestamp] = []

  /// Takes the begin of asynchronous work, which may be an input event that scrolls.
  ///
  /// Its time is when the system made the event.
  mutating func noteInput(_ known: ChromeKnownEvent) {
    switch known.meaning {
    case .scrollInputLatency: inputs.append(known.time)
    case .eventLatency:
      let latency = known.arguments.member("event_latency")
      let chrome = latency ?? known.arguments.member("chrome_event_latency")
      guard let type = chrome?.member("event_type") else { return }
      if Self.scrollingTypes.contains(where: type.isText) { inputs.append(known.time) }
    default: break
    }
  }

  /// Adds the interactions to `builder`.
  func finish(in builder: inout TraceBuilder) {
    var start: Timestamp?
    var last = Timestamp.zero
    for time in inputs.sorted() {
      if let first = start, time - last >= Self.joining {
        builder.addInteraction(Interaction(kind: "scroll", start: first, end: last))
        start = time
      }
      start = start ?? time
      last = time
    }
    if let start {
      builder.addInteraction(Interaction(kind: "scroll", start: start, end: last))
    }
  }
}
