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
    .library(name: "CustomerFixtures", targets: ["CustomerFixtures"]),
    .executable(name: "customers", targets: ["customers"]),
    .executable(name: "customers-node", targets: ["customers-node"]),
  ],
  traits: [
    .default(enabledTraits: ["Foundation"]),
    .trait(
      name: "Foundation",
      description: "Give apps URLs, dates and localized errors; a static program without it is 5 MB smaller."),
    .trait(name: "Cluster", description: "Build customers-node, which needs libdqlite."),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CCustomersSystem"),
    // The page of customers web: page.c embeds the files.
    .target(name: "CCustomersPage", exclude: ["page"]),
    .target(name: "CustomersPlatform", dependencies: ["CCustomersSystem"]),
    .target(name: "CustomersTerminalText"),
    .target(name: "CustomersFiles", dependencies: ["CustomersPlatform"]),
    .target(name: "CustomersSQLite", dependencies: ["CSQLite", "CustomersFiles", "CustomersPlatform"]),
    .target(name: "CustomersSockets", dependencies: ["CustomersPlatform"]),
    .target(
      name: "CustomersCluster", dependencies: ["CustomersSQLite", "CustomersSockets", "CustomersPlatform"]),
    // Only what is built with the trait imports it, so nothing of it is needed without.
    .systemLibrary(name: "CCustomersDqlite"),
    .target(name: "CCustomersRaftLog", cSettings: [.define("CLUSTER", .when(traits: ["Cluster"]))]),
    .target(
      name: "CustomersNode",
      dependencies: [
        "CustomersCluster", "CustomersSQLite", "CSQLite", "CCustomersRaftLog", "CustomersFiles",
        "CustomersFormats", "CustomersPlatform",
        .target(name: "CCustomersDqlite", condition: .when(traits: ["Cluster"])),
      ]),
    .executableTarget(name: "customers-node", dependencies: ["CustomersNode"], exclude: ["Deployment"]),
    .target(
      name: "CustomersMigrations", dependencies: ["CustomersSQLite"], path: "Migrations",
      exclude: ["README.md"],
      resources: [
        .embedInCode("schema.sql"), .embedInCode("format-10.sql"), .embedInCode("0011-format-11.sql"),
      ]),
    .target(
      name: "CustomerStore",
      dependencies: [
        "CustomersSQLite", "CustomersMigrations", "CustomersFiles", "CustomersFormats", "CustomersPlatform",
      ]),
    .target(
      name: "CustomerStoreCluster", dependencies: ["CustomerStore", "CustomersCluster", "CustomersSQLite"]),
    .target(name: "CustomersWording", dependencies: ["CustomerStore", "CustomersTerminalText"]),
    .target(name: "CustomerTable", dependencies: ["CustomerStore", "CustomersWording"]),
    .target(
      name: "CustomerTransfer",
      dependencies: ["CustomerStore", "CustomersFormats", "CustomersFiles", "CustomersPlatform"]),
    .target(
      name: "CustomersTransferWording",
      dependencies: [
        "CustomerStore", "CustomerTransfer", "CustomersFormats", "CustomersTerminalText", "CustomersWording",
      ]),
    .target(
      name: "CustomersTerminal",
      dependencies: [
        "CustomerTable", "CustomerStore", "CustomersFiles", "CustomersPlatform", "CustomersTerminalText",
      ]),
    .target(name: "CustomerFixtures", dependencies: ["CustomerStore"]),
    .target(name: "CustomersFormats", dependencies: ["CustomersPlatform", "CustomersTerminalText"]),
    .target(name: "CustomersHTTP", dependencies: ["CustomersSockets", "CustomersPlatform"]),
    .target(
      name: "CustomersWeb",
      dependencies: [
        "CustomersHTTP", "CustomersListAPI", "CCustomersPage", "CustomersFiles", "CustomersPlatform",
      ]),
    .target(
      name: "CustomersListAPI",
      dependencies: [
        "CustomerStore", "CustomerTable", "CustomerTransfer", "CustomersFiles", "CustomersFormats",
        "CustomersPlatform", "CustomersTerminalText", "CustomersTransferWording", "CustomersWording",
      ]),
    .target(
      name: "CustomersCLI",
      dependencies: [
        "CustomerStore", "CustomerStoreCluster", "CustomerTable", "CustomerTransfer", "CustomersCluster",
        "CustomersFormats", "CustomersFiles", "CustomersPlatform", "CustomersTerminal",
        "CustomersTerminalText", "CustomersTransferWording", "CustomersWording", "CustomersHTTP",
        "CustomersListAPI", "CustomersWeb",
      ]),
    .executableTarget(
      name: "customers", dependencies: ["CustomersCLI"], exclude: ["Deployment"],
      cSettings: build.map { [.define("CUSTOMERS_BUILD", to: "\"\($0)\"")] }),
    .executableTarget(
      name: "CustomersBenchmark",
      dependencies: [
        "CustomerStore", "CustomerTable", "CustomersTerminal", "CustomerFixtures", "CustomersCLI",
        "CustomersSQLite",
        "CustomersPlatform",
      ]),
    .systemLibrary(name: "CCustomersLinux", path: "Tests/CCustomersLinux"),
    .systemLibrary(name: "CCustomersVTerm", path: "Tests/CCustomersVTerm"),
    .executableTarget(
      name: "CustomersTerminalProbe", dependencies: ["CustomersTerminal", "CustomersPlatform"],
      path: "Tests/CustomersTerminalProbe"),
    .target(name: "CCustomersFaults", dependencies: ["CSQLite"], path: "Tests/CCustomersFaults"),
    .target(
      name: "CustomersTestSupport",
      dependencies: [
        "CustomerStore", "CustomersSQLite", "CustomersCluster", "CustomersMigrations", "CustomerFixtures",
        "CustomersPlatform", "CustomersSockets",
      ],
      path: "Tests/CustomersTestSupport"),
    .testTarget(
      name: "CustomersFilesTests",
      dependencies: ["CustomersFiles", "CustomersPlatform", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersHTTPTests",
      dependencies: ["CustomersHTTP", "CustomersPlatform", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersWebTests",
      dependencies: [
        "CustomersWeb", "CustomersHTTP", "CustomersListAPI", "CustomerStore", "CustomersPlatform",
        "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersClusterTests",
      dependencies: [
        "CustomersCluster", "CustomersSQLite", "CustomersSockets", "CustomerFixtures", "CustomersPlatform",
        "CustomersTestSupport",
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
        "CustomersFormats", "CustomersHTTP", "CustomerFixtures", "CustomersTerminal", "CustomersTestSupport",
        "CustomersPlatform",
      ],
      path: "Tests/CustomersFuzz"),
    .target(
      name: "CustomersLibFuzzer",
      dependencies: [
        "CustomersFormats", "CustomersHTTP", "CustomerStore", "CustomersTerminal", "CustomersPlatform",
      ],
      path: "Tests/CustomersLibFuzzer", exclude: ["fuzz"]),
    .testTarget(
      name: "CustomersFormatsTests",
      dependencies: ["CustomersFormats", "CustomersFuzz", "CustomerFixtures", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomerStoreTests",
      dependencies: [
        "CSQLite", "CustomerStore", "CustomerStoreCluster", "CustomersSQLite", "CustomersMigrations",
        "CustomerFixtures", "CustomersTestSupport",
      ],
      exclude: ["Samples"] + (hasNode ? [] : ["ClusterModelTests.swift"])),
    .testTarget(
      name: "CustomerTableTests",
      dependencies: [
        "CustomerTable", "CustomerStore", "CustomersSQLite", "CustomerFixtures", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersTerminalTests",
      dependencies: [
        "CustomersTerminal", "CustomerTable", "CustomerStore", "CustomerFixtures", "CustomersPlatform",
        "CustomersSQLite",
        "CustomersTerminalText", "CustomersTestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomerFixturesTests",
      dependencies: ["CustomerFixtures", "CustomerStore", "CustomersTestSupport"]),
    .testTarget(
      name: "CustomersCLITests",
      dependencies: [
        "customers", "CustomersCLI", "CustomerStore", "CustomerTransfer", "CustomerFixtures",
        "CustomersFormats",
        "CustomersFiles", "CustomersPlatform",
        "CustomersTerminalText", "CustomersWording", "CustomersTestSupport", "CCustomersLinux",
        "CCustomersVTerm",
        "CustomersTerminal",
        "CustomersTerminalProbe",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomersListAPITests",
      dependencies: [
        "CustomersListAPI", "CustomerStore", "CustomerTable", "CustomersFormats", "CustomersSQLite",
        "CustomersPlatform", "CustomersWording", "CustomerFixtures", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersReliabilityTests",
      dependencies: [
        "CCustomersFaults", "CSQLite", "CustomerStore", "CustomersSQLite", "CustomersMigrations",
        "CustomerFixtures", "CustomersTestSupport",
      ]),
    .testTarget(
      name: "CustomersBenchmarkTests",
      dependencies: ["CustomersBenchmark", "CustomerFixtures", "CustomersSQLite"]),
    .target(
      name: "CustomersBrowser", dependencies: ["CustomersSockets", "CustomersPlatform"],
      path: "Tests/CustomersBrowser"),
    .testTarget(
      name: "CustomersPageTests",
      dependencies: [
        "customers", "CustomersBrowser", "CustomersWeb", "CustomersHTTP", "CustomersListAPI",
        "CustomerTable", "CustomersTerminal", "CustomerStore", "CustomersFormats", "CustomersSQLite",
        "CustomerFixtures", "CustomersTestSupport", "CustomersPlatform",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomerTransferTests",
      dependencies: [
        "CustomerTransfer", "CustomerStore", "CustomersFormats", "CustomerFixtures", "CustomersTestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "CustomersDocumentationTests",
      dependencies: [
        "CustomerStore", "CustomerTable", "CustomerTransfer", "CustomerFixtures", "CustomersTestSupport",
      ]),
  ]
)

if hasNode {
  package.targets.append(
    .testTarget(
      name: "CustomersNodeTests",
      dependencies: [
        "customers", "CustomerStore", "CustomerStoreCluster", "CustomerFixtures", "CustomersCluster",
        "CustomersPlatform", "CustomersSQLite", "CustomersTestSupport",
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
  // Not in the build of an app that uses the package, whose compiler may know other warnings.
  if isStrict { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
