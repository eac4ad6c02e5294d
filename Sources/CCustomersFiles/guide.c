#include "CCustomersFiles.h"

// #embed is of C23, which clang calls an extension of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char guide[] = {
#embed "../../Documentation/guide.md" suffix(, 0)
};

static const char json_examples[] = {
#embed "json-examples.txt" suffix(, 0)
};

const char *customers_guide(void) { return guide; }

const char *customers_json_examples(void) { return json_examples; }
