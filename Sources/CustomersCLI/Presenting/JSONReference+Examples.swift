/// Outputs as printed, one for each shape.
extension JSONReference {
  static let examples: [(line: String, output: String)] = [
    (
      "show 6 --json",
      #"""
      {"id":6,"section":2,"section_title":"More","order":2,"position":6,"name":"Y","first_name":"Y",\#
      "last_name":"","company":"","email":"","phone":"","address":"","note":"","other_contacts":"","tags":"",\#
      "is_favorite":false,"can_edit":true,"can_move":true,"extra":{}}
      """#
    ),
    (
      "section --json",
      #"""
      [{"id":1,"title":"Customers","footer":"","order":1,"count":4},{"id":2,"title":"More","footer":"",\#
      "order":2,"count":2}]
      """#
    ),
    (
      "move 1 3 --json",
      #"""
      {"op":"move","changes":[{"op":"move","id":1,"name":"A","from":{"section":1,"order":1,"position":1},\#
      "to":{"section":1,"order":3,"position":3}}],"undo":10}
      """#
    ),
    (
      "section move More 1 --json",
      #"""
      {"op":"section move","changes":[{"op":"section move","id":2,"name":"More","section":{"id":2,\#
      "title":"More","footer":"","order":1,"count":2},"from_order":2}],"undo":10}
      """#
    ),
    (
      "undo --json",
      #"""
      {"op":"undo","steps":[{"step":7,"time":"2026-11-22T09:30:00Z","program":"customers","user":"ann",\#
      "host":"desk","action":"add","kind":"edit","state":"undone","edit_count":1,"changes":[{"op":"delete",\#
      "id":6,"name":"Y","from":{"section":2,"order":2,"position":6},"customer":{"id":6,"section":2,\#
      "section_title":"More","order":2,"position":6,"name":"Y","first_name":"Y","last_name":"","company":"",\#
      "email":"","phone":"","address":"","note":"","other_contacts":"","tags":"","is_favorite":false,\#
      "can_edit":true,"can_move":true,"extra":{}}}]}]}
      """#
    ),
    (
      "history 8 --json",
      #"""
      {"step":8,"time":"2026-11-22T09:30:00Z","program":"customers","user":"ann","host":"desk",\#
      "action":"move","kind":"edit","state":"undone","edit_count":1,"changes":[{"op":"move","id":4,"name":"D",\#
      "from":{"section":1,"order":4,"position":4},"to":{"section":1,"order":1,"position":1}}]}
      """#
    ),
    (
      "history --forget -y --json",
      #"""
      {"op":"history forget"}
      """#
    ),
    (
      "apply script --json",
      #"""
      {"op":"apply","changes":[{"op":"move","id":2,"name":"B","from":{"section":1,"order":2,"position":2},\#
      "to":{"section":1,"order":1,"position":1}},{"op":"add","id":7,"name":"Eve","to":{"section":1,"order":5,\#
      "position":5},"customer":{"id":7,"section":1,"section_title":"Customers","order":5,"position":5,\#
      "name":"Eve","first_name":"Eve","last_name":"","company":"","email":"","phone":"","address":"",\#
      "note":"","other_contacts":"","tags":"","is_favorite":false,"can_edit":true,"can_move":true,\#
      "extra":{}}}],"edits":2,"count":7,"rows":{"eve":7},"undo":10}
      """#
    ),
    (
      "apply script --check --json",
      #"""
      {"op":"apply","check":true,"ok":true,"lines":2}
      """#
    ),
    (
      "import new.csv --json",
      #"""
      {"op":"import","imported":1,"updated":0,"skipped":0,"rejected":0,"count":7,"columns":[{"name":"name",\#
      "goes_to":"name"}],"kept_columns":[],"undo":10}
      """#
    ),
    (
      "export old -y --json",
      #"""
      {"op":"export","file":"old","count":6}
      """#
    ),
    (
      "expect count 6 --json",
      #"""
      {"op":"expect","ok":true}
      """#
    ),
    (
      "demo --json",
      #"""
      {"op":"demo","added":10,"count":10,"undo":1}
      """#
    ),
    (
      "check --json",
      #"""
      {"op":"check","ok":true,"count":6,"journal":"delete","violations":[],"notes":[]}
      """#
    ),
    (
      "backup copy --json",
      #"""
      {"op":"backup","file":"copy","count":6,"ok":true}
      """#
    ),
    (
      "restore backup -y --json",
      #"""
      {"op":"restore","file":"backup","count":6,"kept":"/srv/customers.sqlite.before-restore"}
      """#
    ),
    (
      "info --json",
      #"""
      {"file":"/srv/customers.sqlite","chosen_by":"$CUSTOMERS_DB","exists":true,"bytes":90112,"mode":"600",\#
      "format":11,"version":"0.2.0","build":"0c1d2e3f4a5b of 2026-11-22","sqlite":"3.46.1","sections":2,"count":6}
      """#
    ),
  ]
}
