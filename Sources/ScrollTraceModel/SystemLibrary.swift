/// Programs and libraries that belong to the system or to a language's runtime, not to an app.
package enum SystemLibrary {
  /// Folders of systems; a path is one of their files if it starts with one.
  private static let folders = [
    "/lib/", "/lib32/", "/lib64/", "/libx32/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/",
    "/usr/libx32/", "/System/", "/Library/Apple/", "/apex/", "/system/", "/system_ext/", "/vendor/",
  ]
  /// Folders in those of systems that hold apps.
  private static let appFolders = [
    "/system/app/", "/system/priv-app/", "/system_ext/app/", "/system_ext/priv-app/",
    "/vendor/app/",
  ]
  /// Folders of systems, wherever they are: those of Apple's simulators and of device support.
  private static let innerFolders = ["/RuntimeRoot/", "/System/Library/", "/Symbols/usr/lib/"]
  /// Folders of Windows, in lowercase, behind the drive.
  private static let windowsFolders = [
    "/windows/system32/", "/windows/syswow64/", "/windows/winsxs/",
  ]

  /// Returns whether the file at `path` is a part of a system.
  package static func contains(path: String) -> Bool {
    let isWindows = path.utf8.contains(UInt8(ascii: "\\"))
    let path = isWindows ? path.replacingAll("\\", with: "/") : path
    if isWindows || path.dropFirst().hasPrefix(":/") {
      let path = path.lowercased()
      return windowsFolders.contains { path.dropFirst(2).hasPrefix($0) || path.hasPrefix($0) }
    }
    if folders.contains(where: { path.hasPrefix($0) }) {
      return !appFolders.contains { path.hasPrefix($0) }
    }
    return innerFolders.contains { path.includes($0) }
  }

  /// Returns whether the file at `path` is in the bundle of an app or of its extension.
  package static func isInBundle(path: String) -> Bool {
    [".app/", ".appex/"].contains { path.includes($0) }
  }

  /// The starts of the names of libraries.
  private static let starts = [
    "ld-linux", "ld-musl", "linux-vdso", "[vdso", "[kernel", "libc.so", "libc-", "libc++",
    "libm.so", "libpthread", "libdl.so", "librt.so", "libgcc", "libstdc++", "libswift",
    "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libCScrollTrace",
    "libsystem_", "libSystem.", "libobjc.", "libdyld", "libxpc", "boot.oat", "boot-framework",
    "libart.so", "libhwui.so", "libandroid", "libbinder.so", "libgui.so", "libutils.so",
  ]
  /// Names of Apple's frameworks that apps call most, and of libraries of Windows in lowercase.
  private static let names: Set<String> = [
    "Accelerate", "AppKit", "AttributeGraph", "AudioToolbox", "AVFCore", "AVFoundation",
    "BaseBoard", "BackBoardServices", "CFNetwork", "Combine", "CoreAutoLayout", "CoreData",
    "CoreDisplay", "CoreFoundation", "CoreGraphics", "CoreImage", "CoreMedia", "CoreServices",
    "CoreText", "CoreUI", "CoreVideo", "dyld", "dyld_sim", "Foundation", "FrontBoardServices",
    "GraphicsServices", "HIToolbox", "ImageIO", "IOKit", "IOSurface", "JavaScriptCore", "MapKit",
    "Metal", "MetalKit", "Network", "QuartzCore", "RenderBox", "RunningBoardServices", "Security",
    "SkyLight", "SwiftData", "SwiftUI", "SwiftUICore", "TextInput", "UIFoundation", "UIKit",
    "UIKitCore", "UIKitServices", "UpdateCycle", "vImage", "VisionKit", "WebCore", "WebKit",
    "combase.dll", "d3d11.dll", "d3d12.dll", "dcomp.dll", "dwmapi.dll", "dxgi.dll", "gdi32.dll",
    "gdi32full.dll", "kernel32.dll", "kernelbase.dll", "msvcrt.dll", "ntdll.dll", "ntoskrnl.exe",
    "ucrtbase.dll", "user32.dll", "vcruntime140.dll", "win32u.dll",
  ]

  /// Returns whether a library of that file name is a part of a system or a language's runtime,
  /// wherever it is. An app's bundle can hold a runtime, but not the system's frameworks.
  package static func contains(name: String, inBundle: Bool = false) -> Bool {
    !inBundle && names.contains(name) || starts.contains { name.hasPrefix($0) }
      || name.hasSuffix(".dll") && names.contains(name.lowercased())
      || name.hasSuffix(".DLL") && names.contains(name.lowercased())
  }
}
