// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "chatdb",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "chatdb", targets: ["Tool"]),
        .library(name: "Schema", targets: ["Schema"]),
        .library(name: "Engine", targets: ["Engine"]),
        .library(name: "EngineSQLite", targets: ["EngineSQLite"]),
        .library(name: "Migrations", targets: ["Migrations"]),
        .library(name: "Repos", targets: ["Repos"]),
        // Loaded into a process under test (LD_PRELOAD) to make its file operations fail.
        .library(name: "FaultShim", type: .dynamic, targets: ["FaultShim"]),
    ],
    dependencies: [
        // SQLite. Its CI has no Linux, hence the narrow range: a new minor version is tried by hand first.
        .package(url: "https://github.com/groue/GRDB.swift", "7.10.0"..<"7.11.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        // The files of the product, embedded by the plugin. They are targets of their own so that
        // added, edited and removed files are all noticed by the build.
        .target(name: "MigrationFiles", path: "migrations", exclude: ["sqlite"], plugins: ["EmbedFiles"]),
        .target(name: "PresetFiles", path: "presets", exclude: ["simplex.json"], plugins: ["EmbedFiles"]),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
        .executableTarget(name: "embed-files", path: "Plugins/embed-files"),

        .target(name: "Schema"),
        .target(name: "Engine", dependencies: ["Schema"]),
        .target(name: "CSQLiteShim", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "EngineSQLite",
            dependencies: [
                "Engine", "Schema", "CSQLiteShim",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(
            name: "Migrations",
            dependencies: [
                "Engine", "Schema", "MigrationFiles",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "Repos",
            dependencies: [
                "Engine", "Schema", "PresetFiles",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Yams", package: "Yams"),
            ]),
        .executableTarget(
            name: "Tool",
            dependencies: [
                "Engine", "EngineSQLite", "Migrations", "Repos", "Schema",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // An app that embeds the libraries, with what is public and nothing else.
        .executableTarget(
            name: "example", dependencies: ["Engine", "EngineSQLite", "Migrations", "Repos", "Schema"],
            path: "Examples", packageAccess: false),

        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Engine", "EngineSQLite", "Migrations", "Repos", "Schema",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Benchmarks"),

        .target(name: "FaultShim", path: "Tests/FaultShim"),
        .executableTarget(
            name: "unsafe-migrate", dependencies: ["Engine", "EngineSQLite", "Migrations", "Schema"],
            path: "Tests/UnsafeMigrate"),
        .target(
            name: "TestKit", dependencies: ["Engine", "EngineSQLite", "Migrations", "Repos", "Schema"],
            path: "Tests/TestKit"),
        .testTarget(name: "SchemaTests", dependencies: ["Schema", "TestKit"]),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "Engine", "EngineSQLite", "Schema", "TestKit", "CSQLiteShim",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "MigrationsTests",
            dependencies: ["Migrations", "EngineSQLite", "TestKit", "Tool", "MigrationFiles", "unsafe-migrate"]),
        .testTarget(
            name: "ReposTests",
            dependencies: ["Repos", "Engine", "EngineSQLite", "Migrations", "Schema", "TestKit", "PresetFiles"]),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "Tool", "TestKit", "Engine", "EngineSQLite", "Migrations", "Repos", "Schema", "example",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin && target.type != .system {
    var settings = target.swiftSettings ?? []
    settings.append(.enableUpcomingFeature("ExistentialAny"))
    if target.type != .test {
        settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
        settings.append(.enableUpcomingFeature("MemberImportVisibility"))
    }
    // CI sets this. It cannot be a flag of the command line, which would reach the dependencies too.
    if Context.environment["CHATDB_WARNINGS_AS_ERRORS"] == "1" {
        settings.append(.unsafeFlags(["-warnings-as-errors"]))
    }
    target.swiftSettings = settings
}
