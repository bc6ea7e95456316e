/// The category and name of a span or mark.
package struct Label: Equatable, Sendable {
  /// The category, such as `scrolltrace.cell` or a custom one.
  package let category: StringID

  /// The name, such as `configure`.
  package let name: StringID

  /// The start of the categories whose names have a meaning (F-3), which people may omit.
  package static let reservedPrefix = "scrolltrace."

  /// Returns a category as people read it.
  package static func withoutPrefix(_ category: String) -> Substring {
    category.dropFirst(category.hasPrefix(reservedPrefix) ? reservedPrefix.count : 0)
  }
}

/// The handle of a label in a trace's `LabelTable`. It is valid only with that trace.
@usableFromInline package struct LabelID: Hashable, Comparable, Sendable {
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable package static func < (left: LabelID, right: LabelID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// All labels of a trace, each stored once, in order of first use.
package struct LabelTable: Sendable {
  /// The labels, indexed by `LabelID`.
  package private(set) var labels: [Label] = []
  private var positions: [UInt64: Int] = [:]

  /// The label with the handle `id`, or the empty label if there is no such handle.
  package subscript(id: LabelID) -> Label {
    let index = Int(id.rawValue)
    guard index < labels.count else { return Label(category: .empty, name: .empty) }
    return labels[index]
  }

  /// The handles of all labels, in order.
  package var allIDs: some Collection<LabelID> {
    labels.indices.lazy.map { LabelID(rawValue: UInt32(truncatingIfNeeded: $0)) }
  }

  /// Returns the handle of `label`, adding it if it is new.
  package mutating func intern(_ label: Label) -> LabelID {
    let key = UInt64(label.category.rawValue) << 32 | UInt64(label.name.rawValue)
    let position = labels.position(of: key, in: &positions, adding: label)
    return LabelID(rawValue: UInt32(truncatingIfNeeded: position))
  }
}
