/// What a report says is to be done next.
enum NextStep {
  /// A command, to be copied as it stands.
  case command(String)
  /// A sentence.
  case advice(String)

  /// The command or the sentence.
  var text: String {
    switch self {
    case .command(let text), .advice(let text): text
    }
  }
}
