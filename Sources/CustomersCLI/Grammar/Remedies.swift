extension Command {
  /// Hints for words of other programs: for a command, or for an option of one.
  static let remedies: [String: String] = [
    "remove": "did you mean 'delete'?", "del": "did you mean 'delete'?", "erase": "did you mean 'delete'?",
    "search": "did you mean 'find'?", "grep": "did you mean 'find'?", "query": "did you mean 'find'?",
    "new": "did you mean 'add'?", "create": "did you mean 'add'?", "insert": "did you mean 'add'?",
    "update": "did you mean 'edit'?", "modify": "did you mean 'edit'?",
    "set": "customers edit ROW --set FIELD=TEXT",
    "count": "customers list --count", "print": "did you mean 'list'?", "order": "did you mean 'arrange'?",
    "lock": "did you mean 'protect'?", "log": "did you mean 'history'?", "version": "customers --version",
    "edit --section": "customers move ROW --section SECTION puts a row there",
    "edit --is-favorite": "did you mean '--favorite'?", "add --is-favorite": "did you mean '--favorite'?",
    "delete --section": "rows of a section: --where section=SECTION",
    "show --section": "rows of a section: --where section=SECTION",
    "protect --section": "rows of a section: --where section=SECTION",
    "--encoding": "for another encoding: iconv -f NAME -t UTF-8 FILE | customers import -",
    "move --at": "did you mean '--to'?", "sort --reverse": "did you mean '--descending'?",
  ]
}
