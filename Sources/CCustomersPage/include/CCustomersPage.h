// The files of the page that `customers web` serves, compiled into the program.
#pragma once
#include <stddef.h>

// A file of the page.
typedef struct {
  // The name, which is its path on the server after the slash; "" is the page itself.
  const char *name;
  // Its media type, for Content-Type.
  const char *type;
  // Its bytes, in UTF-8.
  const unsigned char *bytes;
  // Their number.
  size_t count;
} customers_page_file;

// The number of files.
size_t customers_page_file_count(void);

// A file by its index, from 0; the index must be less than the number of files.
const customers_page_file *customers_page_file_at(size_t index);
