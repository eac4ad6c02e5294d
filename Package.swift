// swift-tools-version: 6.2
import PackageDescription

// The tests of a cluster need a node, which is built with the trait Cluster: `$CUSTOMERS_NODE` is its path.
let hasNode = Context.environment["CUSTOMERS_NODE"] != nil

let package = Package(
  name: "customers",
  // Built and tested on Linux only. On a Mac, where it was never built, `Mutex` needs macOS 15.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "CustomerStore", targets: ["CustomerStore"]),
    .library(name: "CustomerTable", targets: ["CustomerTable"]),
    .library(name: "CustomerFixtures", targets: ["CustomerFixtures"]),
    .executable(name: "customers", targets: ["customers"]),
    .executable(name: "customers-node", targets: ["customers-node"]),
    .executable(name: "customers-benchmark", targets: ["Benchmark"]),
    .executable(name: "customers-fuzz", targets: ["Fuzz"]),
  ],
  traits: [
    .trait(name: "Cluster", description: "Build customers-node, which needs libdqlite.")
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Platform"),
    .target(name: "TerminalText"),
    .target(name: "Files", dependencies: ["Platform"]),
    .target(name: "SQLite", dependencies: ["CSQLite", "Files", "Platform"]),
    .target(name: "Dqlite", dependencies: ["SQLite", "Platform"]),
    // Only what is built with the trait imports it, so nothing of it is needed without.
    .systemLibrary(name: "CDqlite"),
    .target(name: "CRaftLog", cSettings: [.define("CLUSTER", .when(traits: ["Cluster"]))]),
    .executableTarget(
      name: "customers-node",
      dependencies: [
        "Dqlite", "SQLite", "CSQLite", "CRaftLog", "Files", "Platform",
        .target(name: "CDqlite", condition: .when(traits: ["Cluster"])),
      ]),
    .target(
      name: "Migrations", path: "Migrations", exclude: ["README.md"],
      resources: [
        .embedInCode("0001-tables.sql"), .embedInCode("0002-tree.sql"),
        .embedInCode("0003-numbering.sql"), .embedInCode("0004-many-rows.sql"),
        .embedInCode("0005-section-numbers.sql"), .embedInCode("0006-history.sql"),
        .embedInCode("0007-logged-edits.sql"), .embedInCode("0008-undo.sql"),
        .embedInCode("0009-customers.sql"), .embedInCode("0010-sections.sql"),
      ]),
    .target(
      name: "CustomerStore",
      dependencies: ["SQLite", "Dqlite", "Migrations", "Files", "Formats", "Platform"]),
    .target(name: "CustomerTable", dependencies: ["CustomerStore"]),
    .target(
      name: "TableTerminal",
      dependencies: ["CustomerTable", "CustomerStore", "Files", "Platform", "TerminalText"]),
    .target(name: "CustomerFixtures", dependencies: ["CustomerStore"]),
    .target(name: "Formats", dependencies: ["Platform", "TerminalText"]),
    .target(
      name: "CustomersCLI",
      dependencies: [
        "CustomerStore", "CustomerTable", "Formats", "Files", "Platform", "TableTerminal", "TerminalText",
      ]),
    .executableTarget(name: "customers", dependencies: ["CustomersCLI", "Platform"]),
    .executableTarget(
      name: "Benchmark",
      dependencies: [
        "CustomerStore", "CustomerTable", "TableTerminal", "CustomerFixtures", "CustomersCLI", "SQLite",
        "Platform",
      ]),
    .systemLibrary(name: "CLinux", path: "Tests/CLinux"),
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["TableTerminal", "Platform"], path: "Tests/TerminalProbe"),
    .target(name: "CFaults", dependencies: ["CSQLite"], path: "Tests/CFaults"),
    .target(
      name: "TestSupport",
      dependencies: ["CustomerStore", "SQLite", "Dqlite", "Migrations", "CustomerFixtures", "Platform"],
      path: "Tests/TestSupport"),
    .testTarget(name: "FilesTests", dependencies: ["Files", "Platform", "TestSupport"]),
    .testTarget(name: "DqliteTests", dependencies: ["Dqlite", "SQLite", "CustomerFixtures", "Platform"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "CustomerFixtures", "TestSupport"]),
    .testTarget(
      name: "MigrationsTests",
      dependencies: [
        "SQLite", "Migrations", "CustomerStore", "CustomerFixtures", "TestSupport", "UpgradeRehearsal",
      ],
      exclude: ["Samples"]),
    .executableTarget(
      name: "UpgradeRehearsal", dependencies: ["SQLite", "Migrations"], path: "Tests/UpgradeRehearsal"),
    .executableTarget(
      name: "Fuzz",
      dependencies: ["Formats", "CustomerFixtures", "TableTerminal", "TestSupport", "Platform"],
      path: "Tests/Fuzz"),
    .target(
      name: "LibFuzzer", dependencies: ["Formats", "CustomerStore", "TableTerminal", "Platform"],
      path: "Tests/LibFuzzer", exclude: ["fuzz"]),
    .testTarget(name: "FormatsTests", dependencies: ["Formats", "Fuzz", "CustomerFixtures", "TestSupport"]),
    .testTarget(
      name: "CustomerStoreTests",
      dependencies: ["CustomerStore", "SQLite", "Migrations", "CustomerFixtures", "TestSupport"],
      exclude: ["Samples"] + (hasNode ? [] : ["ClusterModelTests.swift"])),
    .testTarget(
      name: "CustomerTableTests",
      dependencies: ["CustomerTable", "CustomerStore", "SQLite", "CustomerFixtures", "TestSupport"]),
    .testTarget(
      name: "TableTerminalTests",
      dependencies: [
        "TableTerminal", "CustomerTable", "CustomerStore", "CustomerFixtures", "Platform", "SQLite",
        "TerminalText", "TestSupport",
      ],
      exclude: ["Samples"]),
    .testTarget(name: "CustomerFixturesTests", dependencies: ["CustomerFixtures", "CustomerStore"]),
    .testTarget(
      name: "CustomersCLITests",
      dependencies: [
        "customers", "CustomersCLI", "CustomerStore", "CustomerFixtures", "Formats", "Files", "Platform",
        "TerminalText", "TestSupport", "CLinux", "CVTerm", "TableTerminal",
        "TerminalProbe",
      ],
      exclude: ["Samples"]),
    .testTarget(
      name: "ReliabilityTests",
      dependencies: [
        "CFaults", "CSQLite", "CustomerStore", "SQLite", "Migrations", "CustomerFixtures", "TestSupport",
      ]),
    .testTarget(name: "BenchmarkTests", dependencies: ["Benchmark", "CustomerFixtures", "SQLite"]),
    .testTarget(
      name: "DocumentationTests", dependencies: ["CustomerStore", "CustomerTable", "CustomerFixtures"]),
  ]
)

if hasNode {
  package.targets.append(
    .testTarget(
      name: "ClusterTests",
      dependencies: [
        "customers", "CustomerStore", "CustomerFixtures", "Dqlite", "Platform", "SQLite", "TestSupport",
      ]))
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
