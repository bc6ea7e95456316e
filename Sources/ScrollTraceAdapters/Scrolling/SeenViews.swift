/// The cells a list has dequeued so far, to tell a used one from a new one.
///
/// Views are not kept alive: one that is gone is not taken for a new one at the same address.
struct SeenViews {
  private struct Entry {
    weak var view: AnyObject?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// How many entries there may be before those of views that are gone are removed.
  private var limit = 64

  /// Whether `view` was seen before; it is from now on.
  mutating func insert(_ view: AnyObject) -> Bool {
    let key = ObjectIdentifier(view)
    if entries[key]?.view === view { return true }
    entries[key] = Entry(view: view)
    if entries.count > limit {
      entries = entries.filter { $0.value.view != nil }
      limit = max(64, entries.count * 2)
    }
    return false
  }
}
