import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The code of the guide *Recording from async code*.
struct AsyncGuideTests {
  struct Photo: Sendable {
    var id: UInt64
    func decoded() -> Photo { self }
  }

  struct Server: Sendable {
    func photo(_ id: UInt64) async throws -> Photo {
      await Task.yield()
      return Photo(id: id)
    }
  }

  actor PhotoStore {
    let recorder: TraceRecorder
    let server = Server()
    private var photos: [UInt64: Photo] = [:]

    init(recorder: TraceRecorder) {
      self.recorder = recorder
    }

    func photo(_ id: UInt64) async throws -> Photo {
      if let photo = photos[id] { return photo }
      return try await recorder.withDataStep(.load, item: ItemID(id)) {
        let photo = try await server.photo(id)
        photos[id] = photo
        return photo
      }
    }
  }

  @MainActor final class FeedView {
    let recorder: TraceRecorder
    let store: PhotoStore
    private(set) var shown: [Photo] = []

    init(recorder: TraceRecorder, store: PhotoStore) {
      self.recorder = recorder
      self.store = store
    }

    func refresh(_ ids: [UInt64]) async throws {
      try await recorder.withInteraction(.refresh) {
        for id in ids { try await show(id) }
      }
    }

    func show(_ id: UInt64) async throws {
      let photo = try await recorder.withSpan("wait for photo", .waiting, item: ItemID(id)) {
        try await store.photo(id)
      }
      recorder.withImageStep(.decode, item: ItemID(id)) {
        shown.append(photo.decoded())
      }
    }

    func draw(_ tick: FrameTiming) {
      let frame = recorder.beginFrame(tick)
      frame.phases { $0.draw {} }
      frame.end()
    }
  }

  private func end(
    _ recorder: TraceRecorder
  ) throws -> (trace: Trace, events: [StrictWalker.Event]) {
    try recorder.finish()
    let bytes = try #require(recorder.recordedBytes)
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty && trace.openSpans.isEmpty)
    return (trace, try StrictWalker(bytes).events)
  }

  @Test func `a task`() async throws {
    let recorder = try TraceRecorder(to: .memory)
    let server = Server()
    let id: UInt64 = 7
    let photo = try await recorder.withImageStep(.download, item: ItemID(id)) {
      try await server.photo(id)
    }
    let bitmap = recorder.withImageStep(.decode, item: ItemID(id)) { photo.decoded() }
    #expect(bitmap.id == 7)
    let events = try end(recorder).events
    #expect(events.filter { $0.name == "download" }.map(\.type) == [5, 7])
    #expect(events.filter { $0.name == "decode" }.map(\.type) == [4])
  }

  @Test func `a task group`() async throws {
    let recorder = try TraceRecorder(to: .memory)
    let server = Server()
    let ids: [UInt64] = [1, 2, 3]
    let photos = try await recorder.withSpan("page") {
      try await withThrowingTaskGroup(of: Photo.self) { group in
        for id in ids {
          group.addTask {
            try await recorder.withImageStep(.download, item: ItemID(id)) {
              try await server.photo(id)
            }
          }
        }
        return try await group.reduce(into: [Photo]()) { $0.append($1) }
      }
    }
    #expect(photos.count == 3)
    let events = try end(recorder).events
    #expect(events.filter { $0.name == "download" && $0.type == 5 }.count == 3)
    #expect(events.filter { $0.name == "page" }.map(\.type) == [5, 7])
  }

  @MainActor @Test func `an actor, and a view of the main actor`() async throws {
    let recorder = try TraceRecorder(to: .memory)
    let store = PhotoStore(recorder: recorder)
    let view = FeedView(recorder: recorder, store: store)
    let frames = Task {
      for index in 0..<5 as Range<Int64> {
        view.draw(FrameTiming(deadline: index, target: index + 1))
        await Task.yield()
      }
    }
    try await view.refresh([1, 2, 3])
    await frames.value
    #expect(view.shown.map(\.id) == [1, 2, 3])
    let (trace, events) = try end(recorder)
    #expect(events.filter { $0.name == "load" && $0.type == 5 }.count == 3)
    #expect(events.filter { $0.name == "wait for photo" && $0.type == 5 }.count == 3)
    #expect(events.filter { $0.name == "decode" }.map(\.type) == [4, 4, 4])
    #expect(trace.surfaces.first?.frames.count == 5)
    #expect(trace.interactions.count == 1)
    // The time that the view waits is no work of the thread on which it draws.
    let work = trace.tracks.flatMap { track in
      (0..<track.spans.count).map { trace.name(of: track.spans[$0].label) }
    }
    #expect(Set(work) == ["decode", "draw", "display"])
  }
}
