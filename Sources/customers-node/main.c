// The program is in CustomersNode. In C, because a main function in Swift does not get its arguments.
int customers_node_main(int count, char **words);

int main(int count, char **words) { return customers_node_main(count, words); }
