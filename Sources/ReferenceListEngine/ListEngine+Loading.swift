internal import ScrollTraceRecorder

/// The data of the items: asked for, cancelled, brought in, decoded.
extension ListEngine {
  /// How much of `item` a cell can show now.
  func content(of item: ListItem) -> Cell.Content {
    guard case .loaded = states[item.id] else { return .placeholder }
    guard item.kind == .photo else { return .final }
    if images.use(item.id) {
      counters.cacheHits += 1
      recorder.markImage(.cacheHit, item: item.id)
      return .final
    }
    counters.cacheMisses += 1
    recorder.markImage(.cacheMiss, item: item.id)
    return policies.images == .main ? .undecoded : .placeholder
  }

  /// Reads the data of a text on the main thread, where nobody has asked for it ahead.
  func readData(of item: ListItem) {
    let cost = configuration.costs.readData
    guard cost > 0, item.kind == .text, states[item.id] == nil else { return }
    recorder.withDataStep(.load, item: item.id) {
      clock.work(configuration.costs.cost(cost, .readData, of: item.id))
    }
    states[item.id] = .loaded(isUsed: true)
    counters.readsOnMain += 1
  }

  /// Notes that a cell shows the data of `item`, where it is there; the first time ends the arrow
  /// from the request.
  func useData(of item: ListItem) {
    guard case .loaded(isUsed: false) = states[item.id] else { return }
    states[item.id] = .loaded(isUsed: true)
    if let flow = openFlows.removeValue(forKey: item.id) { recorder.endFlow("load", id: flow) }
  }

  /// Asks for the data of `item`, once; and for its bitmap, where only that is missing.
  func request(_ item: ListItem, for view: ViewID?) {
    var isOnDisk = false
    switch states[item.id] {
    case .requested:
      // Asked for ahead and needed now: it is not to be cancelled any more.
      if view != nil { states[item.id] = .requested(isAhead: false) }
      return
    case .loaded:
      guard item.kind == .photo, policies.images != .main else { return }
      isOnDisk = true
    case nil: break
    }
    let costs = configuration.costs
    states[item.id] = .requested(isAhead: view == nil)
    counters.loadsRequested += 1
    if view == nil { recorder.markData(.prefetch, list: list, item: item.id) }
    let flow = UInt64(counters.loadsRequested)
    openFlows[item.id] = flow
    recorder.beginFlow("load", id: flow)
    // To ask takes a moment: what answers begins later than the question.
    clock.work(costs.overhead)
    let decode: LoadJob.Decoding? = costs.decode(item, pixels: bitmapPixels(of: item))
      .flatMap { cost in
        switch policies.images {
        case .main: nil
        case .background: .full(cost)
        case .thumbnails: .thumbnail(cost)
        }
      }
    clock.start(
      LoadJob(
        item: item, view: view, flow: flow,
        lead: costs.loadLead + costs.cost(costs.readData, .readData, of: item.id),
        download: isOnDisk ? nil : costs.download(item), decode: decode))
  }

  /// Asks for the data of the lines that come next in the direction of the scroll, the nearest first,
  /// and cancels what was asked for in the other.
  func requestAhead(of rows: Range<Int>) {
    let items = content.items
    let count = configuration.linesLoadedAhead * layout.columns
    let next =
      velocity < 0
      ? max(0, rows.lowerBound - count)..<rows.lowerBound
      : rows.upperBound..<min(items.count, max(rows.upperBound, rows.upperBound + count))
    cancelRequests(
      outside: min(rows.lowerBound, next.lowerBound)..<max(rows.upperBound, next.upperBound))
    for position in velocity < 0 ? Array(next.reversed()) : Array(next) {
      guard states[items[position].id] == nil else { continue }
      requestedAhead[items[position].id] = position
      request(items[position], for: nil)
    }
  }

  /// Takes back the requests ahead for items that do not come next any more.
  private func cancelRequests(outside rows: Range<Int>) {
    var cancelled: [ItemID] = []
    for (item, position) in requestedAhead.sorted(by: { $0.value < $1.value }) {
      guard states[item] == .requested(isAhead: true) else {
        requestedAhead[item] = nil
        continue
      }
      guard !rows.contains(position) else { continue }
      requestedAhead[item] = nil
      cancelled.append(item)
    }
    cancel(cancelled)
  }

  /// Takes the requests for some items back.
  func cancel(_ items: [ItemID]) {
    guard !items.isEmpty else { return }
    for item in items { recorder.markData(.cancelPrefetch, list: list, item: item) }
    clock.cancel(Set(items))
  }

  /// Takes the results that have come; gives those of items that are still wanted.
  func takeResults() -> [FinishedLoad] {
    let results = arrived
    arrived = []
    for load in results {
      states[load.item.id] = .loaded(isUsed: false)
      if load.isDecoded { keepBitmap(of: load.item) }
    }
    return results
  }

  /// The pixels of the bitmap that the present policy makes of the image of `item`.
  private func bitmapPixels(of item: ListItem) -> Int64 {
    policies.images == .thumbnails
      ? configuration.imageSize.thumbnailPixels(of: item) : item.pixels
  }

  /// Puts the bitmap of an item into the cache, at four bytes a pixel.
  private func keepBitmap(of item: ListItem) {
    for evicted in images.insert(item.id, bytes: 4 * bitmapPixels(of: item)) {
      recorder.markImage(
        .evict, item: evicted.item, bytes: UInt64(clamping: evicted.bytes))
    }
  }

  /// Makes bitmaps of the images in view that are none yet, on the main thread.
  func decodeImages() {
    for index in visible.indices where visible[index].content == .undecoded {
      let item = content.items[visible[index].position]
      clock.work(configuration.costs.overhead)
      recorder.withImageStep(
        .decode, item: item.id, view: visible[index].view.rawValue,
        bytes: UInt64(clamping: item.bytes)
      ) {
        clock.work(configuration.costs.decode(item, pixels: item.pixels) ?? 0)
      }
      counters.decodesOnMain += 1
      states[item.id] = .loaded(isUsed: true)
      keepBitmap(of: item)
      visible[index].content = .final
      noteFinal(visible[index])
    }
  }

  /// Says that a cell shows its image.
  func noteFinal(_ cell: Cell) {
    recorder.markImage(.final, item: cell.item, view: cell.view.rawValue)
  }
}
