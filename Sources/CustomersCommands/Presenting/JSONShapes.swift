internal import CustomerStore
internal import CustomersText

/// What `customers help --json` says of the commands, for programs that make pages or menus of them.
extension JSONShapes {
  static let command = JSONShape<Command>(
    "command", "A command, as help describes it.",
    [
      .always("name", .text, "the name") { .string($0.name) },
      .always("aliases", .list(.text), "other names") { .array($0.aliases.map(JSON.string)) },
      .always("summary", .text, "what it does, in one line") { .string($0.summary) },
      .always("description", .list(.text), "more, in paragraphs") {
        .array($0.paragraphs().map(JSON.string))
      },
      .always("usage", .list(.text), "its forms, without `customers`") { command in
        .array(
          command.shownForms.map { .string($0.usage.isEmpty ? command.name : "\(command.name) \($0.usage)") })
      },
      .always("options", .list(.object(helpOption.type)), "its options, besides those of every command") {
        .array($0.shownOptions.map(helpOption.json))
      },
      .always("common_options", .list(.text), "those of every command that make a difference to it") {
        .array($0.common.map { .string($0.name) })
      },
      .always("examples", .list(.object(helpExample.type)), "command lines that work") {
        .array($0.examples().map(helpExample.json))
      },
      .always("see_also", .list(.text), "related commands and topics") {
        .array($0.seeAlso().map(JSON.string))
      },
      .always("parts", .list(.object(page.type)), "its further pages") {
        .array($0.topics().map(page.json))
      },
    ])

  static let page = JSONShape<Page>(
    "page", "A page of help.",
    [
      .always("name", .text, "the words after `customers help`") { .string($0.name) },
      .always("summary", .text, "what it is about, in one line") { .string($0.summary) },
      .always("text", .text, "the page, in lines of up to 80 columns") { .string($0.text()) },
    ])

  static let helpOption = JSONShape<any DeclaredOption>(
    "option", "An option of a command.",
    [
      .always("name", .text, "the name, such as --to") { .string($0.name) },
      .optional("short", .text, "the one-letter form") { $0.short.map(JSON.string) },
      .optional("value", .text, "what its value is called in help") { $0.value.map { .string($0.label) } },
      .always("summary", .text, "what it does, in one line") { .string($0.summary) },
    ])

  static let helpExample = JSONShape<CommandExample>(
    "example", "A command line and its purpose.",
    [
      .always("purpose", .text, "what it is for") { .string($0.purpose) },
      .always("line", .text, "the line for a shell or several lines") { .string($0.line) },
    ])
}
