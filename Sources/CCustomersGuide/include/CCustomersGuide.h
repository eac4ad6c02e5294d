// Texts of the manual, compiled into the program, in UTF-8.
#pragma once

// Documentation/guide.md.
const char *customers_guide(void);

// json-examples.txt: a command line, and in the next line what it prints, again and again.
const char *customers_json_examples(void);
