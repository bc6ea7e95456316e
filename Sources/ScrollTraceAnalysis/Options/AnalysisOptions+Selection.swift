package import ScrollTraceModel

extension AnalysisOptions {
  /// The part of a trace that counts; what is evaluated stays the whole trace.
  ///
  /// Everything that is named narrows: an instant is selected where all of it holds.
  package struct Selection: Hashable, Sendable {
    /// From when on, measured from the trace's start; `nil` for its start.
    package var from: TimeSpan?
    /// Until when, measured from the trace's start; `nil` for its end.
    package var to: TimeSpan?
    /// The kind or the name of the interactions to count, or the number of one, from 1 on.
    package var interaction: String?
    /// States that have to hold.
    package var states: [State] = []
    /// The surface to tell in full.
    package var surface: String?
    /// The words of a command line that say all of this, as they were given.
    package var arguments: [String] = []

    /// Whether anything is selected at all.
    package var isEmpty: Bool { !narrowsTime && surface == nil }

    /// Whether only a part of the time counts.
    package var narrowsTime: Bool {
      from != nil || to != nil || interaction != nil || !states.isEmpty
    }

    /// A selection of everything.
    package init() {}
  }

  /// A state that holds a value.
  package struct State: Hashable, Sendable {
    /// The state's name.
    package let key: String
    /// Its value.
    package let value: String

    /// The state `key` that holds `value`.
    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }
}

/// Something that was selected and is not there, with what there is in its place.
package enum SelectionProblem: Error, Hashable, Sendable {
  /// No surface has this name.
  case unknownSurface(String, known: [String])
  /// No interaction is of this kind, name or number.
  case unknownInteraction(String, count: Int, known: [String])
  /// The recording is over, after this length, before what was selected begins.
  case behindEnd(from: TimeSpan, length: TimeSpan)
  /// All ranges that the user named begin behind the end of the recording, which has this length.
  case interactionsBehindEnd([String], length: TimeSpan)
  /// No mark and no asynchronous span fits the pattern that the user gave.
  case unknownMarks(pattern: String, known: [String])
  /// No state of this name ever held this value.
  case unknownState(AnalysisOptions.State, known: [AnalysisOptions.State])
}
