/// The identifier of a cell, regardless of the item it displays.
package struct ViewID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
