/// The views that a list has dequeued so far, to distinguish reused views from new ones.
///
/// Views are not retained. A new view at the address of a deallocated one counts as new.
struct SeenViews {
  private struct Entry { weak var view: AnyObject? }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The number of entries above which those of deallocated views are removed.
  private var limit = 64

  /// Returns whether `view` was seen before, and adds it.
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
