// Documentation/guide.md, compiled into the program.
#pragma once
#include <stddef.h>

// The text, in UTF-8.
const unsigned char *customers_guide(void);

// The number of its bytes.
size_t customers_guide_count(void);
