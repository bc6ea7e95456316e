#!/bin/sh
# Installs the C interface: install.sh PREFIX [FOLDER]
#
# Copies scrolltrace.h, the library from FOLDER, where it was built (.build/release), and a file for
# pkg-config to PREFIX/include, PREFIX/lib and PREFIX/lib/pkgconfig. Build before, on Linux best with
# Swift's own library inside, so that nothing else is needed where it runs:
#
#   swift build -c release --product CScrollTrace -Xswiftc -static-stdlib
set -eu
sources=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: install.sh PREFIX [FOLDER]" >&2
  exit 64
fi
folder=${2:-$sources/../../.build/release}
library=$folder/libCScrollTrace.so
[ -f "$library" ] || library=$folder/libCScrollTrace.dylib
if [ ! -f "$library" ]; then
  echo "install.sh: no libCScrollTrace in $folder; build it first" >&2
  exit 1
fi
mkdir -p "$1/include" "$1/lib/pkgconfig"
prefix=$(cd "$1" && pwd)
cp "$sources/include/scrolltrace.h" "$prefix/include/"
cp "$library" "$prefix/lib/"
number() { sed -n "s/^#define SCROLLTRACE_VERSION_$1 //p" "$sources/include/scrolltrace.h"; }
cat > "$prefix/lib/pkgconfig/scrolltrace.pc" <<END
prefix=$prefix
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: scrolltrace
Description: Records what a scrolling list does, frame by frame
Version: $(number MAJOR).$(number MINOR).$(number PATCH)
Cflags: -I\${includedir}
Libs: -L\${libdir} -lCScrollTrace
END
