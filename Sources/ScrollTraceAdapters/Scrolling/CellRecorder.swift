public import ScrollTraceRecorder

/// Records the life of the cells of one list, by one call in each place where the app meets a cell.
///
/// A class, since data source, delegate and prefetching speak of the same cells. It belongs to the
/// thread it is made on, the main thread.
public final class CellRecorder<Item: Hashable> {
  private let recorder: TraceRecorder
  private let list: ListID
  private let id: (Item) -> ItemID
  private var views = SeenViews()

  /// The cells of a list called `name`. By `id` an item has a stable identifier, such as the key of its
  /// record.
  public init(_ recorder: TraceRecorder, list name: String, id: @escaping (Item) -> ItemID) {
    self.recorder = recorder
    self.id = id
    list = recorder.registerList(named: name)
  }

  /// Records how a cell is prepared: taken from the pool or made, and filled.
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
        step.view = Self.number(of: view)
        step.reused = views.insert(view)
        whole.view = step.view
        whole.reused = step.reused
        return view
      }
      var step = known
      step.view = whole.view
      recorder.withCellStep(.configure, step) { configure(view) }
      return view
    }
  }

  /// Records that a cell is displayed.
  public func willDisplay(_ view: AnyObject, _ item: Item, at position: Int) {
    mark(.willDisplay, view, item, position)
  }

  /// Records that a cell has left the view.
  public func didEndDisplaying(_ view: AnyObject, _ item: Item, at position: Int) {
    mark(.didEndDisplaying, view, item, position)
  }

  /// Records that the list asks for the data of what comes next.
  public func prefetch(_ items: some Sequence<Item>) {
    for item in items {
      recorder.markData(.prefetch, list: list, item: id(item))
    }
  }

  /// Records that the list has no more use for what it asked for.
  public func cancelPrefetching(_ items: some Sequence<Item>) {
    for item in items {
      recorder.markData(.cancelPrefetch, list: list, item: id(item))
    }
  }

  private func mark(_ mark: CellMark, _ view: AnyObject, _ item: Item, _ position: Int) {
    var details = details(of: item, at: position, kind: nil)
    details.view = Self.number(of: view)
    recorder.markCell(mark, details)
  }

  private func details(of item: Item, at position: Int, kind: RecordedName?) -> CellDetails {
    CellDetails(list: list, item: id(item), position: position, kind: kind)
  }

  private static func number(of view: AnyObject) -> UInt64 {
    UInt64(UInt(bitPattern: ObjectIdentifier(view)))
  }
}
