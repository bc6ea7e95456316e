/// The way the reader handles the events of a category.
enum EventRole: UInt64 {
  /// Work, marks and samples, as the event states.
  case plain
  /// Frames.
  case frame
  /// The accuracy of a surface's times.
  case surface
  /// Hitches listed by the source.
  case hitch
  /// Interactions.
  case interaction
  /// Changes of states.
  case state
  /// Counter samples.
  case counter
  /// Events of the machine, such as sleep.
  case machine
  /// A system's counts for a thread, or its states.
  case thread
}
