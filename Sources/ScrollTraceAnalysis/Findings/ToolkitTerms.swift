/// What a fix is about that toolkits have a name of their own for.
enum AdviceTopic: CaseIterable {
  case decodeImages
  /// Requests for the data of items that come next.
  case prefetchData
  /// Cancellation of those requests.
  case cancelPrefetch
  case registerCells
  /// Getting cells from the pool.
  case reuseCells
  /// Changing only what differs between two lists of items.
  case applyDifferences
  /// Giving an item's cell new content.
  case reconfigureItem
  /// Preparing cells before they are displayed.
  case prepareAhead
  case frameRate
  case estimateSizes
  /// Running work off the main thread.
  case background
  /// Moving to a far position without animation.
  case jump
}

/// The terms of toolkits: the only place where advice names the functions of one.
///
/// A toolkit without a term for a topic, and an unknown one, get the neutral words alone.
enum ToolkitTerms {
  /// Returns the term in parentheses after a space, or an empty string if there is none.
  static func parenthesized(_ topic: AdviceTopic, of toolkit: Toolkit?) -> String {
    guard let toolkit, let term = terms(of: toolkit)[topic] else { return "" }
    return " (\(term))"
  }

  private static func terms(of toolkit: Toolkit) -> [AdviceTopic: String] {
    switch toolkit {
    case .uiKit: uiKit
    case .appKit: appKit
    case .swiftUI: swiftUI
    case .compose: compose
    case .recyclerView: recyclerView
    case .android: recyclerView.merging(compose) { $0 == $1 ? $0 : "\($0); Compose: \($1)" }
    case .flutter: flutter
    case .gtk: gtk
    case .qtQuick: qtQuick
    case .web: web
    case .gameLoop: gameLoop
    }
  }

  private static let uiKit: [AdviceTopic: String] = [
    .decodeImages: "prepareForDisplay, prepareThumbnail", .prefetchData: "prefetchItemsAt",
    .cancelPrefetch: "cancelPrefetchingForItemsAt",
    .registerCells: "UICollectionView.CellRegistration",
    .reuseCells: "dequeueConfiguredReusableCell", .applyDifferences: "apply instead of reloadData",
    .reconfigureItem: "reconfigureItems", .prepareAhead: "isPrefetchingEnabled",
    .frameRate: "preferredFrameRateRange", .estimateSizes: "estimated sizes",
    .background: "a Task or a queue", .jump: "scrollToItem without animation",
  ]

  private static let appKit: [AdviceTopic: String] = [
    .decodeImages: "CGImageSource thumbnails", .prefetchData: "NSCollectionViewPrefetching",
    .cancelPrefetch: "cancelPrefetchingForItemsAt",
    .registerCells: "register(_:forItemWithIdentifier:)",
    .reuseCells: "makeItem(withIdentifier:for:), makeView(withIdentifier:owner:)",
    .applyDifferences: "apply instead of reloadData",
    .reconfigureItem: "reloadData(forRowIndexes:columnIndexes:)",
    .prepareAhead: "prepareContent(in:)", .frameRate: "preferredFrameRateRange",
    .background: "a Task or a queue", .jump: "scroll(_:) without animator",
  ]

  private static let swiftUI: [AdviceTopic: String] = [
    .decodeImages: "CGImageSource thumbnails in a task",
    .prefetchData: "onAppear of an earlier row",
    .cancelPrefetch: "task(id:) ends with its row", .reuseCells: "List, and no AnyView in rows",
    .applyDifferences: "stable identifiers in ForEach",
    .reconfigureItem: "an observable model for each row", .prepareAhead: "List prefetches rows",
    .estimateSizes: "frame(height:)", .background: "a detached task",
    .jump: "scrollTo without animation",
  ]

  private static let compose: [AdviceTopic: String] = [
    .decodeImages: "a target size in Coil", .prefetchData: "prefetchDistance of Paging",
    .cancelPrefetch: "cancel the coroutine", .registerCells: "contentType in LazyColumn",
    .reuseCells: "contentType in LazyColumn", .applyDifferences: "key in LazyColumn",
    .reconfigureItem: "state of one item", .prepareAhead: "LazyListPrefetchStrategy",
    .frameRate: "setFrameRate", .background: "Dispatchers.Default", .jump: "scrollToItem",
  ]

  private static let recyclerView: [AdviceTopic: String] = [
    .decodeImages: "a target size in Coil or Glide", .prefetchData: "RecyclerViewPreloader",
    .cancelPrefetch: "cancel the image request",
    .registerCells: "one view type for each layout", .reuseCells: "RecycledViewPool",
    .applyDifferences: "DiffUtil", .reconfigureItem: "notifyItemChanged with a payload",
    .prepareAhead: "setItemPrefetchEnabled", .frameRate: "setFrameRate",
    .background: "Dispatchers.Default", .jump: "scrollToPosition",
  ]

  private static let flutter: [AdviceTopic: String] = [
    .decodeImages: "cacheWidth, precacheImage", .prefetchData: "cacheExtent",
    .reuseCells: "ListView.builder", .applyDifferences: "keys and findChildIndexCallback",
    .reconfigureItem: "a ValueListenableBuilder for each row", .prepareAhead: "cacheExtent",
    .estimateSizes: "itemExtent, prototypeItem", .background: "Isolate.run", .jump: "jumpTo",
  ]

  private static let gtk: [AdviceTopic: String] = [
    .decodeImages: "a GdkTexture made in a GTask", .prefetchData: "a GTask",
    .cancelPrefetch: "GCancellable", .registerCells: "one GtkSignalListItemFactory",
    .reuseCells: "widgets made in setup, filled in bind",
    .applyDifferences: "g_list_store_splice",
    .reconfigureItem: "properties bound in bind", .background: "g_task_run_in_thread",
    .jump: "gtk_list_view_scroll_to",
  ]

  private static let qtQuick: [AdviceTopic: String] = [
    .decodeImages: "Image with asynchronous and sourceSize", .prefetchData: "fetchMore",
    .registerCells: "one delegate, DelegateChooser", .reuseCells: "reuseItems",
    .applyDifferences: "insertRows and removeRows instead of a model reset",
    .reconfigureItem: "dataChanged with roles", .prepareAhead: "cacheBuffer",
    .background: "QtConcurrent, WorkerScript", .jump: "positionViewAtIndex",
  ]

  private static let web: [AdviceTopic: String] = [
    .decodeImages: "img.decode(), createImageBitmap with a size",
    .prefetchData: "IntersectionObserver with rootMargin", .cancelPrefetch: "AbortController",
    .reuseCells: "a virtual list that recycles rows", .applyDifferences: "stable keys",
    .reconfigureItem: "memoized rows", .prepareAhead: "overscan, requestIdleCallback",
    .estimateSizes: "contain-intrinsic-size", .background: "a Web Worker",
    .jump: "scrollTo with behavior instant",
  ]

  private static let gameLoop: [AdviceTopic: String] = [
    .decodeImages: "compressed textures from a streaming thread",
    .prefetchData: "a streaming thread", .reuseCells: "an object pool",
    .prepareAhead: "a budget of work for each frame", .frameRate: "the swap interval",
    .background: "a job system",
  ]
}
