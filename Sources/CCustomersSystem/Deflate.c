#include "CCustomersSystem.h"

#include <stdlib.h>
#include <zlib.h>

struct csystem_deflate {
  z_stream stream;
  int inflates;
};

csystem_deflate *csystem_deflate_open(int inflates) {
  csystem_deflate *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  state->inflates = inflates;
  // Negative: a window of 32 kB, and neither a head nor an end, which a zip file has itself.
  const int window = -15, memory = 8;
  const int result =
      inflates ? inflateInit2(&state->stream, window)
               : deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY);
  if (result == Z_OK) return state;
  free(state);
  return NULL;
}

int csystem_deflate_run(
    csystem_deflate *state, const uint8_t *bytes, size_t *count, uint8_t *room, size_t *size, int is_last) {
  z_stream *stream = &state->stream;
  const uInt given = *count > UINT_MAX ? UINT_MAX : (uInt)*count, most = *size > UINT_MAX ? UINT_MAX : (uInt)*size;
  stream->next_in = (Bytef *)bytes;
  stream->avail_in = given;
  stream->next_out = room;
  stream->avail_out = most;
  const int result = state->inflates ? inflate(stream, Z_NO_FLUSH) : deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
  *count = given - stream->avail_in;
  *size = most - stream->avail_out;
  // No progress is no error: there is nothing to read, or no room.
  return result == Z_STREAM_END ? 1 : result == Z_OK || result == Z_BUF_ERROR ? 0 : -1;
}

void csystem_deflate_close(csystem_deflate *state) {
  if (state->inflates) inflateEnd(&state->stream);
  else deflateEnd(&state->stream);
  free(state);
}

uint32_t csystem_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
  return (uint32_t)crc32_z(crc, bytes, count);
}
