import ScrollTraceModel

extension Trace {
  /// The track's name; made of its number where it has none.
  func displayName(of id: TrackID) -> String {
    let track = tracks[id.index]
    return track.name.isEmpty ? "thread \(track.systemID)" : track.name
  }

  /// The value as the source writes it; `nil` for the value that stands for none.
  func displayText(of value: ArgumentValue) -> String? {
    switch value {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let id): strings[id]
    case .null: nil
    }
  }
}
