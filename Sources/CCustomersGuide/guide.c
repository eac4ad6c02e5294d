#include "CCustomersGuide.h"

// #embed is of C23, which clang calls an extension of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char guide[] = {
#embed "../../Documentation/guide.md"
};

const unsigned char *customers_guide(void) { return guide; }

size_t customers_guide_count(void) { return sizeof guide; }
