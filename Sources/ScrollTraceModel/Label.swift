/// What a span or mark is called: its category and its name.
package struct Label: Hashable, Sendable {
  /// The category, for example `scrolltrace.cell` or the host's own.
  package let category: StringID

  /// The name, for example `configure`.
  package let name: StringID

  /// A label of `category` and `name`.
  package init(category: StringID, name: StringID) {
    self.category = category
    self.name = name
  }
}

/// The handle of a label in a trace's `LabelTable`; valid with that trace only.
@usableFromInline package struct LabelID: Hashable, Comparable, Sendable {
  /// The position in the table.
  @usableFromInline package let rawValue: UInt32

  /// A handle for position `rawValue`.
  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Whether `left` comes before `right`.
  @inlinable package static func < (left: LabelID, right: LabelID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// All labels of a trace, each stored once, in order of first use.
package struct LabelTable: Sendable {
  /// The labels; a `LabelID` is a position in them.
  package private(set) var labels: [Label] = []
  private var ids: [UInt64: LabelID] = [:]

  /// An empty table.
  package init() {}

  /// The label with the handle `id`; the empty label where the table has no such handle.
  package subscript(id: LabelID) -> Label {
    let index = Int(id.rawValue)
    guard index < labels.count else { return Label(category: .empty, name: .empty) }
    return labels[index]
  }

  /// The handle of `label`, adding it where it is new.
  package mutating func intern(_ label: Label) -> LabelID {
    let key = UInt64(label.category.rawValue) << 32 | UInt64(label.name.rawValue)
    if let id = ids[key] { return id }
    let id = LabelID(rawValue: UInt32(truncatingIfNeeded: labels.count))
    labels.append(label)
    ids[key] = id
    return id
  }
}
