/// The names and threads that providers have indexed, and the selected provider.
///
/// One flat table serves all providers: each entry holds the generation of the provider that
/// defined it, so that restarting a provider is free. An entry that another provider can still need
/// moves aside. Memory grows with the definitions in the file, never with the indexes or provider
/// numbers in it.
struct FXTReferences {
  /// The first table index of threads; names have lower ones.
  private static let firstThread = 0x8000

  private var generations: [UInt32]
  private var values: [UInt32]
  private var displaced: [UInt64: UInt32] = [:]
  private var providers: [UInt32: Provider] = [:]
  private var lastGeneration: UInt32 = 1
  private var lastEpoch: UInt32 = 1
  private var floor: UInt32 = 0
  private var selected: UInt32?
  private var current = Provider(generation: 1, epoch: 1, clock: FXTClock())
  private var initialClock = FXTClock()

  private struct Provider {
    var generation: UInt32
    var epoch: UInt32
    var clock: FXTClock
  }

  init() {
    generations = Array(repeating: 0, count: Self.firstThread + 256)
    values = Array(repeating: 0, count: Self.firstThread + 256)
  }

  /// A number that changes whenever an index can get another meaning; part of cache keys.
  var epoch: UInt32 { current.epoch }

  var clock: FXTClock { current.clock }

  /// Sets the clock of the selected provider, or of all later ones if none is selected.
  mutating func setClock(_ clock: FXTClock) {
    current.clock = clock
    if selected == nil { initialClock = clock }
  }

  // MARK: - Providers

  /// Forgets all providers, at the start of a chunk (chunks are self-contained) or file.
  mutating func reset() {
    floor = lastGeneration
    if !providers.isEmpty { providers = [:] }
    if !displaced.isEmpty { displaced = [:] }
    selected = nil
    initialClock = FXTClock()
    current = makeProvider()
  }

  /// Starts provider `id` with empty tables.
  mutating func start(_ id: UInt32) {
    keepSelected()
    current = makeProvider()
    selected = id
  }

  /// Continues provider `id`; one that was never started has empty tables.
  mutating func select(_ id: UInt32) {
    guard selected != id else { return }
    keepSelected()
    current = providers[id] ?? makeProvider()
    selected = id
  }

  private mutating func keepSelected() {
    if let selected { providers[selected] = current }
  }

  private mutating func makeProvider() -> Provider {
    lastGeneration &+= 1
    lastEpoch &+= 1
    return Provider(
      generation: lastGeneration, epoch: lastEpoch, clock: initialClock)
  }

  // MARK: - Entries

  mutating func defineString(_ index: Int, _ value: UInt32) { define(index & 0x7fff, value) }

  mutating func defineThread(_ index: Int, _ value: UInt32) {
    define(Self.firstThread + (index & 0xff), value)
  }

  /// Returns the meaning of a name index, or `nil` if the provider never defined it.
  mutating func string(_ index: Int) -> UInt32? { find(index & 0x7fff) }

  /// Returns the meaning of a thread index, or `nil` if the provider never defined it.
  mutating func thread(_ index: Int) -> UInt32? { find(Self.firstThread + (index & 0xff)) }

  /// Returns the meaning of a name index in any part of the file: in recordings, an index has the
  /// same meaning everywhere (W5).
  func stringOfAnyProvider(_ index: Int) -> UInt32? {
    let slot = index & 0x7fff
    return generations[slot] > 0 ? values[slot] : nil
  }

  private mutating func define(_ slot: Int, _ value: UInt32) {
    if generations[slot] == current.generation {
      guard values[slot] != value else { return }
      lastEpoch &+= 1
      current.epoch = lastEpoch
    } else {
      setAside(slot)
      if !displaced.isEmpty { displaced[key(current.generation, slot)] = nil }
    }
    generations[slot] = current.generation
    values[slot] = value
  }

  @inline(__always)
  private mutating func find(_ slot: Int) -> UInt32? {
    generations[slot] == current.generation ? values[slot] : findDisplaced(slot)
  }

  private mutating func findDisplaced(_ slot: Int) -> UInt32? {
    guard !displaced.isEmpty, let value = displaced[key(current.generation, slot)] else {
      return nil
    }
    setAside(slot)
    generations[slot] = current.generation
    values[slot] = value
    return value
  }

  /// Moves aside another provider's entry before it is overwritten.
  private mutating func setAside(_ slot: Int) {
    guard generations[slot] > floor else { return }
    displaced[key(generations[slot], slot)] = values[slot]
  }

  private func key(_ generation: UInt32, _ slot: Int) -> UInt64 {
    UInt64(generation) << 32 | UInt64(slot)
  }
}
