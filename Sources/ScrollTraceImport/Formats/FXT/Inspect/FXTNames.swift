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

  /// The definitions of one provider.
  private struct Tables {
    var strings: [UInt64: String] = [:]
    var threads: [UInt64: Thread] = [:]
  }

  private var tables = Tables()
  /// The tables of the other providers that were started. Providers that were not share the tables
  /// of no key.
  private var others: [UInt32?: Tables] = [:]
  private var started: Set<UInt32> = []
  /// The provider whose tables apply.
  private(set) var provider: UInt32 = 0

  private var key: UInt32? { started.contains(provider) ? provider : nil }

  /// Restarts the tables of a provider.
  mutating func start(_ provider: UInt32) {
    others[key] = tables
    started.insert(provider)
    self.provider = provider
    others[provider] = nil
    tables = Tables()
  }

  /// Continues the tables of a provider.
  mutating func select(_ provider: UInt32) {
    others[key] = tables
    self.provider = provider
    tables = others.removeValue(forKey: key) ?? Tables()
  }

  /// Forgets everything, as at the start of a file.
  mutating func reset() { self = FXTNames() }

  mutating func define(string index: UInt64, _ text: String) { tables.strings[index] = text }

  mutating func define(thread index: UInt64, _ thread: Thread) { tables.threads[index] = thread }

  /// Returns the string with an index, or `nil` if it is undefined.
  package func string(_ index: UInt64) -> String? { index == 0 ? "" : tables.strings[index] }

  /// Returns the thread with an index, or `nil` if it is undefined.
  package func thread(_ index: UInt64) -> Thread? { tables.threads[index] }
}
