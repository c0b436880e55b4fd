// swift-tools-version: 6.2
import PackageDescription

/// `SLUICE_LIGHT=1` leaves out every target that needs a package from outside, so that a sanitizer or fuzzer
/// run builds the pure modules alone, in seconds; `SLUICE_LIGHT=http` leaves SluiceHTTP and what it needs.
let light = Context.environment["SLUICE_LIGHT"]
let isLight = light != nil && light != "http"
let isWhole = light == nil

/// `SLUICE_SANITIZER=thread` makes the locks ones that the thread sanitizer understands; `SLUICE_SANITIZER=address` only
/// tells the tests that their memory is not that of a plain build.
let sanitizer = Context.environment["SLUICE_SANITIZER"]
let sanitizerSettings: [SwiftSetting] =
    (sanitizer == nil ? [] : [.define("SLUICE_SANITIZER")])
    + (sanitizer == "thread" ? [.define("SLUICE_THREAD_SANITIZER")] : [])

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + sanitizerSettings

/// What the stats filter and the tracing filter talk to; the light build has neither the packages nor these filters.
let instruments: [Target.Dependency] =
    isLight
    ? []
    : [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
    ]
let instrumentTests: [Target.Dependency] =
    isLight
    ? []
    : [
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
    ]

/// What stands in for a server in tests; the light build has none of HTTP.
let messages: [Target.Dependency] =
    isLight ? [] : ["SluiceHTTP", .product(name: "HTTPTypes", package: "swift-http-types")]

let package = Package(
    name: "sluice",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceExpressions", targets: ["SluiceExpressions"]),
        .library(name: "SluiceFilters", targets: ["SluiceFilters"]),
        .library(name: "SluiceJSON", targets: ["SluiceJSON"]),
        .library(name: "SluiceRuns", targets: ["SluiceRuns"]),
        .library(name: "SluiceStreams", targets: ["SluiceStreams"]),
        .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
    ],
    targets: [
        .target(name: "Sluice"),
        .target(name: "SluiceExpressions", dependencies: ["SluiceJSON"]),
        .target(
            name: "SluiceFilters",
            dependencies: ["Sluice", "SluiceJSON"] + instruments,
            exclude: isLight ? ["Stats", "Tracing"] : []
        ),
        .target(name: "SluiceJSON"),
        .target(name: "SluiceStreams", dependencies: ["Sluice", "SluiceExpressions", "SluiceJSON"]),
        .target(name: "SluiceRuns", dependencies: ["Sluice", "SluiceFilters", "SluiceJSON", "SluiceStreams"]),
        .target(
            name: "SluiceTesting",
            dependencies: ["Sluice", "SluiceFilters", "SluiceJSON", "SluiceStreams"] + messages,
            exclude: isLight ? ["HTTP"] : []
        ),
        .target(name: "SluiceTestSupport", dependencies: ["Sluice"], path: "Tests/Support/Sources"),
        .testTarget(name: "SluiceTests", dependencies: ["Sluice", "SluiceTesting", "SluiceTestSupport"]),
        .testTarget(
            name: "SluiceExpressionsTests",
            dependencies: ["SluiceExpressions", "SluiceJSON"],
            exclude: [
                "Oracles/case_folding.py", "Oracles/cel-sample.jsonl", "Oracles/re2.jsonl", "Oracles/re2_cases.py",
            ]
        ),
        .testTarget(
            name: "SluiceTestingTests",
            dependencies: ["SluiceFilters", "SluiceJSON", "SluiceStreams", "SluiceTesting", "SluiceTestSupport"]
                + messages,
            exclude: isLight ? ["HTTP"] : []
        ),
        .testTarget(
            name: "SluiceFiltersTests",
            dependencies: ["SluiceFilters", "SluiceJSON", "SluiceTesting"] + instruments + instrumentTests,
            exclude: isLight ? ["Stats", "Tracing"] : []
        ),
        .testTarget(
            name: "SluiceJSONTests",
            dependencies: ["SluiceJSON"],
            exclude: ["Oracles/json-sample.jsonl"]
        ),
        .testTarget(
            name: "SluiceStreamsTests",
            dependencies: ["SluiceExpressions", "SluiceJSON", "SluiceStreams", "SluiceTesting"],
            exclude: ["Oracles/Samples"]
        ),
        .testTarget(name: "SluiceRunsTests", dependencies: ["Sluice", "SluiceJSON", "SluiceRuns", "SluiceStreams"]),
    ]
)

