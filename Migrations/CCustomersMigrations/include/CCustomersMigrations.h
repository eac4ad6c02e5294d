// The SQL of Migrations/, compiled into the program.
#pragma once
#include <stddef.h>

// The bytes of a file, in UTF-8.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} customers_sql;

// schema.sql.
customers_sql customers_schema(void);

// many-rows.sql.
customers_sql customers_many_rows(void);

// format-10.sql.
customers_sql customers_format_10(void);

// 0011-format-11.sql.
customers_sql customers_step_11(void);
