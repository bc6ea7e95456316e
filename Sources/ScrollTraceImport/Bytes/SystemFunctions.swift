import ScrollTracePlatform

/// Functions of a library of the system, loaded at run time so that a build needs no installed package.
struct SystemFunctions {
  private let functions: [UnsafeMutableRawPointer]

  /// Finds functions in the first of `libraries` that has them all, or returns `nil` if none has.
  init?(_ names: [String], of libraries: [String]) {
    for library in libraries {
      // Never closed: the functions are used for the lifetime of the process.
      guard let handle = dlopen(library, RTLD_NOW) else { continue }
      let found = names.compactMap { dlsym(handle, $0) }
      guard found.count == names.count else { continue }
      functions = found
      return
    }
    return nil
  }

  /// The function at a position of the names, which has this type in C.
  subscript<Function>(index: Int) -> Function {
    unsafeBitCast(functions[index], to: Function.self)
  }
}
