// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that measuring costs the library's users nothing. `bin/bench` builds and runs it.
let package = Package(
    name: "sluice-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "..", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "SluiceBenchmarks",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "Sluice", package: "sluice"),
                .product(name: "SluiceExpressions", package: "sluice"),
                .product(name: "SluiceFilters", package: "sluice"),
                .product(name: "SluiceJSON", package: "sluice"),
                .product(name: "SluiceStreams", package: "sluice"),
            ],
            path: "Sources",
            sources: ["Shared", "SluiceBenchmarks"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)

// `SLUICE_BENCHMARK=http` is for the benchmark of request chains alone (`bin/bench http`), which needs the network packages.
if Context.environment["SLUICE_BENCHMARK"] == "http" {
    let settings = package.targets.first?.swiftSettings
    package.dependencies = [
        .package(name: "sluice", path: "..", traits: ["HTTP"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ]
    package.targets = [
        .executableTarget(
            name: "SluiceHTTPBenchmarks",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Sluice", package: "sluice"),
                .product(name: "SluiceFilters", package: "sluice"),
                .product(name: "SluiceHTTP", package: "sluice"),
                .product(name: "SluiceJSON", package: "sluice"),
            ],
            path: "Sources",
            sources: [
                "SluiceBenchmarks/Allocations.swift", "SluiceBenchmarks/Bounds.swift",
                "SluiceBenchmarks/Options.swift", "Shared", "SluiceHTTPBenchmarks",
            ],
            swiftSettings: settings
        )
    ]
}

// `SLUICE_BENCHMARK=store` is for the store alone (`bin/bench store`), which needs the database.
if Context.environment["SLUICE_BENCHMARK"] == "store" {
    let settings = package.targets.first?.swiftSettings
    package.dependencies = [
        .package(name: "sluice", path: "..", traits: ["SQLite"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ]
    package.targets = [
        .executableTarget(
            name: "SluiceStoreBenchmarks",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SluiceRuns", package: "sluice"),
                .product(name: "SluiceStore", package: "sluice"),
                .product(name: "SluiceStreams", package: "sluice"),
            ],
            path: "Sources",
            sources: ["Shared", "SluiceStoreBenchmarks"],
            swiftSettings: settings
        )
    ]
}

// `SLUICE_BENCHMARK=hub` is for the hub alone (`bin/bench hub`), which needs the server and the database.
if Context.environment["SLUICE_BENCHMARK"] == "hub" {
    let settings = package.targets.first?.swiftSettings
    package.dependencies = [
        .package(name: "sluice", path: "..", traits: ["Hub"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ]
    package.targets = [
        .executableTarget(
            name: "SluiceHubBenchmarks",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SluiceClient", package: "sluice"),
                .product(name: "SluiceConnect", package: "sluice"),
                .product(name: "SluiceHub", package: "sluice"),
                .product(name: "SluiceRuns", package: "sluice"),
                .product(name: "SluiceStore", package: "sluice"),
                .product(name: "SluiceStreams", package: "sluice"),
            ],
            path: "Sources",
            sources: [
                "Shared", "SluiceBenchmarks/Bounds.swift", "SluiceBenchmarks/Options.swift", "SluiceHubBenchmarks",
            ],
            swiftSettings: settings
        )
    ]
}