if !isLight {
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ]
    package.products += [
        .library(name: "SluiceClient", targets: ["SluiceClient"]),
        .library(name: "SluiceHTTP", targets: ["SluiceHTTP"]),
    ]
    package.targets += [
        .target(
            name: "SluiceClient",
            dependencies: [
                "SluiceFilters", "SluiceHTTP", "SluiceJSON", "SluiceRuns", "SluiceStreams",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "SluiceClientTests",
            dependencies: [
                "SluiceClient", "SluiceRuns", "SluiceTesting", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "SluiceHTTP",
            dependencies: [
                "SluiceFilters", "SluiceJSON",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ] + instruments
        ),
        .testTarget(
            name: "SluiceHTTPTests",
            dependencies: [
                "SluiceHTTP", "SluiceTesting", "SluiceTestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + instruments + instrumentTests
        ),
    ]
}

if isWhole {
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ]
    package.products += [
        .library(name: "SluiceClassic", targets: ["SluiceClassic"]),
        .library(name: "SluiceCombine", targets: ["SluiceCombine"]),
        .library(name: "SluiceStore", targets: ["SluiceStore"]),
        .library(name: "SluiceHub", targets: ["SluiceHub"]),
        .library(name: "SluiceServer", targets: ["SluiceServer"]),
        .executable(name: "sluice", targets: ["SluiceCommand"]),
    ]
    package.targets += [
        .target(
            name: "SluiceClassic",
            dependencies: [
                "Sluice", "SluiceFilters", "SluiceHTTP", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "SluiceCombine",
            dependencies: [
                "Sluice", "SluiceStreams",
                .product(
                    name: "OpenCombine",
                    package: "OpenCombine",
                    condition: .when(platforms: [.linux, .android])
                ),
                .product(
                    name: "OpenCombineDispatch",
                    package: "OpenCombine",
                    condition: .when(platforms: [.linux, .android])
                ),
            ]
        ),
        .target(
            name: "SluiceStore",
            dependencies: [
                "Sluice", "SluiceJSON", "SluiceRuns", "SluiceStreams", .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "SluiceHub",
            dependencies: [
                "Sluice", "SluiceFilters", "SluiceHTTP", "SluiceJSON", "SluiceRuns", "SluiceStore", "SluiceStreams",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [
                "adder.js", "announce.js", "catalog.js", "clock.js", "conflict.js", "dialogs.js", "diff.js",
                "document.js", "dom.js", "draft.js", "draftbar.js", "drafts.js", "edit.css", "feed.js", "fields.js",
                "files.js", "group.js", "history.js", "hub.js", "icon.svg", "index.html", "items.js", "json.js",
                "list.js", "members.js", "menu.js", "operator.js", "order.js", "page.css", "page.js", "palette.js",
                "panel.css", "panel.js", "pipeline.js", "plan.js", "source.js", "stream.js", "summaries.js", "text.js",
                "tokens.js", "transport.js", "tunnel.css", "tunnel.js", "tunnels.js", "value.js",
            ]
            .map { .embedInCode("Page/\($0)") }
        ),
        .target(
            name: "SluiceServer",
            dependencies: [
                "SluiceFilters", "SluiceJSON",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "SluiceCommand",
            dependencies: [
                "SluiceClient", "SluiceExpressions", "SluiceHTTP", "SluiceHub", "SluiceStore", "SluiceStreams",
                "SluiceTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(name: "SluiceCombineTests", dependencies: ["SluiceCombine", "SluiceTesting"]),
        .testTarget(
            name: "SluiceStoreTests",
            dependencies: [
                "Sluice", "SluiceJSON", "SluiceRuns", "SluiceStore", "SluiceStreams", "SluiceTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "SluiceHubTests",
            dependencies: [
                "SluiceHub", "SluiceHTTP", "SluiceTesting", "SluiceStreams", "SluiceRuns", "SluiceStore", "SluiceJSON",
                "SluiceFilters",
                "Sluice",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "playground",
            dependencies: [
                "SluiceHTTP",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Examples/playground",
            exclude: ["Package.swift", "output.txt"]
        ),
        .executableTarget(
            name: "users-client",
            dependencies: [
                "SluiceFilters", "SluiceHTTP", "SluiceJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Examples/users-client",
            exclude: ["stack.json"]
        ),
        .executableTarget(
            name: "users-server",
            dependencies: [
                "SluiceFilters", "SluiceServer",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Examples/users-server"
        ),
        .testTarget(
            name: "SluiceServerTests",
            dependencies: [
                "SluiceHTTP", "SluiceServer", "SluiceTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
        .testTarget(name: "SluiceCommandTests", dependencies: ["SluiceCommand", "SluiceTestSupport"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "SluiceClassic", "SluiceClient", "SluiceCombine", "SluiceExpressions", "SluiceHub", "SluiceServer",
                "SluiceTesting", "SluiceTestSupport",
            ]
        ),
        .testTarget(
            name: "SeedTests",
            dependencies: [
                "SluiceClassic", "SluiceCombine", "SluiceStore", "SluiceStreams", "SluiceTesting", "SluiceTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(
                    name: "OpenCombine",
                    package: "OpenCombine",
                    condition: .when(platforms: [.linux, .android])
                ),
            ]
        ),
    ]
}

if Context.environment["SLUICE_COSTS"] != nil {
    // `bin/test costs`: it sees what is internal, so it is built with `-enable-testing` only.
    package.targets.append(
        .executableTarget(name: "costs", dependencies: ["SluiceExpressions"], path: "Tests/Costs")
    )
}

for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// The decoders of `br` and `zstd`, which need libraries of the system: each is behind a trait that is off by default.
package.traits.insert(.trait(name: "Brotli", description: "Decodes bodies with the Content-Encoding br."))
package.traits.insert(.trait(name: "Zstd", description: "Decodes bodies with the Content-Encoding zstd."))
package.targets += [
    .systemLibrary(
        name: "CBrotli",
        pkgConfig: "libbrotlidec",
        providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
    ),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
]
for target in package.targets where target.name == "SluiceHTTP" {
    target.dependencies += [
        .target(name: "CBrotli", condition: .when(traits: ["Brotli"])),
        .target(name: "CZstd", condition: .when(traits: ["Zstd"])),
    ]
}
