#ifndef CCHATDB_QRCODE_H
#define CCHATDB_QRCODE_H

#include <stdint.h>

// QR codes by the system's libqrencode 4, which is loaded when it is first needed.

/// Loads libqrencode, once. Returns NULL, or the reason why it cannot be loaded.
const char *chatdb_qr_load(void);

/// Encodes a text with error correction of level M. `modules` receives the rows from top to bottom, one byte a module,
/// 1 for dark, without the quiet zone; the caller frees them. Returns the number of modules on a side, or 0 when the
/// text is too long, or -1 when there is no memory.
int chatdb_qr_encode(const char *text, uint8_t **modules);

void chatdb_qr_free(uint8_t *modules);

#endif
