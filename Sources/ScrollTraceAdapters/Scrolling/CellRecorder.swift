public import ScrollTraceRecorder

/// Records the life of a list's cells, with one call at each place where the app uses a cell.
///
/// A class, because the data source, delegate and prefetching share it. Use it only on the thread
/// that creates it, the main thread.
public final class CellRecorder<Item: Hashable> {
  private let recorder: TraceRecorder
  private let list: ListID
  private let id: (Item) -> ItemID
  private var views = SeenViews()

  /// Creates a recorder for the cells of a list.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - name: The list's name.
  ///   - id: Returns the stable identifier of an item, such as the key of its record.
  public init(_ recorder: TraceRecorder, list name: String, id: @escaping (Item) -> ItemID) {
    self.recorder = recorder
    self.id = id
    list = recorder.registerList(named: name)
  }

  /// Records how a cell is prepared: dequeued or created, and configured.
  ///
  /// ```swift
  /// cells.prepare(post, at: indexPath.item) {
  ///   collectionView.dequeueReusableCell(withReuseIdentifier: "post", for: indexPath)
  /// } configure: { cell in
  ///   cell.show(post)
  /// }
  /// ```
  public func prepare<View: AnyObject>(
    _ item: Item, at position: Int, kind: RecordedName? = nil, dequeue: () -> View,
    configure: (View) -> Void
  ) -> View {
    let known = details(of: item, at: position, kind: kind)
    return recorder.withCellStep(.prepare, known) { whole in
      let view = recorder.withCellStep(.dequeue, known) { step in
        let view = dequeue()
        step.viewID = Self.number(of: view)
        step.isReused = views.insert(view)
        whole.viewID = step.viewID
        whole.isReused = step.isReused
        return view
      }
      var step = known
      step.viewID = whole.viewID
      recorder.withCellStep(.configure, step) { configure(view) }
      return view
    }
  }

  /// Records that a cell is about to be displayed.
  public func willDisplay(_ view: AnyObject, _ item: Item, at position: Int) {
    mark(.willDisplay, view, item, position)
  }

  /// Records that a cell is no longer in view.
  public func didEndDisplaying(_ view: AnyObject, _ item: Item, at position: Int) {
    mark(.didEndDisplaying, view, item, position)
  }

  /// Records that the list requests the data of items that come next.
  public func prefetch(_ items: some Sequence<Item>) {
    for item in items { recorder.markData(.prefetch, list: list, item: id(item)) }
  }

  /// Records that the list no longer needs items that it requested.
  public func cancelPrefetching(_ items: some Sequence<Item>) {
    for item in items { recorder.markData(.cancelPrefetch, list: list, item: id(item)) }
  }

  private func mark(_ mark: CellMark, _ view: AnyObject, _ item: Item, _ position: Int) {
    var details = details(of: item, at: position, kind: nil)
    details.viewID = Self.number(of: view)
    recorder.markCell(mark, details)
  }

  private func details(of item: Item, at position: Int, kind: RecordedName?) -> CellDetails {
    CellDetails(list: list, item: id(item), position: position, kind: kind)
  }

  private static func number(of view: AnyObject) -> UInt64 {
    UInt64(UInt(bitPattern: ObjectIdentifier(view)))
  }
}

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
