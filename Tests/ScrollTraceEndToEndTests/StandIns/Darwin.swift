// swift-format-ignore-file
// What Swift's own module `Darwin` adds to the C headers: constants that are casts or other constants,
// and functions with a variable number of arguments. The declarations are those of
// stdlib/public/Platform/Platform.swift in swiftlang/swift, as far as they are used.

@_exported import Darwin
import SwiftOverlayShims

public var errno: Int32 {
  get { _swift_stdlib_getErrno() }
  set { _swift_stdlib_setErrno(newValue) }
}

public var stdin: UnsafeMutablePointer<FILE> { __stdinp }
public var stdout: UnsafeMutablePointer<FILE> { __stdoutp }
public var stderr: UnsafeMutablePointer<FILE> { __stderrp }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 {
  _swift_stdlib_open(path, oflag, 0)
}
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  _swift_stdlib_open(path, oflag, mode)
}
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { _swift_stdlib_fcntl(fd, cmd, 0) }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 {
  _swift_stdlib_fcntl(fd, cmd, value)
}
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 {
  _swift_stdlib_fcntlPtr(fd, cmd, ptr)
}
public func ioctl(_ fd: CInt, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> CInt {
  _swift_stdlib_ioctlPtr(fd, request, ptr)
}
public var TIOCGWINSZ: UInt { 0x4008_7468 }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }

public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  _NSGetEnviron().pointee!
}

public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
public var CLOCK_MONOTONIC_RAW: clockid_t { _CLOCK_MONOTONIC_RAW }
public var CLOCK_UPTIME_RAW: clockid_t { _CLOCK_UPTIME_RAW }
public var CLOCK_PROCESS_CPUTIME_ID: clockid_t { _CLOCK_PROCESS_CPUTIME_ID }
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { _CLOCK_THREAD_CPUTIME_ID }
