package import ScrollTraceModel

/// What a host builds its lists with, which decides the words of the advice.
package enum Toolkit: String, CaseIterable, Sendable {
  case uiKit, appKit, swiftUI, compose, recyclerView, android, reactNative, flutter, gtk, qtQuick,
    web
  case gameLoop

  /// The state in which a host names its toolkit: `recorder.setState("host", to: "GTK")`.
  package static let stateKey = "host"

  /// Creates the toolkit of a trace, from what its host says, then from its format and work; `nil` if
  /// unknown.
  package init?(of trace: Trace) {
    let named = trace.states.filter { $0.key == Self.stateKey }.compactMap(\.value)
    if let name = named.last {
      self.init(name)
      return
    }
    // A page does not write work of our categories; a host that does can be built with anything.
    let isRecorded = trace.labels.labels.contains {
      trace.strings[$0.category].hasPrefix("scrolltrace.")
    }
    let found = Self.work.first { _, marker in
      trace.labels.labels.contains {
        trace.strings.matches($0.category, marker) || trace.strings.matches($0.name, marker)
      }
    }
    if let toolkit = Self(format: trace.source.format), toolkit != .web || !isRecorded {
      // The engine of Flutter writes its timeline as Chrome does.
      self = toolkit == .web && found?.toolkit == .flutter ? .flutter : toolkit
      return
    }
    let typed = Self.byTypes(in: trace)
    // Its views are those of the system, whose work is in the trace too.
    guard let toolkit = typed == .reactNative ? typed : found?.toolkit ?? typed else { return nil }
    self = toolkit
  }

  /// The first toolkit in `types` of which the work of a trace has one, or `nil` if there is none.
  private static func byTypes(in trace: Trace) -> Toolkit? {
    var first: Int?
    for label in trace.labels.labels {
      let name = trace.strings[label.name]
      // A method of Objective-C: `-[UITableView reloadData]`.
      let function = name.hasPrefix("-[") || name.hasPrefix("+[") ? name.dropFirst(2) : name[...]
      let index = types.prefix(first ?? types.count).firstIndex { function.hasPrefix($0.start) }
      first = index ?? first
    }
    return first.map { types[$0].toolkit }
  }

  /// Creates the toolkit that a name contains, in any spelling, or `nil` if it is another one.
  package init?(_ name: String) {
    let letters = name.prefix(Self.longestName).filter(\.isLetter).lowercased()
    guard let found = Self.names.first(where: { letters.includes($0.name) }) else { return nil }
    self = found.toolkit
  }

  /// Returns a Boolean value indicating whether a state only names the toolkit.
  package static func isNamed(by state: StateChange) -> Bool {
    state.key == stateKey && state.value.map { Toolkit($0) != nil } ?? false
  }

  /// Whether a name can be a composable's.
  fileprivate var hasComposables: Bool { [.android, .recyclerView, .compose].contains(self) }

  /// Whether a name can be that of the body of a view of SwiftUI.
  fileprivate var hasBodies: Bool { [.swiftUI, .uiKit, .appKit].contains(self) }

  private static let longestName = 64

  /// The names in lowercase letters; of two in one name, the first counts.
  private static let names: [(name: String, toolkit: Toolkit)] = [
    ("reactnative", .reactNative), ("swiftui", .swiftUI), ("appkit", .appKit), ("uikit", .uiKit),
    ("compose", .compose),
    ("recyclerview", .recyclerView), ("android", .android), ("flutter", .flutter), ("gtk", .gtk),
    ("qt", .qtQuick), ("web", .web), ("browser", .web), ("chrom", .web), ("electron", .web),
    ("game", .gameLoop), ("sdl", .gameLoop), ("unity", .gameLoop), ("unreal", .gameLoop),
    ("godot", .gameLoop),
  ]

  /// Work that only one toolkit has.
  private static let work: [(toolkit: Toolkit, marker: StaticString)] = [
    (.recyclerView, "RV OnBindView"), (.recyclerView, "RV Scroll"),
    (.flutter, "Animator::BeginFrame"), (.gameLoop, "PlayerLoop"),
    (.gameLoop, "FEngineLoop::Tick"),
    (.android, "Choreographer#doFrame"), (.web, "ThreadControllerImpl::RunTask"), (.web, "blink"),
    (.gtk, "gtk"),
  ]

  /// How the names of functions of one toolkit begin. SwiftUI is built on the others of its systems.
  private static let types: [(toolkit: Toolkit, start: String)] = [
    (.reactNative, "FabricUIManager"), (.reactNative, "MountItemDispatcher"),
    (.reactNative, "SurfaceMountingManager"), (.reactNative, "UIViewOperationQueue"),
    (.reactNative, "createView RCT"), (.reactNative, "RCT"),
    (.swiftUI, "SwiftUI"), (.swiftUI, "ViewGraph"), (.uiKit, "UICollectionView"),
    (.uiKit, "UITableView"), (.appKit, "NSTableView"), (.appKit, "NSCollectionView"),
    (.qtQuick, "QQuick"), (.qtQuick, "QQml"), (.qtQuick, "QSG"),
  ]

  /// Creates the toolkit of a format that only one has. Instruments records apps of UIKit, AppKit and
  /// SwiftUI, and does not say which.
  private init?(format: String) {
    switch format {
    case "gfxinfo", "systrace": self = .android
    case "flutter": self = .flutter
    case "chrome-json": self = .web
    case "presentmon", "mangohud": self = .gameLoop
    default: return nil
    }
  }
}

