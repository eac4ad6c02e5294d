// swift-tools-version: 6.2
import PackageDescription

// The tests of a cluster need a node, which is built with the trait Cluster: `$CUSTOMERS_NODE` is its path.
let hasNode = Context.environment["CUSTOMERS_NODE"] != nil

// The commit of a release and its date, which .ci/release sets.
let build = Context.environment["CUSTOMERS_BUILD"]

// .ci/run asks for it.
let isStrict = Context.environment["CUSTOMERS_STRICT"] != nil

let package = Package(
  name: "customers",
  // Built and tested on Linux only. On a Mac, where it was never built, `Mutex` needs macOS 15.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "CustomerStore", targets: ["CustomerStore"]),
    .library(name: "CustomerStoreCluster", targets: ["CustomerStoreCluster"]),
    .library(name: "CustomerTable", targets: ["CustomerTable"]),
    .library(name: "CustomerTransfer", targets: ["CustomerTransfer"]),
    .library(name: "CustomersTerminal", targets: ["CustomersTerminal"]),
    .library(name: "CustomersWeb", targets: ["CustomersWeb"]),
    .library(name: "CustomerFixtures", targets: ["CustomerFixtures"]),
    .executable(name: "customers", targets: ["customers"]),
    .executable(name: "customers-node", targets: ["customers-node"]),
  ],
  traits: [
    .default(enabledTraits: ["Foundation"]),
    .trait(
      name: "Foundation",
      description: "Give apps localized errors; a static program without it is 5 MB smaller."),
    .trait(name: "Cluster", description: "Build customers-node, which needs libdqlite."),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CCustomersSystem", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "CustomersSystem",
      dependencies: ["CCustomersSystem"]),
    .target(name: "CustomersText"),
    .target(name: "CustomersSQLite", dependencies: ["CSQLite", "CustomersSystem"]),
    .target(
      name: "CustomersCluster", dependencies: ["CustomersSystem", "CustomersSQLite"]),
    // The SQL: migrations.c embeds the files beside its folder.
    .target(name: "CCustomersMigrations", path: "Migrations/CCustomersMigrations"),
    .target(
      name: "CustomersMigrations", dependencies: ["CCustomersMigrations", "CustomersSQLite"],
      path: "Migrations",
      exclude: [
        "README.md", "CCustomersMigrations", "schema.sql", "many-rows.sql", "format-10.sql",
        "0011-format-11.sql",
      ]),
    .target(
      name: "CustomerStore",
      dependencies: ["CustomersSystem", "CustomersText", "CustomersSQLite", "CustomersMigrations"]),
    .target(
      name: "CustomerStoreCluster",
      dependencies: ["CustomersSystem", "CustomersSQLite", "CustomersCluster", "CustomerStore"]),
    .target(
      name: "CustomerTransfer",
      dependencies: ["CustomersSystem", "CustomersText", "CustomerStore"]),
    .target(name: "CustomerTable", dependencies: ["CustomerStore"]),
    .target(
      name: "CustomersTerminal",
      dependencies: ["CustomersSystem", "CustomersText", "CustomerStore", "CustomerTable"]),
    .target(name: "CustomersHTTP", dependencies: ["CustomersSystem"]),
    // The page of customers web, Documentation/guide.md, and the examples of help json: page.c and guide.c embed them.
    .target(name: "CCustomersFiles", exclude: ["page", "json-examples.txt"]),
    .target(
      name: "CustomersWeb",
      dependencies: [
        "CustomersSystem", "CustomersText", "CustomerStore", "CustomerTransfer", "CustomerTable",
        "CustomersHTTP", "CCustomersFiles",
      ]),
    .target(
      name: "CustomersCommands",
      dependencies: [
        "CustomersSystem", "CustomersText", "CustomersCluster", "CustomerStore", "CustomerStoreCluster",
        "CustomerTransfer", "CustomerTable", "CustomersTerminal", "CustomersHTTP", "CustomersWeb",
        "CCustomersFiles",
      ]),
    // Only what is built with the trait needs dqlite; without it, nothing imports this.
    .target(
      name: "CCustomersDqlite", cSettings: [.define("CLUSTER", .when(traits: ["Cluster"]))]),
    .target(
      name: "CustomersNode",
      dependencies: [
        "CSQLite", "CustomersSystem", "CustomersText", "CustomersSQLite", "CustomersCluster",
        .target(name: "CCustomersDqlite", condition: .when(traits: ["Cluster"])),
      ]),
    .target(name: "CustomerFixtures", dependencies: ["CustomerStore"]),
    .executableTarget(
      name: "customers", dependencies: ["CustomersCommands"], exclude: ["Deployment"],
      cSettings: build.map { [.define("CUSTOMERS_BUILD", to: "\"\($0)\"")] }),
    .executableTarget(name: "customers-node", dependencies: ["CustomersNode"], exclude: ["Deployment"]),
    .executableTarget(
      name: "CustomersBenchmark",
      dependencies: [
        "CSQLite", "CustomersSystem", "CustomersSQLite", "CustomerStore", "CustomerTable",
        "CustomersTerminal", "CustomersCommands", "CustomerFixtures", "CustomersTestSupport",
      ], path: "Tests/CustomersBenchmark"),
    .systemLibrary(name: "CCustomersLinux", path: "Tests/CCustomersLinux"),
    .systemLibrary(name: "CCustomersVTerm", path: "Tests/CCustomersVTerm"),
    .executableTarget(
      name: "CustomersTerminalProbe",
      dependencies: ["CustomersSystem", "CustomerStore", "CustomersTerminal"],
      path: "Tests/CustomersTerminalProbe"),
    .target(name: "CCustomersFaults", dependencies: ["CSQLite"], path: "Tests/CCustomersFaults"),
    .target(
      name: "CustomersTestSupport",
      dependencies: [
        "CSQLite", "CCustomersLinux", "CustomersSystem", "CustomersText", "CustomersSQLite",
        "CustomersCluster",
        "CustomersMigrations", "CustomerStore", "CustomerFixtures",
      ],
      path: "Tests/CustomersTestSupport"),
    .testTarget(
      name: "CustomersSystemTests",
      dependencies: ["CustomersSystem", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersHTTPTests",
      dependencies: ["CustomersSystem", "CustomersHTTP", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersWebTests",
      dependencies: [
        "CCustomersFiles", "CustomersSystem", "CustomersText", "CustomersSQLite", "CustomerStore",
        "CustomerTable", "CustomersHTTP", "CustomersWeb", "CustomerFixtures", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersClusterTests",
      dependencies: [
        "CustomersSystem", "CustomersSQLite", "CustomersCluster", "CustomerFixtures", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersSQLiteTests",
      dependencies: ["CustomersSQLite", "CustomerFixtures", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersMigrationsTests",
      dependencies: [
        "CustomersSQLite", "CustomersMigrations", "CustomerStore", "CustomerFixtures", "CustomersTestSupport",
        "CustomersUpgradeRehearsal",
      ],
      exclude: ["Samples"]),
    .executableTarget(
      name: "CustomersUpgradeRehearsal", dependencies: ["CustomersSQLite", "CustomersTestSupport"],
      path: "Tests/CustomersUpgradeRehearsal"),
    .executableTarget(
      name: "CustomersFuzz",
      dependencies: [
        "CustomersSystem", "CustomersText", "CustomerTransfer", "CustomersTerminal", "CustomersHTTP",
        "CustomerFixtures", "CustomersTestSupport",
      ],
      path: "Tests/CustomersFuzz"),
    .target(
      name: "CustomersLibFuzzer",
      dependencies: [
        "CustomersSystem", "CustomersText", "CustomerStore", "CustomerTransfer", "CustomersTerminal",
        "CustomersHTTP",
      ],
      path: "Tests/CustomersLibFuzzer", exclude: ["fuzz"]),
    .testTarget(
      name: "CustomerStoreTests",
      dependencies: [
        "CSQLite", "CustomersSystem", "CustomersText", "CustomersSQLite", "CustomersMigrations",
        "CustomerStore", "CustomerStoreCluster", "CustomerFixtures", "CustomersTestSupport",
      ],
      exclude: ["Samples"] + (hasNode ? [] : ["ClusterModelTests.swift"])),
    .testTarget(
      name: "CustomerTableTests",
      dependencies: [
        "CustomersSQLite", "CustomerStore", "CustomerTable", "CustomerFixtures", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersTerminalTests",
      dependencies: [
        "CustomersSystem", "CustomersText", "CustomersSQLite", "CustomerStore", "CustomerTable",
        "CustomersTerminal", "CustomerFixtures", "CustomersTestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomerFixturesTests",
      dependencies: ["CustomerStore", "CustomerFixtures", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersCommandsTests",
      dependencies: [
        "CustomersSystem", "CustomersText", "CustomerStore", "CustomerTransfer", "CustomersTerminal",
        "CustomersWeb", "CustomersCommands", "CustomerFixtures", "customers", "CCustomersLinux",
        "CCustomersVTerm", "CustomersTerminalProbe", "CustomersTestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomersReliabilityTests",
      dependencies: [
        "CSQLite", "CustomersSQLite", "CustomersMigrations", "CustomerStore", "CustomerFixtures",
        "CCustomersFaults", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersBenchmarkTests",
      dependencies: ["CustomersSQLite", "CustomerFixtures", "CustomersBenchmark"]),
    .target(
      name: "CustomersBrowser", dependencies: ["CustomersSystem", "CustomersTestSupport"],
      path: "Tests/CustomersBrowser"),
    .testTarget(
      name: "CustomersPageTests",
      dependencies: [
        "CustomersSystem", "CustomersSQLite", "CustomerStore", "CustomerTable", "CustomersTerminal",
        "CustomersHTTP", "CustomersWeb", "CustomerFixtures", "customers", "CustomersBrowser",
        "CustomersTestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomerTransferTests",
      dependencies: [
        "CustomersText", "CustomerStore", "CustomerTransfer", "CustomerFixtures", "CustomersFuzz",
        "CustomersTestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomersDocumentationTests",
      dependencies: [
        "CSQLite", "CustomerStore", "CustomerTransfer", "CustomerTable", "CustomersWeb", "CustomerFixtures",
        "CustomersTestSupport",
      ],
      // An app sees no more.
      packageAccess: false),
  ]
)

if hasNode {
  package.targets.append(
    .testTarget(
      name: "CustomersNodeTests",
      dependencies: [
        "customers", "CustomerStore", "CustomerStoreCluster", "CustomerFixtures", "CustomersCluster",
        "CustomersSystem", "CustomersSQLite", "CustomersTestSupport",
      ]))
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
  // Code finds generic types by calls, and not by their names, which makes a command start faster by a twentieth. Package
  // managers before 6.3 refuse apps whose dependencies have such flags.
  #if compiler(>=6.3)
    target.swiftSettings?.append(
      .unsafeFlags(
        ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
        .when(configuration: .release)))
  #endif
  // Not in the build of an app that uses the package, whose compiler may know other warnings.
  if isStrict { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
