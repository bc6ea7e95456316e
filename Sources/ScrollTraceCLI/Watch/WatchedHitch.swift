import ScrollTraceKit

/// A hitch of a recording that is watched, in words.
struct WatchedHitch: Sendable {
  /// The surface, empty where the recording has only one.
  let surface: String
  /// The frame's number; `nil` for refreshes without a frame.
  let frame: UInt64?
  /// When it was seen first.
  let start: Timestamp
  /// When it was over.
  let end: Timestamp
  /// How late the frame was.
  let length: TimeSpan
  /// Whole refreshes skipped.
  let refreshesMissed: Int?
  /// Where the lateness arose.
  let kind: String
  /// What filled the time, most first, as it is in the trace: not escaped.
  let causes: [String]
  /// Whether it was later than one refresh.
  let isSevere: Bool

  /// A hitch of the surface called `surface`.
  init(_ hitch: Hitch, of surface: String, wording: Messages) {
    self.surface = surface
    frame = hitch.frame
    start = hitch.range.start
    end = hitch.range.end
    length = hitch.length
    refreshesMissed = hitch.refreshesMissed
    kind = wording.text(of: hitch.kind)
    causes = hitch.chargedAttribution.map(Self.causes) ?? []
    isSevere = hitch.severity == .moderate || hitch.severity == .high
  }

  /// The causes that filled a tenth of the window or more; the first in any case.
  private static func causes(_ attribution: Attribution) -> [String] {
    let window = Double(max(1, attribution.window.length.nanoseconds))
    var parts = attribution.groups.map { group in
      let names = [Messages.label(ofCategory: group.category), group.name].filter { !$0.isEmpty }
      return (
        share: group.share, text: names.joined(separator: "/") + Messages.items(of: group)
      )
    }
    parts += [
      (attribution.waiting, "waiting"), (attribution.idle, "idle"),
      (attribution.unrecorded, "unrecorded"),
    ].map { (share: Double($0.0.nanoseconds) / window, text: $0.1) }
    let sorted = parts.stablySorted { $0.share > $1.share }
    return sorted.enumerated().filter { $0.offset == 0 || $0.element.share >= 0.1 }.prefix(3)
      .map { "\(Quantity.share($0.element.share)) \($0.element.text)" }
  }
}
