package enum SampledCodeName: Equatable, Sendable {
  case name(String)
  /// No symbol contains the code, though its module has symbols: it is part of its caller in the same
  /// module, or else has the module's name.
  case ofModule
}

extension Trace {
  /// Returns the trace with the names of functions that were known only by their code.
  package func naming(_ names: [Int32: SampledCodeName]) -> Trace {
    guard !names.isEmpty else { return self }
    var copy = self
    var tree = StackTree()
    tree.copyModules(of: stackTree)
    var functions: [Int32?] = []
    for (index, function) in stackTree.functions.enumerated() {
      let index = Int32(truncatingIfNeeded: index)
      switch names[index] {
      case .name(let name):
        let id = copy.strings.intern(name)
        functions.append(tree.id(of: SampledFunction(name: id, module: function.module)))
      case .ofModule: functions.append(nil)
      case nil:
        let id = tree.id(of: function)
        if let code = stackTree.codes[index] { tree.setCode(code, of: id) }
        functions.append(id)
      }
    }
    var stacks: [StackID] = []
    stacks.reserveCapacity(stackTree.count)
    for position in 0..<stackTree.count {
      let caller = stackTree.callers[position]
      let outer = caller < 0 ? StackID.empty : stacks[Int(caller)]
      let leaf = stackTree.leaves[position]
      let module = stackTree.functions[Int(leaf)].module
      if let function = functions[Int(leaf)] {
        stacks.append(tree.stack(of: function, calledBy: outer) ?? outer)
      } else if outer != .empty, tree.function(of: outer).module == module {
        stacks.append(outer)
      } else {
        let function = tree.id(of: SampledFunction(name: module, module: module))
        stacks.append(tree.stack(of: function, calledBy: outer) ?? outer)
      }
    }
    copy.stackTree = tree
    copy.samples = samples.map { series in
      var series = series
      series.stacks = series.stacks.map { $0 < 0 ? $0 : stacks[Int($0)].rawValue }
      return series
    }
    return copy
  }

  /// Adds a fact that a reader of the report should know.
  package mutating func addNotice(_ notice: Notice) {
    if !notices.contains(notice) { notices.append(notice) }
  }
}
