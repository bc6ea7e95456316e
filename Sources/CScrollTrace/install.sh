#!/bin/sh
# Installs the C interface on Linux, or removes it:
#
#   swift build -c release --product CScrollTraceStatic
#   Sources/CScrollTrace/install.sh
#   Sources/CScrollTrace/install.sh uninstall
#
# These variables of the environment change what it does; `uninstall` needs the same ones:
#
#   PREFIX   where the files are used; /usr/local by default
#   LIBDIR   where the libraries are used; $PREFIX/lib by default
#   DESTDIR  a folder that stands for / during installation, to make a package; empty by default
#   BUILD    the folder that contains libCScrollTraceStatic.a; .build/release by default
#
# Both libraries contain the Swift runtime, so that they depend only on the C and C++ libraries. All
# symbols but those of scrolltrace.h are local, so that they do not conflict with other Swift code.
# Linking requires `swiftc`, `cc`, and GNU `ld`, `objcopy`, `strip` and `ar`; `uninstall` requires nothing.
set -eu
sources=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
root=${DESTDIR:-}
build=${BUILD:-$sources/../../.build/release}

fail() {
  echo "install.sh: $1" >&2
  exit "${2:-1}"
}
number() { sed -n "s/^#define SCROLLTRACE_VERSION_$1 //p" "$sources/include/scrolltrace.h"; }
major=$(number MAJOR)
version=$major.$(number MINOR).$(number PATCH)

headers=$prefix/include
documents=$prefix/share/doc/scrolltrace
shared=$prefix/share/scrolltrace
# What hosts in other languages compile themselves.
bindings="ScrollTrace.kt scrolltrace_jni.c"
packages=$libdir/pkgconfig
real=libCScrollTrace.so.$version
soname=libCScrollTrace.so.$major

# The loader finds a new library by its cache, which only root can write.
refresh_cache() {
  if [ -n "$root" ] || [ "$(id -u)" != 0 ]; then return; fi
  PATH=$PATH:/usr/sbin:/sbin
  if command -v ldconfig > /dev/null; then ldconfig; fi
}

# Prints every installed path.
installed() {
  echo "$headers/scrolltrace.h"
  echo "$headers/scrolltrace.hpp"
  for name in libCScrollTrace.a libCScrollTrace.so "$soname" "$real"; do echo "$libdir/$name"; done
  echo "$packages/scrolltrace.pc"
  echo "$packages/scrolltrace-static.pc"
  for name in $bindings; do echo "$shared/$name"; done
  echo "$documents/LICENSE"
  echo "$documents/LICENSE-Swift.txt"
}

# Prints the folders that `uninstall` removes if nothing is left in them, innermost first.
own_folders() {
  echo "$documents"
  echo "$shared"
  case $prefix in
    /usr | /usr/local) ;;
    *)
      for folder in "$packages" "$libdir" "$headers" "$prefix/share/doc" "$prefix/share" "$prefix"; do
        echo "$folder"
      done
      ;;
  esac
}

uninstall() {
  found=$(installed | while read -r path; do [ ! -e "$root$path" ] || echo "$path"; done)
  [ -n "$found" ] ||
    fail "nothing is installed in $root$prefix; set PREFIX, LIBDIR and DESTDIR as for the installation"
  installed | while read -r path; do
    if [ -e "$root$path" ] || [ -L "$root$path" ]; then
      rm "$root$path" || fail "cannot remove $root$path"
    fi
  done
  own_folders | while read -r folder; do rmdir "$root$folder" 2> /dev/null || true; done
  refresh_cache
  echo "removed libCScrollTrace from $root$prefix"
}

