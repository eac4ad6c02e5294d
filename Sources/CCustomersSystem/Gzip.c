#include "CCustomersSystem.h"

#include <zlib.h>

size_t csystem_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size) {
  z_stream stream = {0};
  // A window of 32 kB, and the head and the end of gzip.
  const int window = 15 + 16, memory = 8;
  if (count > UINT_MAX || size > UINT_MAX) return 0;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = room;
  stream.avail_out = (uInt)size;
  const int end = deflate(&stream, Z_FINISH);
  const size_t used = end == Z_STREAM_END ? stream.total_out : 0;
  deflateEnd(&stream);
  return used;
}
