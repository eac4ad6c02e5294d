#include "CCustomersPage.h"

// #embed is of C23, which clang calls an extension of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/page.html"
};
static const unsigned char css[] = {
#embed "page/page.css"
};
static const unsigned char columns[] = {
#embed "page/columns.js"
};
static const unsigned char connection[] = {
#embed "page/connection.js"
};
static const unsigned char contacts[] = {
#embed "page/contacts.js"
};
static const unsigned char draw[] = {
#embed "page/draw.js"
};
static const unsigned char edit[] = {
#embed "page/edit.js"
};
static const unsigned char files[] = {
#embed "page/files.js"
};
static const unsigned char form[] = {
#embed "page/form.js"
};
static const unsigned char hand[] = {
#embed "page/hand.js"
};
static const unsigned char history[] = {
#embed "page/history.js"
};
static const unsigned char keys[] = {
#embed "page/keys.js"
};
static const unsigned char layout[] = {
#embed "page/layout.js"
};
static const unsigned char list[] = {
#embed "page/list.js"
};
static const unsigned char menu[] = {
#embed "page/menu.js"
};
static const unsigned char page[] = {
#embed "page/page.js"
};
static const unsigned char pointer[] = {
#embed "page/pointer.js"
};
static const unsigned char search[] = {
#embed "page/search.js"
};
static const unsigned char sections[] = {
#embed "page/sections.js"
};
static const unsigned char words[] = {
#embed "page/words.js"
};

static const char script[] = "text/javascript; charset=utf-8";

static const customers_page_file all[] = {
    {"", "text/html; charset=utf-8", html, sizeof html},
    {"page.css", "text/css; charset=utf-8", css, sizeof css},
    {"columns.js", script, columns, sizeof columns},
    {"connection.js", script, connection, sizeof connection},
    {"contacts.js", script, contacts, sizeof contacts},
    {"draw.js", script, draw, sizeof draw},
    {"edit.js", script, edit, sizeof edit},
    {"files.js", script, files, sizeof files},
    {"form.js", script, form, sizeof form},
    {"hand.js", script, hand, sizeof hand},
    {"history.js", script, history, sizeof history},
    {"keys.js", script, keys, sizeof keys},
    {"layout.js", script, layout, sizeof layout},
    {"list.js", script, list, sizeof list},
    {"menu.js", script, menu, sizeof menu},
    {"page.js", script, page, sizeof page},
    {"pointer.js", script, pointer, sizeof pointer},
    {"search.js", script, search, sizeof search},
    {"sections.js", script, sections, sizeof sections},
    {"words.js", script, words, sizeof words},
};

size_t customers_page_file_count(void) { return sizeof all / sizeof *all; }

const customers_page_file *customers_page_file_at(size_t index) { return &all[index]; }
