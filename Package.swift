// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "customers",
  products: [
    .library(name: "CustomerStore", targets: ["CustomerStore"]),
    .executable(name: "customers-benchmark", targets: ["Benchmark"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(
      name: "Migrations", path: "Migrations",
      resources: [
        .embedInCode("0001-tables.sql"), .embedInCode("0002-numbering.sql"),
        .embedInCode("0003-customers.sql"), .embedInCode("0004-sections.sql"),
      ]),
    .target(name: "CustomerStore", dependencies: ["SQLite", "Migrations"]),
    .executableTarget(name: "Benchmark", dependencies: ["CustomerStore", "SQLite"]),
    .testTarget(name: "BenchmarkTests", dependencies: ["Benchmark", "SQLite"]),
    .testTarget(name: "CustomerStoreTests", dependencies: ["CustomerStore", "SQLite", "Migrations"]),
  ]
)

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
