/// The string and thread tables while walking through a file record by record.
package struct FXTNames {
  /// A thread identified by its own numbers.
  package struct Thread: Hashable, Comparable {
    /// The process id.
    package var process: UInt64
    /// The thread id.
    package var id: UInt64

    /// Orders threads by process, then by thread.
    package static func < (left: Thread, right: Thread) -> Bool {
      (left.process, left.id) < (right.process, right.id)
    }
  }

  private var strings: [UInt64: String] = [:]
  private var threads: [UInt64: Thread] = [:]
  private var epochs: [UInt32: UInt64] = [:]
  private var epoch: UInt64 = 0
  private var epochCount: UInt64 = 0
  /// The provider whose tables apply.
  private(set) var provider: UInt32 = 0

  /// Restarts the tables of a provider.
  mutating func start(_ provider: UInt32) {
    epochCount += 1
    epochs[provider] = epochCount
    select(provider)
  }

  /// Continues the tables of a provider.
  mutating func select(_ provider: UInt32) {
    self.provider = provider
    epoch = epochs[provider] ?? 0
  }

  /// Forgets everything, as at the start of a file.
  mutating func reset() { self = FXTNames() }

  mutating func define(string index: UInt64, _ text: String) { strings[epoch << 16 | index] = text }

  mutating func define(thread index: UInt64, _ thread: Thread) {
    threads[epoch << 16 | index] = thread
  }

  /// Returns the string with an index, or `nil` if it is undefined.
  package func string(_ index: UInt64) -> String? {
    index == 0 ? "" : strings[epoch << 16 | index]
  }

  /// Returns the thread with an index, or `nil` if it is undefined.
  package func thread(_ index: UInt64) -> Thread? { threads[epoch << 16 | index] }
}
