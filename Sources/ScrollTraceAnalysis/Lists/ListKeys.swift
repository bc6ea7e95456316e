package import ScrollTraceModel

/// The keys of arguments about lists in one trace; `nil` if the trace does not use them.
package struct ListKeys: Sendable {
  package let list, item, position, view, kind, registration, reused, ahead: StringID?
  package let estimatedSize, size, bytes: StringID?
  /// The keys of a snapshot's counts.
  package let inserted, deleted, reconfigured, reloaded: StringID?

  package init(of strings: StringTable) {
    list = strings.firstID(of: "list")
    item = strings.firstID(of: "item")
    position = strings.firstID(of: "position")
    view = strings.firstID(of: "view")
    kind = strings.firstID(of: "kind")
    registration = strings.firstID(of: "registration")
    reused = strings.firstID(of: "reused")
    ahead = strings.firstID(of: "ahead")
    estimatedSize = strings.firstID(of: "estimatedSize")
    size = strings.firstID(of: "size")
    bytes = strings.firstID(of: "bytes")
    inserted = strings.firstID(of: "inserted")
    deleted = strings.firstID(of: "deleted")
    reconfigured = strings.firstID(of: "reconfigured")
    reloaded = strings.firstID(of: "reloaded")
  }

  /// Returns the number of bytes that arguments name, or `nil` if they name none.
  func bytes(of arguments: ArgumentListID, in trace: Trace) -> UInt64? {
    switch bytes.flatMap({ trace.arguments.value(of: $0, in: arguments) }) {
    case .unsigned(let number): number
    case .integer(let number): UInt64(exactly: number)
    default: nil
    }
  }

  /// Returns the view that arguments name, or `nil` if they name none.
  package func view(of arguments: ArgumentListID, in trace: Trace) -> UInt64? {
    guard let view, let value = trace.arguments.value(of: view, in: arguments) else { return nil }
    switch value {
    case .unsigned(let number): return number
    case .integer(let number): return UInt64(bitPattern: number)
    case .string(let name): return UInt64(name.rawValue) | 1 << 63
    default: return nil
    }
  }

  /// Returns the position in the list that arguments name, or `nil` if they name none.
  package func position(of arguments: ArgumentListID, in trace: Trace) -> Int64? {
    switch position.flatMap({ trace.arguments.value(of: $0, in: arguments) }) {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// Returns the item that arguments name, as a number, or `nil` if they name none.
  package func item(of arguments: ArgumentListID, in trace: Trace) -> UInt64? {
    guard let item, let value = trace.arguments.value(of: item, in: arguments) else { return nil }
    switch value {
    case .unsigned(let number): return number
    case .integer(let number): return UInt64(bitPattern: number)
    // Items have small numbers, so the top bit keeps names apart from them.
    case .string(let name): return UInt64(name.rawValue) | 1 << 63
    default: return nil
    }
  }
}