# Links the library and the Swift runtime into one object whose only global symbols are the header's.
link() {
  runtime=$(swiftc -print-target-info -static-stdlib |
    sed -n 's/^ *"runtimeResourcePath": "\(.*\)".*/\1/p')/linux
  [ -f "$runtime/libswiftCore.a" ] || fail "no static Swift runtime in $runtime"
  start=$(find "$runtime" -name swiftrt.o | head -n 1)
  ld -r --force-group-allocation -o "$work/all.o" "$start" \
    --whole-archive "$archive" --no-whole-archive --start-group \
    "$runtime"/libswift*.a "$runtime/libdispatch.a" "$runtime/libBlocksRuntime.a" --end-group
  objcopy --wildcard --keep-global-symbol='scrolltrace_*' "$work/all.o" "$work/scrolltrace.o"
  strip --strip-unneeded "$work/scrolltrace.o"
  ar rcs "$work/libCScrollTrace.a" "$work/scrolltrace.o"
  # shellcheck disable=SC2086
  cc -shared -o "$work/$real" -Wl,-soname,"$soname" -Wl,--version-script="$sources/exports.map" \
    -Wl,-z,defs "$work/scrolltrace.o" $private
  strip --strip-unneeded "$work/$real"
  cp "$runtime/../../../share/swift/LICENSE.txt" "$work/LICENSE-Swift.txt"
}

# Writes a file for pkg-config: NAME, its Libs, its Libs.private.
describe() {
  cat > "$work/$1.pc" << END
prefix=$prefix
includedir=$headers
libdir=$libdir

Name: $1
Description: Records what a scrolling list does, frame by frame
Version: $version
Cflags: -I\${includedir}
Libs: $2
Libs.private: $3
END
}

place() { install -m "$1" "$2" "$root$3"; }

install_all() {
  [ "$(uname)" = Linux ] || fail "only Linux is supported; on macOS, use the SwiftPM product CScrollTrace"
  archive=$build/libCScrollTraceStatic.a
  [ -f "$archive" ] ||
    fail "no libCScrollTraceStatic.a in $build; run 'swift build -c release --product CScrollTraceStatic'"
  for tool in swiftc cc ld objcopy strip ar; do
    command -v $tool > /dev/null || fail "'$tool' is not installed"
  done
  mkdir -p "$root$headers" "$root$packages" "$root$documents" "$root$shared" 2> /dev/null &&
    [ -w "$root$headers" ] && [ -w "$root$libdir" ] && [ -w "$root$packages" ] ||
    fail "cannot write to $root$prefix; run as root, or set PREFIX"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  private="-lstdc++ -lm -lpthread -ldl"
  link
  # Where the loader does not look by itself, programs get the path.
  case $libdir in
    /usr/lib* | /usr/local/lib) path= ;;
    *) path=" -Wl,-rpath,\${libdir}" ;;
  esac
  describe scrolltrace "-L\${libdir}$path -lCScrollTrace" "$private"
  describe scrolltrace-static "\${libdir}/libCScrollTrace.a $private" ""

  place 644 "$sources/include/scrolltrace.h" "$headers/scrolltrace.h"
  place 644 "$sources/Bindings/scrolltrace.hpp" "$headers/scrolltrace.hpp"
  place 644 "$work/libCScrollTrace.a" "$libdir/libCScrollTrace.a"
  place 755 "$work/$real" "$libdir/$real"
  ln -sf "$real" "$root$libdir/$soname"
  ln -sf "$soname" "$root$libdir/libCScrollTrace.so"
  for name in scrolltrace scrolltrace-static; do
    place 644 "$work/$name.pc" "$packages/$name.pc"
  done
  for name in $bindings; do place 644 "$sources/Bindings/$name" "$shared/$name"; done
  place 644 "$sources/../../LICENSE" "$documents/LICENSE"
  place 644 "$work/LICENSE-Swift.txt" "$documents/LICENSE-Swift.txt"
  refresh_cache
  echo "installed libCScrollTrace $version in $root$prefix"
  case $packages in
    /usr/lib* | /usr/local/lib/pkgconfig) ;;
    *) echo "pkg-config finds it with PKG_CONFIG_PATH=$packages" ;;
  esac
}

case $# in 0) command=install ;; *) command=$1 ;; esac
[ $# -le 1 ] || fail "usage: install.sh [install | uninstall]" 64
case $prefix$libdir in
  /*) ;;
  *) fail "PREFIX and LIBDIR must be absolute paths" 64 ;;
esac
case $command in
  install) install_all ;;
  uninstall) uninstall ;;
  *) fail "usage: install.sh [install | uninstall]" 64 ;;
esac
