// Files that are compiled into the program: the page that `customers web` serves, and texts of the manual.
#pragma once
#include <stddef.h>

// A file of the page.
typedef struct {
  // Its name, of which the end says what it is.
  const char *name;
  // Its bytes, in UTF-8.
  const unsigned char *bytes;
  // Their number.
  size_t count;
} customers_page_file;

// The number of files.
size_t customers_page_file_count(void);

// A file by its index, from 0; the index must be less than the number of files.
const customers_page_file *customers_page_file_at(size_t index);

// Documentation/guide.md, in UTF-8.
const char *customers_guide(void);

// json-examples.txt: a command line, and in the next line what it prints, again and again.
const char *customers_json_examples(void);