/// What a fix is about that toolkits have a name of their own for.
enum AdviceTopic: CaseIterable {
  case decodeImages
  /// Handing images over to the GPU.
  case uploadImages
  /// Requests for the data of items that come next.
  case prefetchData
  case cancelPrefetch
  case registerCells
  /// Getting cells from the pool.
  case reuseCells
  /// Changing only what differs between two lists of items.
  case applyDifferences
  /// Giving an item's cell new content.
  case reconfigureItem
  case prepareAhead
  case frameRate
  case estimateSizes
  /// Running work off the main thread.
  case background
  /// Moving to a far position without animation.
  case jump
  /// Loading fonts before their text is displayed.
  case loadFonts
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

  /// Returns what to do about a phase of the toolkit's own frames, which no other thread can run, or `nil`
  /// if `work` is none.
  static func advice(onPhase work: WorkName, of toolkit: Toolkit?) -> String? {
    guard var name = work.name else { return nil }
    if toolkit?.hasBodies ?? true, isBody(name) { return body }
    guard let toolkit else { return nil }
    let phases: [(phase: String, advice: String)] =
      switch toolkit {
      case .flutter: flutterPhases
      case .web: webPhases
      case .android, .recyclerView, .compose, .reactNative: androidPhases
      default: []
      }
    // A list of frames alone writes it so.
    if toolkit == .flutter, name == "build" { name = "BUILD" }
    // A phase of the first frame or of a boundary goes on: `LAYOUT (root)`.
    return phases.first { name == $0.phase || name.hasPrefix($0.phase + " ") }?.advice
      ?? (toolkit.hasComposables && isComposable(name) ? recompose : nil)
  }

  /// Whether a name is that of the body of a view of SwiftUI, as `FeedRow.body` and `AsyncImage body`.
  private static func isBody(_ name: String) -> Bool {
    let parts = name.split { $0 == "." || $0 == " " }
    let path = parts.last == "getter" ? parts.dropLast() : parts[...]
    guard path.count > 1, path.last == "body", let view = path.dropLast().last else { return false }
    // Messages have a body too.
    let others: Set = ["request", "response", "message", "mail", "email", "post"]
    return view.first?.isUppercase == true
      && QualifiedName.words(of: view).last.map(others.contains) == false
  }

  private static let body =
    "Do less in body, and have fewer bodies evaluated: pass only what a view shows, and compute it before."

  /// Whether a name is that of a composable, with the location that Compose writes: `Feed (Feed.kt:88)`.
  private static func isComposable(_ name: String) -> Bool {
    guard name.last == ")", let location = name.lastIndex(of: "("),
      let function = name[..<location].split(whereSeparator: { ". ".contains($0) }).last
    else { return false }
    // Composables are named like types.
    return function.first?.isUppercase == true && name[location...].includes(".kt:")
  }

