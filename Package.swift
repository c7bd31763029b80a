// swift-tools-version: 6.1

import PackageDescription

/// How the Makefile links what it installs: with Swift's runtime in it, and with options for the linker. As flags of the
/// command line, they would reach the programs that make sources too, and everything would be compiled again. The
/// libraries are those that Foundation needs.
func standalone(_ options: String...) -> [LinkerSetting] {
    guard Context.environment["CHATDB_STATIC"] == "1" else { return [] }
    let libraries = ["CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections"]
    let flags = libraries.map { "-l" + $0 } + options.flatMap { ["-Xlinker", $0] }
    return [.unsafeFlags(["-static-stdlib"] + flags, .when(platforms: [.linux]))]
}

/// Links the program at a fixed address. The loader then has no 136,000 addresses to change at each start.
var atFixedAddress: [LinkerSetting] {
    guard Context.environment["CHATDB_STATIC"] == "1" else { return [] }
    return [.unsafeFlags(["-Xclang-linker", "-no-pie"], .when(platforms: [.linux]))]
}

/// Links C++'s library into the program, which the system would otherwise load and link at each start. The Makefile names
/// a folder with the archive alone, if the compiler has one.
var withoutSharedCpp: [LinkerSetting] {
    let folder = Context.environment["CHATDB_CPP_ARCHIVE"] ?? ""
    guard Context.environment["CHATDB_STATIC"] == "1", !folder.isEmpty else { return [] }
    return [
        .unsafeFlags(["-L" + folder, "-lstdc++", "-Xclang-linker", "-static-libgcc"], .when(platforms: [.linux]))
    ]
}

