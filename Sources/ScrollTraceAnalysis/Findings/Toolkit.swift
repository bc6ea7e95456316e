package import ScrollTraceModel

/// What a host builds its lists with, which decides the words of the advice.
package enum Toolkit: String, CaseIterable, Sendable {
  case uiKit, appKit, swiftUI, compose, recyclerView, android, flutter, gtk, qtQuick, web, gameLoop

  /// The state in which a host names its toolkit: `recorder.setState("host", to: "GTK")`.
  package static let stateKey = "host"

  /// Creates the toolkit of a trace, from what its host says, then from its format and work; `nil` if
  /// unknown.
  package init?(of trace: Trace) {
    let named = trace.states.filter { $0.key == Self.stateKey }.compactMap(\.value)
    if let name = named.last {
      self.init(name)
      return
    }
    if let toolkit = Self(format: trace.source.format) {
      self = toolkit
      return
    }
    let found = Self.work.first { _, marker in
      trace.labels.labels.contains {
        trace.strings.matches($0.category, marker) || trace.strings.matches($0.name, marker)
      }
    }
    guard let found else { return nil }
    self = found.toolkit
  }

  /// Creates the toolkit that a name contains, in any spelling, or `nil` if it is another one.
  package init?(_ name: String) {
    let letters = name.prefix(Self.longestName).filter(\.isLetter).lowercased()
    guard let found = Self.names.first(where: { letters.includes($0.name) }) else { return nil }
    self = found.toolkit
  }

  /// Returns a Boolean value indicating whether a state only names the toolkit.
  package static func isNamed(by state: StateChange) -> Bool {
    state.key == stateKey && state.value.map { Toolkit($0) != nil } ?? false
  }

  private static let longestName = 64

  /// The names in lowercase letters; of two in one name, the first counts.
  private static let names: [(name: String, toolkit: Toolkit)] = [
    ("swiftui", .swiftUI), ("appkit", .appKit), ("uikit", .uiKit), ("compose", .compose),
    ("recyclerview", .recyclerView), ("android", .android), ("flutter", .flutter), ("gtk", .gtk),
    ("qt", .qtQuick), ("web", .web), ("browser", .web), ("chrom", .web), ("electron", .web),
    ("game", .gameLoop), ("sdl", .gameLoop), ("unity", .gameLoop), ("unreal", .gameLoop),
    ("godot", .gameLoop),
  ]

  /// Work that only one toolkit has.
  private static let work: [(toolkit: Toolkit, marker: StaticString)] = [
    (.recyclerView, "RV OnBindView"), (.recyclerView, "RV Scroll"),
    (.android, "Choreographer#doFrame"), (.web, "ThreadControllerImpl::RunTask"), (.web, "blink"),
    (.gtk, "gtk"),
  ]

  /// Creates the toolkit of a format that only one has. Instruments records apps of UIKit, AppKit and
  /// SwiftUI, and does not say which.
  private init?(format: String) {
    switch format {
    case "gfxinfo", "systrace": self = .android
    case "flutter": self = .flutter
    case "chrome-json": self = .web
    case "presentmon", "mangohud": self = .gameLoop
    default: return nil
    }
  }
}