  private static func terms(of toolkit: Toolkit) -> [AdviceTopic: String] {
    switch toolkit {
    case .uiKit: uiKit
    case .appKit: appKit
    case .swiftUI: swiftUI
    case .compose: compose
    case .recyclerView: recyclerView
    case .android: recyclerView.merging(compose) { $0 == $1 ? $0 : "\($0); Compose: \($1)" }
    case .reactNative: reactNative
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
    .uploadImages: "prepareToDraw",
  ]

  private static let recyclerView: [AdviceTopic: String] = [
    .decodeImages: "a target size in Coil or Glide", .prefetchData: "RecyclerViewPreloader",
    .cancelPrefetch: "cancel the image request",
    .registerCells: "one view type for each layout", .reuseCells: "RecycledViewPool",
    .applyDifferences: "DiffUtil", .reconfigureItem: "notifyItemChanged with a payload",
    .prepareAhead: "setItemPrefetchEnabled", .frameRate: "setFrameRate",
    .background: "Dispatchers.Default", .jump: "scrollToPosition", .uploadImages: "prepareToDraw",
  ]

  private static let reactNative: [AdviceTopic: String] = [
    .decodeImages: "resizeMethod resize", .prefetchData: "onEndReachedThreshold",
    .registerCells: "getItemType in FlashList",
    .reuseCells: "FlashList; FlatList: windowSize, maxToRenderPerBatch",
    .applyDifferences: "keyExtractor", .reconfigureItem: "React.memo",
    .prepareAhead: "windowSize, drawDistance in FlashList", .estimateSizes: "getItemLayout",
    .jump: "scrollToIndex without animated",
  ]

  private static let flutter: [AdviceTopic: String] = [
    .decodeImages: "cacheWidth, precacheImage", .prefetchData: "cacheExtent",
    .reuseCells: "ListView.builder", .applyDifferences: "keys and findChildIndexCallback",
    .reconfigureItem: "a ValueListenableBuilder for each row", .prepareAhead: "cacheExtent",
    .estimateSizes: "itemExtent, prototypeItem", .background: "Isolate.run", .jump: "jumpTo",
    .loadFonts: "FontLoader",
  ]

  private static let flutterPhases: [(phase: String, advice: String)] = {
    let build =
      "Rebuild less: const widgets, ListView.builder, state further down, itemExtent or"
      + " prototypeItem."
    let layout =
      "Lay out less: itemExtent or prototypeItem, no shrinkWrap and IntrinsicHeight, relayout"
      + " boundaries."
    let paint = "Paint less: RepaintBoundary around what changes, no Opacity and saveLayer."
    return [
      ("BUILD", build), ("FINALIZE TREE", build), ("LAYOUT", layout), ("PAINT", paint),
      ("UPDATING COMPOSITING BITS", paint), ("COMPOSITING", paint),
      ("SEMANTICS", "Change less of the semantics tree: ExcludeSemantics, MergeSemantics."),
    ]
  }()

  private static let webPhases: [(phase: String, advice: String)] = {
    let style = "Change the style of fewer elements: simpler selectors, classes on few elements."
    let paint =
      "Paint less: smaller areas, fewer shadows and filters, a layer of its own for what moves."
    let script = "Load and evaluate less script while something moves: split it, and do it ahead."
    return [
      (
        "Layout",
        "Lay out less: content-visibility, contain, fewer elements, no reading of sizes after a write."
      ),
      (
        "HitTest",
        "Keep the tree under the pointer small: pointer-events: none where nothing listens, fewer elements."
      ),
      ("Commit", paint), ("UpdateLayoutTree", style), ("RecalculateStyles", style),
      ("Recalculate Style", style), ("Paint", paint), ("PrePaint", paint), ("Layerize", paint),
      ("UpdateLayer", paint),
      ("ParseHTML", "Insert less HTML at once: fewer rows, in parts, or clones of a template."),
      ("EvaluateScript", script), ("v8.compile", script),
      (
        "Receive mojo message",
        "Send less between the page and the browser while something moves: fewer and smaller writes to"
          + " localStorage, and fewer messages and requests."
      ),
    ]
  }()

  private static let recompose =
    "Recompose less: stable parameters, derivedStateOf, and state that is read in lambdas."

  private static let androidPhases: [(phase: String, advice: String)] = {
    let layout = "Lay out less: flat layouts, fixed sizes, no nested weights, and fewer requests."
    let inflate =
      "Inflate fewer and simpler views: a larger RecycledViewPool, prefetching, AsyncLayoutInflater."
    let prefetch =
      "Make cells cheaper to create and to fill: this prepares the next ones between two frames."
    let draw = "Draw less: fewer views that change, and no large bitmaps or paths made anew."
    let compile = "Have this code compiled before it runs: ship a baseline profile."
    return [
      ("measure", layout), ("layout", layout), ("RV OnLayout", layout),
      ("inflate", inflate), ("RV CreateView", inflate),
      ("RV Prefetch", prefetch), ("compose:lazy:prefetch:compose", prefetch),
      ("compose:lazy:prefetch:measure", prefetch),
      ("JIT compiling", compile), ("VerifyClass", compile), ("Class verification", compile),
      (
        "RV FullInvalidate",
        "Change single items (DiffUtil, notifyItemChanged), not the whole list."
      ),
      ("Recomposer:recompose", recompose), ("Compose:recompose", recompose),
      ("Compose:applyChanges", recompose), ("draw", draw), ("Record View#draw()", draw),
    ]
  }()

  /// Returns what to do about a stage of the toolkit's frames that no span inside explains, or `nil` if `work` is
  /// none.
  static func advice(onStage work: WorkName, of toolkit: Toolkit?) -> String? {
    switch (toolkit, work.name) {
    case (.android, "handle input"):
      "Make cells cheaper to create and to fill, and do less when a finger touches or moves: listeners run in this"
        + " stage, and scrolling, with the cells that appear."
    case (.android, "animation"):
      "Make cells cheaper to create and to fill: scrolling runs in this stage, with the cells that appear."
    case (.android, "traversals"):
      advice(onPhase: WorkName(category: work.category, name: "layout"), of: toolkit)
    default: advice(onPhase: work, of: toolkit)
    }
  }

  private static let gtk: [AdviceTopic: String] = [
    .decodeImages: "a GdkTexture made in a GTask", .prefetchData: "a GTask",
    .cancelPrefetch: "GCancellable", .registerCells: "one GtkSignalListItemFactory",
    .reuseCells: "widgets made in setup, filled in bind", .applyDifferences: "g_list_store_splice",
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
    .jump: "scrollTo with behavior instant", .loadFonts: "document.fonts.load",
  ]

  private static let gameLoop: [AdviceTopic: String] = [
    .decodeImages: "compressed textures from a streaming thread",
    .prefetchData: "a streaming thread", .reuseCells: "an object pool",
    .prepareAhead: "a budget of work for each frame", .frameRate: "the swap interval",
    .background: "a job system",
  ]
}
