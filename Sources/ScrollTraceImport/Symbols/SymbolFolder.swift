#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files with build IDs in a folder and in those below it.
struct SymbolFolder {
  /// The maximum number of entries that are looked at, and of folders inside each other.
  static let maximumEntryCount = 50_000
  static let maximumDepth = 16

  /// The paths of the files of each build, in the order of their names.
  private(set) var paths: [String: [String]] = [:]
  /// Whether there is more in the folder than was looked at.
  private(set) var isCut = false

  /// Searches the folder at `path`. Links to folders are not followed.
  init(_ path: String) {
    var folders = [(path: path, depth: 0)]
    var (next, count) = (0, 0)
    while next < folders.count {
      let (folder, depth) = folders[next]
      next += 1
      for name in Self.names(in: folder, maximum: Self.maximumEntryCount - count, &isCut) {
        count += 1
        let path = folder + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          if depth < Self.maximumDepth {
            folders.append((path, depth + 1))
          } else {
            isCut = true
          }
        } else if let file = SymbolFile(path: path, isTrusted: true) {
          for build in file.buildIDs { paths[build, default: []].append(path) }
        }
      }
    }
  }

  /// The names in a folder, sorted.
  private static func names(in path: String, maximum limit: Int, _ isCut: inout Bool) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      guard name != ".", name != ".." else { continue }
      guard names.count < limit else {
        isCut = true
        break
      }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
