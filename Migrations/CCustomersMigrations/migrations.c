#include "CCustomersMigrations.h"

// Swift takes 15 seconds to compile these bytes as an array, in each build after an edit of the schema.
//
// #embed is of C23, which clang calls an extension of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char schema[] = {
#embed "../schema.sql"
};

static const unsigned char many_rows[] = {
#embed "../many-rows.sql"
};

static const unsigned char format_10[] = {
#embed "../format-10.sql"
};

static const unsigned char step_11[] = {
#embed "../0011-format-11.sql"
};

customers_sql customers_schema(void) { return (customers_sql){schema, sizeof schema}; }

customers_sql customers_many_rows(void) { return (customers_sql){many_rows, sizeof many_rows}; }

customers_sql customers_format_10(void) { return (customers_sql){format_10, sizeof format_10}; }

customers_sql customers_step_11(void) { return (customers_sql){step_11, sizeof step_11}; }
