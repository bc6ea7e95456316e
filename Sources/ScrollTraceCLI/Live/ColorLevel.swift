import ScrollTraceKit

/// How many colours the terminal has for pictures.
enum ColorLevel: Sendable, CaseIterable {
  /// None, or none are wanted.
  case none
  /// The sixteen of every terminal.
  case sixteen
  /// 256: a cube of colours and a ramp of greys.
  case indexed
  /// All of them.
  case full

  /// What the variables of `environment` promise.
  init(_ environment: CommandEnvironment) {
    let term = environment.variables["TERM"] ?? ""
    let depth = environment.variables["COLORTERM"] ?? ""
    if term == "dumb" || environment.palette == .none {
      self = .none
    } else if depth == "truecolor" || depth == "24bit" || term.hasSuffix("-direct") {
      self = .full
    } else {
      self = environment.palette == .full ? .indexed : .sixteen
    }
  }

  /// Whether places are filled with colours of their own rather than the terminal's.
  var paintsBackground: Bool { self == .indexed || self == .full }
}
