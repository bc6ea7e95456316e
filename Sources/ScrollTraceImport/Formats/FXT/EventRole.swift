/// What the reader does with the events of a category.
enum EventRole: UInt64 {
  /// Work, marks, samples as the event says.
  case plain
  /// Records of frames.
  case frame
  /// What is known of a surface's times.
  case surface
  /// Hitches that the source lists.
  case hitch
  /// Interactions.
  case interaction
  /// Changes of states.
  case state
  /// Samples.
  case counter
  /// What became of the machine.
  case machine
  /// What another trace, from which the file was made, said of itself.
  case origin
  /// What was lost.
  case loss
  /// What a reader of the report should know.
  case notice
  /// What a system counted for a thread, or did with it.
  case thread
}
