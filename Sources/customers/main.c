// The program is in CustomersCommands. In C, because a main function in Swift does not get its arguments.
int customers_main(int count, char **words, const char *build);

#ifndef CUSTOMERS_BUILD
#define CUSTOMERS_BUILD "development"
#endif

int main(int count, char **words) { return customers_main(count, words, CUSTOMERS_BUILD); }
