internal import CustomersSQLite

extension Connection {
  /// Every column of the views `sections` and `customers`, in order: everything that people can see.
  package func contents() throws -> String {
    try fetchOne(
      """
      SELECT ifnull((SELECT group_concat(line, char(10)) FROM (
          SELECT quote(id) || quote(title) || quote(footer) || quote("order") || ':' || quote(count) AS line
          FROM sections ORDER BY "order")), '') || char(10, 10)
        || ifnull((SELECT group_concat(line, char(10)) FROM (
          SELECT quote(id) || ' ' || quote(section) || ':' || quote("order") || quote(first_name)
            || quote(last_name) || quote(company) || quote(email) || quote(phone) || quote(address)
            || quote(note) || quote(is_favorite) || quote(can_edit) || quote(can_move) || quote(extra) AS line
          FROM customers ORDER BY section, "order")), '')
      """
    ) { $0.text(0) } ?? ""
  }
}
