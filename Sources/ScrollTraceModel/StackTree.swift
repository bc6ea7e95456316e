/// A function of a sampled stack, identified by its name and its module.
package struct SampledFunction: Hashable, Sendable {
  package let name: StringID
  /// The module, or the file and the line of a script, or empty if unknown.
  package let module: StringID
}

/// Code of a sampled stack that the source does not name, so that its name can be looked up.
package struct SampledCode: Hashable, Sendable {
  /// The module's path when it was sampled.
  package let path: StringID
  /// The build ID of the module in hexadecimal digits, or empty if unknown.
  package let buildID: StringID
  /// The address in the module's own address space. Of a caller, it lies inside the call.
  package let address: UInt64
  /// Whether the address is the distance from the module's first byte.
  package let isFromStart: Bool

  package init(path: StringID, buildID: StringID, address: UInt64, isFromStart: Bool = false) {
    self.path = path
    self.buildID = buildID
    self.address = address
    self.isFromStart = isFromStart
  }
}

/// A stack, as the position of its innermost function in a `StackTree`.
package struct StackID: Hashable, Sendable {
  package let rawValue: Int32

  /// The stack without a function.
  package static let empty = StackID(rawValue: -1)

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// Stacks as paths of a tree from the outermost function, so that each path is stored once.
///
/// A caller always has a lower position than the functions it calls.
package struct StackTree: Sendable {
  /// The most functions of all paths together.
  package static let maximumCount = 4_000_000
  /// The most functions of a stack.
  package static let maximumDepth = 16_384

  /// The functions, in order of appearance.
  package private(set) var functions: [SampledFunction] = []
  /// The position of the caller, or -1 for an outermost function.
  package private(set) var callers: [Int32] = []
  /// The position in `functions`.
  package private(set) var leaves: [Int32] = []
  /// The code of each function that has no name, by its position in `functions`.
  package private(set) var codes: [Int32: SampledCode] = [:]
  /// The build ID of each module with code that had no name, by its file name.
  package private(set) var buildIDs: [StringID: StringID] = [:]
  /// The file names of modules that lie in folders of the system, and of those that lie elsewhere.
  fileprivate var systemModules: Set<StringID> = []
  /// The file names of modules that lie in an app's bundle.
  fileprivate var bundleModules: Set<StringID> = []
  fileprivate var otherModules: Set<StringID> = []
  private var depths: [UInt16] = []
  private var functionIDs: [SampledFunction: Int] = [:]
  private var positions: [UInt64: Int32] = [:]

  package init() {}

  /// Creates a tree without paths, whose functions have the positions that they have in `functions`.
  package init(functions: [SampledFunction]) {
    self.functions = functions
  }

  package var count: Int { callers.count }

  package func function(of stack: StackID) -> SampledFunction {
    functions[Int(leaves[Int(stack.rawValue)])]
  }

  /// The stack without its innermost function.
  package func caller(of stack: StackID) -> StackID {
    StackID(rawValue: callers[Int(stack.rawValue)])
  }

  /// The functions of a stack, outermost first.
  package func path(of stack: StackID) -> [SampledFunction] {
    var (path, at) = ([SampledFunction](), stack)
    while at != .empty {
      path.append(function(of: at))
      at = caller(of: at)
    }
    return path.reversed()
  }

  /// Returns the handle of a function, adding it if it is new.
  package mutating func id(of function: SampledFunction) -> Int32 {
    Int32(truncatingIfNeeded: functions.position(of: function, in: &functionIDs, adding: function))
  }

  package mutating func setCode(_ code: SampledCode, of function: Int32) {
    codes[function] = code
    if code.buildID != .empty { buildIDs[functions[Int(function)].module] = code.buildID }
  }

  /// Adds the path of a module, by its file name.
  package mutating func addPath(_ path: String, ofModule module: StringID) {
    if SystemLibrary.contains(path: path) {
      systemModules.insert(module)
    } else {
      otherModules.insert(module)
      if SystemLibrary.isInBundle(path: path) { bundleModules.insert(module) }
    }
  }

  /// Copies what another tree knows of modules.
  mutating func copyModules(of other: StackTree) {
    buildIDs = other.buildIDs
    (systemModules, otherModules) = (other.systemModules, other.otherModules)
    bundleModules = other.bundleModules
  }

  /// Returns the stack in which `caller` calls a function, or `nil` if a limit is reached.
  package mutating func stack(of function: Int32, calledBy caller: StackID) -> StackID? {
    let key =
      UInt64(UInt32(bitPattern: caller.rawValue)) << 32 | UInt64(UInt32(bitPattern: function))
    if let known = positions[key] { return StackID(rawValue: known) }
    let depth = caller == .empty ? 0 : Int(depths[Int(caller.rawValue)]) + 1
    guard count < Self.maximumCount, depth < Self.maximumDepth else { return nil }
    let position = Int32(truncatingIfNeeded: count)
    callers.append(caller.rawValue)
    leaves.append(function)
    depths.append(UInt16(truncatingIfNeeded: depth))
    positions[key] = position
    return StackID(rawValue: position)
  }
}

extension Trace {
  /// The modules of sampled functions that may be the app's own: those of the system and of languages'
  /// runtimes are not, and nor is an unknown one.
  package var ownModules: Set<StringID> {
    var checked: Set<StringID> = [.empty]
    // All known paths of a module of the system are the system's.
    let systemModules = stackTree.systemModules.subtracting(stackTree.otherModules)
    return stackTree.functions.reduce(into: []) { modules, function in
      guard checked.insert(function.module).inserted, !systemModules.contains(function.module),
        !SystemLibrary.contains(
          name: strings[function.module],
          inBundle: stackTree.bundleModules.contains(function.module))
      else { return }
      modules.insert(function.module)
    }
  }
}
