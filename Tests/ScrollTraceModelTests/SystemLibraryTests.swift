import ScrollTraceModel
import Testing

/// Which code is an app's own.
@Suite struct SystemLibraryTests {
  @Test(arguments: [
    "/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0", "/lib64/ld-linux-x86-64.so.2",
    "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore", "/usr/lib/libobjc.A.dylib",
    "/Library/Apple/System/Library/Frameworks/X.framework/X",
    "/Library/Developer/CoreSimulator/Volumes/iOS_22A/Library/Developer/CoreSimulator/Profiles/Runtimes"
      + "/iOS 18.0.simruntime/Contents/Resources/RuntimeRoot/usr/lib/libSystem.B.dylib",
    "/Users/a/Library/Developer/Xcode/iOS DeviceSupport/x/Symbols/System/Library/Frameworks/UIKit",
    "/apex/com.android.runtime/lib64/bionic/libc.so", "/system/lib64/libhwui.so",
    "/vendor/lib64/egl/libGLES_mali.so", "C:\\Windows\\System32\\ntdll.dll",
    "C:/WINDOWS/SysWOW64/user32.dll", "\\Windows\\System32\\win32u.dll",
  ])
  func `files in folders of a system are the system's`(path: String) {
    #expect(SystemLibrary.contains(path: path))
  }

  @Test(arguments: [
    "/opt/feed/feed", "/home/a/lib/libfeed.so", "/usr/bin/feed", "/usr/local/lib/libfeed.so",
    "/private/var/containers/Bundle/Application/1/Feed.app/Feed", "/Applications/Feed.app/Feed",
    "/Users/a/Library/Developer/CoreSimulator/Devices/1/data/Containers/Bundle/Feed.app/Feed",
    "/data/app/com.feed/lib/arm64/libfeed.so", "/system/priv-app/Launcher/Launcher.apk",
    "C:\\Program Files\\Feed\\feed.exe", "D:\\Windows\\feed.exe", "", "feed", "/", "\\",
  ])
  func `other files may be an app's`(path: String) {
    #expect(!SystemLibrary.contains(path: path))
  }

  @Test func `libraries are told by their names if no path is known`() {
    for name in [
      "UIKitCore", "QuartzCore", "libc.so.6", "libswiftCore.so", "NTDLL.DLL", "dyld", "[vdso]",
    ] {
      #expect(SystemLibrary.contains(name: name), "\(name)")
    }
    for name in ["Feed", "libfeed.so", "feed.dll", "UIKitCoreFeed", ""] {
      #expect(!SystemLibrary.contains(name: name), "\(name)")
    }
  }

  @Test func `a module is the system's if all its paths are`() {
    var builder = TraceBuilder(format: "test")
    let modules = [
      ("a", "/usr/lib/a"), ("b", "/opt/b"), ("c", "/usr/lib/c"), ("c", "/opt/c"),
      ("libc.so.6", "/x"),
    ]
    for (name, path) in modules {
      let module = builder.string(name)
      _ = builder.sampledFunction(builder.string("f"), in: module)
      builder.addPath(path, ofModule: module)
    }
    _ = builder.sampledFunction(builder.string("f"))
    _ = builder.sampledFunction(builder.string("f"), in: builder.string("d"))
    let trace = builder.finish()
    #expect(trace.ownModules.map { trace.strings[$0] }.sorted() == ["b", "c", "d"])
    #expect(trace.naming([0: .name("g")]).ownModules.count == 3)
  }
}
