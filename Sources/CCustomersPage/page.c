#include "CCustomersPage.h"

// #embed is of C23, which clang calls an extension of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/page.html"
};

static const customers_page_file all[] = {
    {"", "text/html; charset=utf-8", html, sizeof html},
#define TYPE "text/css; charset=utf-8"
#define FILE "page/page.css"
#include "file.h"
#undef TYPE
#define TYPE "text/javascript; charset=utf-8"
#define FILE "page/columns.js"
#include "file.h"
#define FILE "page/connection.js"
#include "file.h"
#define FILE "page/contacts.js"
#include "file.h"
#define FILE "page/draw.js"
#include "file.h"
#define FILE "page/edit.js"
#include "file.h"
#define FILE "page/files.js"
#include "file.h"
#define FILE "page/form.js"
#include "file.h"
#define FILE "page/hand.js"
#include "file.h"
#define FILE "page/history.js"
#include "file.h"
#define FILE "page/keys.js"
#include "file.h"
#define FILE "page/layout.js"
#include "file.h"
#define FILE "page/list.js"
#include "file.h"
#define FILE "page/log.js"
#include "file.h"
#define FILE "page/menu.js"
#include "file.h"
#define FILE "page/page.js"
#include "file.h"
#define FILE "page/pointer.js"
#include "file.h"
#define FILE "page/search.js"
#include "file.h"
#define FILE "page/sections.js"
#include "file.h"
#define FILE "page/words.js"
#include "file.h"
};

size_t customers_page_file_count(void) { return sizeof all / sizeof *all; }

const customers_page_file *customers_page_file_at(size_t index) { return &all[index]; }