// The names of the modules begin with ChatDB: an app's package graph may have one target of a name.
let package = Package(
    name: "chatdb",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "chatdb", targets: ["ChatDBTool"]),
        .library(name: "ChatDBKit", targets: ["ChatDBKit"]),
        // make install installs it as libchatdb.so. A product of the name chatdb would collide with the tool.
        .library(name: "CChatDB", type: .dynamic, targets: ["CChatDB"]),
        // Requests of other programs, for an app that has its screens in another language.
        .library(name: "ChatDBRequests", targets: ["ChatDBRequests"]),
    ],
    dependencies: [
        // SQLite. Its CI has no Linux, hence the narrow range: a new minor version is tried by hand first.
        .package(url: "https://github.com/groue/GRDB.swift", "7.10.0"..<"7.11.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        // make docs. It is not a part of the products.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // The files of the product, embedded by the plugin. They are targets of their own so that
        // added, edited and removed files are all noticed by the build.
        .target(
            name: "ChatDBMigrationFiles", path: "migrations",
            exclude: ["sqlite", "postgres", "newest", "newest.json", "versions.json"], plugins: ["ChatDBEmbedFiles"]),
        .target(
            name: "ChatDBPresetFiles", path: "presets", exclude: ["simplex.json"], plugins: ["ChatDBEmbedFiles"]),
        .target(
            name: "ChatDBSimplexFiles", path: "simplex", exclude: ["presets.json", "schema.json"],
            plugins: ["ChatDBEmbedFiles"]),
        .plugin(
            name: "ChatDBEmbedFiles", capability: .buildTool(), dependencies: ["chatdb-embed-files"],
            path: "Plugins/EmbedFiles"),
        .executableTarget(name: "chatdb-embed-files", path: "Plugins/embed-files"),

        .target(name: "ChatDBSchema", path: "Sources/Schema"),
        .target(name: "ChatDBPOSIX", path: "Sources/POSIX"),
        .target(name: "ChatDBEngine", dependencies: ["ChatDBPOSIX", "ChatDBSchema"], path: "Sources/Engine"),
        .target(
            name: "ChatDBEncryption",
            dependencies: [
                "ChatDBPOSIX",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ], path: "Sources/Encryption"),
        .target(name: "CChatDBSQLite", path: "Sources/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CChatDBZlib", path: "Sources/CZlib", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "ChatDBArchives", dependencies: ["ChatDBEngine", "ChatDBPOSIX", "ChatDBSchema", "CChatDBZlib"],
            path: "Sources/Archives"),
        // OpenSSL and libqrencode are loaded when they are needed, so that neither is needed to build or start chatdb.
        .target(name: "CChatDBNetwork", path: "Sources/CNetwork"),
        .target(
            name: "ChatDBNetwork", dependencies: ["ChatDBPOSIX", "ChatDBSchema", "CChatDBNetwork"],
            path: "Sources/Network"),
        .target(name: "CChatDBQRCode", path: "Sources/CQRCode"),
        .target(
            name: "ChatDBQRCodes", dependencies: ["ChatDBPOSIX", "ChatDBSchema", "CChatDBQRCode", "CChatDBZlib"],
            path: "Sources/QRCodes"),
        .target(name: "ChatDBSalvage", dependencies: ["ChatDBEngine", "ChatDBPOSIX"], path: "Sources/Salvage"),
        .target(
            name: "ChatDBEngineSQLite",
            dependencies: [
                "ChatDBEncryption", "ChatDBEngine", "ChatDBPOSIX", "ChatDBSalvage", "ChatDBSchema", "CChatDBSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], path: "Sources/EngineSQLite"),
        // libpq is loaded when the first store on a server is opened: for files it is not needed.
        .target(name: "CChatDBPostgres", path: "Sources/CPostgres"),
        .target(
            name: "ChatDBEnginePostgres",
            dependencies: ["ChatDBEngine", "ChatDBPOSIX", "ChatDBSchema", "CChatDBPostgres"],
            path: "Sources/EnginePostgres"),
        .target(
            name: "ChatDBMigrations",
            dependencies: [
                "ChatDBEngine", "ChatDBPOSIX", "ChatDBSchema", "ChatDBMigrationFiles",
                .product(name: "Crypto", package: "swift-crypto"),
            ], path: "Sources/Migrations"),
        // The repositories: kit ← chat, agent ← both ← presets, inspection.
        .target(name: "ChatDBReposKit", dependencies: ["ChatDBEngine", "ChatDBSchema"], path: "Sources/Repos/Kit"),
        .target(
            name: "ChatDBReposChat",
            dependencies: [
                "ChatDBReposKit", "ChatDBEngine", "ChatDBSchema",
                .product(name: "Crypto", package: "swift-crypto"),
            ], path: "Sources/Repos/Chat"),
        .target(
            name: "ChatDBReposAgent", dependencies: ["ChatDBReposKit", "ChatDBEngine", "ChatDBSchema"],
            path: "Sources/Repos/Agent"),
        .target(
            name: "ChatDBReposBoth",
            dependencies: ["ChatDBReposKit", "ChatDBReposChat", "ChatDBReposAgent", "ChatDBEngine", "ChatDBSchema"],
            path: "Sources/Repos/Both"),
        // Relays, servers and operators in the stores of SimpleX Chat: kit ← chat ← simplex ← presets.
        .target(
            name: "ChatDBSimplex",
            dependencies: [
                "ChatDBReposKit", "ChatDBReposChat", "ChatDBEngine", "ChatDBSchema", "ChatDBSimplexFiles",
            ], path: "Sources/Repos/Simplex"),
        .target(
            name: "ChatDBPresets",
            dependencies: [
                "ChatDBReposKit", "ChatDBReposChat", "ChatDBReposBoth", "ChatDBSimplex", "ChatDBEngine",
                "ChatDBSchema", "ChatDBPresetFiles",
                .product(name: "Yams", package: "Yams"),
            ], path: "Sources/Repos/Presets"),
        .target(
            name: "ChatDBInspection",
            dependencies: [
                "ChatDBReposKit", "ChatDBReposChat", "ChatDBReposAgent", "ChatDBReposBoth", "ChatDBEngine",
                "ChatDBSchema", "ChatDBSimplexFiles",
            ],
            path: "Sources/Repos/Inspection"),
        .target(
            name: "ChatDBKit",
            dependencies: [
                "ChatDBArchives", "ChatDBEncryption", "ChatDBEngine", "ChatDBEnginePostgres", "ChatDBEngineSQLite",
                "ChatDBInspection", "ChatDBMigrations", "ChatDBNetwork", "ChatDBPresets", "ChatDBQRCodes",
                "ChatDBReposAgent", "ChatDBReposBoth", "ChatDBReposChat", "ChatDBReposKit", "ChatDBSalvage",
                "ChatDBSchema", "ChatDBSimplex",
            ], path: "Sources/Kit"),
        // The answers of the tool and of requests, as values.
        .target(name: "ChatDBReports", dependencies: ["ChatDBKit"], path: "Sources/Reports"),
        .target(
            name: "ChatDBRequests",
            dependencies: [
                "ChatDBKit", "ChatDBPOSIX", "ChatDBReports", "ChatDBSchema",
                .product(name: "Crypto", package: "swift-crypto"),
            ], path: "Sources/Requests"),
        .executableTarget(
            name: "ChatDBTool",
            dependencies: [
                "ChatDBKit", "ChatDBReports", "ChatDBRequests", "ChatDBSimplexFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Tool",
            // Nothing loads chatdb as a library. Without its symbols for others, the loader has less to do at each start.
            linkerSettings: standalone("--no-export-dynamic") + withoutSharedCpp + atFixedAddress),

        // The C library: the functions of C/chatdb.h. Only they are visible: the program may have its own SQLite or
        // Swift. The name by which programs load it changes when chatdb.h changes so that they must be built again.
        .target(
            name: "CChatDB", dependencies: ["ChatDBKit", "ChatDBReports", "ChatDBRequests"], path: "Sources/CLibrary",
            linkerSettings: standalone(
                "-soname=libchatdb.so.0", "--version-script=\(Context.packageDirectory)/C/exports.map")),

        // An app that embeds the libraries, with what is public and nothing else.
        .executableTarget(
            name: "example", dependencies: ["ChatDBKit"], path: "Examples", exclude: ["C", "Python"],
            packageAccess: false),

        // TestKit starts the PostgreSQL server.
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "ChatDBKit", "ChatDBRequests", "TestKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Benchmarks", linkerSettings: standalone()),

        .executableTarget(name: "unsafe-migrate", dependencies: ["ChatDBKit"], path: "Tests/UnsafeMigrate"),
        .executableTarget(name: "encrypted-writer", dependencies: ["ChatDBKit"], path: "Tests/EncryptedWriter"),
        .target(
            name: "TestKit", dependencies: ["ChatDBKit"], path: "Tests/TestKit",
            exclude: [
                "Network/tls_servers.py", "Postgres/postgres_fake.py", "Postgres/postgres_proxy.py",
                "Postgres/postgres_statements.py",
            ]),
        .testTarget(name: "SchemaTests", dependencies: ["ChatDBSchema", "TestKit"]),
        .testTarget(
            name: "ArchivesTests", dependencies: ["ChatDBKit", "ChatDBArchives", "TestKit"],
            exclude: ["Support/archives.py"]),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "ChatDBKit", "ChatDBEnginePostgres", "TestKit", "CChatDBSQLite", "encrypted-writer",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .testTarget(name: "NetworkTests", dependencies: ["ChatDBKit", "ChatDBNetwork", "TestKit"]),
        .testTarget(name: "QRCodesTests", dependencies: ["ChatDBKit", "ChatDBQRCodes", "TestKit"]),
        .testTarget(
            name: "MigrationsTests",
            dependencies: ["ChatDBKit", "TestKit", "ChatDBTool", "ChatDBMigrationFiles", "unsafe-migrate"]),
        .testTarget(
            name: "ReposTests",
            dependencies: ["ChatDBKit", "ChatDBEnginePostgres", "TestKit", "ChatDBPresetFiles", "CChatDBSQLite"]),
        .testTarget(
            name: "RequestsTests", dependencies: ["ChatDBKit", "ChatDBReports", "ChatDBRequests", "TestKit"]),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "ChatDBTool", "ChatDBKit", "ChatDBReports", "TestKit", "example",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], exclude: ["CLibrary/misuse.c"]),
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
    // The Makefile sets this for the tests. Flags of the command line would reach the dependencies too.
    if Context.environment["CHATDB_TEST_BUILD"] == "1" {
        settings.append(.unsafeFlags(["-warnings-as-errors"]))
        // Each module waits for those below it, and a whole module uses one processor. In batches, it uses all. The
        // engines, which read and write every row, are optimised as whole modules, as in a release.
        if !target.name.hasPrefix("ChatDBEngine"), target.name != "ChatDBSchema" {
            settings.append(.unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode"]))
        }
        // Tests take longer to optimise than to run, and nothing runs the benchmarks of this build.
        if target.type == .test || target.name == "benchmarks" { settings.append(.unsafeFlags(["-Onone"])) }
    }
    target.swiftSettings = settings
}
