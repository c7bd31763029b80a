#include "CChatDBZlib.h"

int chatdb_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}
