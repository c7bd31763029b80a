#ifndef CCHATDB_ZLIB_H
#define CCHATDB_ZLIB_H

#include <zlib.h>

/// Prepares a stream to inflate data without zlib's own header, as ZIP archives have it. `inflateInit2` is a macro,
/// which Swift cannot call. Returns zlib's result code.
int chatdb_inflate_begin(z_stream *stream);

/// Prepares a stream to deflate data without zlib's own header. Returns zlib's result code.
int chatdb_deflate_begin(z_stream *stream);

#endif
