/// A key of texts, which are equal if they show the same characters, whatever their bytes.
///
/// A sum keeps the first spelling in the order of bytes, so that it is the same in any order of addition.
protocol SpelledKey: Hashable {
  /// Returns the key with the first spelling of each text of this key and an equal one.
  func firstSpelling(_ other: Self) -> Self

  /// Returns whether an equal key has the same bytes.
  func isSpelled(like other: Self) -> Bool
}

extension Dictionary where Key: SpelledKey {
  /// Adds a value to the one with an equal key, if there is one.
  mutating func add(_ value: Value, for key: Key, _ combine: (inout Value, Value) -> Void) {
    guard let index = index(forKey: key) else { return self[key] = value }
    combine(&values[index], value)
    let known = keys[index]
    guard !key.isSpelled(like: known) else { return }
    let sum = remove(at: index).value
    self[known.firstSpelling(key)] = sum
  }
}

extension String: SpelledKey {
  func firstSpelling(_ other: String) -> String {
    utf8.lexicographicallyPrecedes(other.utf8) ? self : other
  }

  func isSpelled(like other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Optional: SpelledKey where Wrapped: SpelledKey {
  func firstSpelling(_ other: Wrapped?) -> Wrapped? {
    guard let self, let other else { return self }
    return self.firstSpelling(other)
  }

  func isSpelled(like other: Wrapped?) -> Bool {
    guard let self, let other else { return true }
    return self.isSpelled(like: other)
  }
}

extension SummaryCause: SpelledKey {
  func firstSpelling(_ other: SummaryCause) -> SummaryCause {
    SummaryCause(
      category: category.firstSpelling(other.category), name: name.firstSpelling(other.name),
      function: function.firstSpelling(other.function))
  }

  func isSpelled(like other: SummaryCause) -> Bool {
    category.isSpelled(like: other.category) && name.isSpelled(like: other.name)
      && function.isSpelled(like: other.function)
  }
}

extension SummaryKey: SpelledKey {
  func firstSpelling(_ other: SummaryKey) -> SummaryKey {
    var key = self
    key.surface = surface.firstSpelling(other.surface)
    key.basis = basis.firstSpelling(other.basis)
    key.attributes = attributes.firstSpelling(other.attributes)
    return key
  }

  func isSpelled(like other: SummaryKey) -> Bool {
    surface.isSpelled(like: other.surface) && basis.isSpelled(like: other.basis)
      && attributes.isSpelled(like: other.attributes)
  }
}

extension SummaryAttributes: SpelledKey {
  func firstSpelling(_ other: SummaryAttributes) -> SummaryAttributes {
    var attributes = SummaryAttributes()
    for (own, other) in zip(pairs, other.pairs) {
      _ = attributes.set(
        own.name.firstSpelling(other.name), to: own.value.firstSpelling(other.value))
    }
    return attributes
  }

  func isSpelled(like other: SummaryAttributes) -> Bool {
    zip(pairs, other.pairs).allSatisfy {
      $0.name.isSpelled(like: $1.name) && $0.value.isSpelled(like: $1.value)
    }
  }
}
