#include "CChatDBZlib.h"

int chatdb_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}

int chatdb_deflate_begin(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
