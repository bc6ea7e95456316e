// The state of zlib, whose own header need not be installed: the library is found at run time.

#ifndef SCROLLTRACE_ZLIB_STREAM_H
#define SCROLLTRACE_ZLIB_STREAM_H

/// zlib's `z_stream`, field by field in the order of `zlib.h`.
typedef struct {
  void *nextIn;
  unsigned int availableIn;
  unsigned long totalIn;
  void *nextOut;
  unsigned int availableOut;
  unsigned long totalOut;
  const char *message;
  void *state, *allocate, *free, *opaque;
  int dataType;
  unsigned long adler, reserved;
} ScrollTraceZlibStream;

#endif
