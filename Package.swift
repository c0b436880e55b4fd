// swift-tools-version: 6.2
import PackageDescription

// Each package from outside is behind a trait, so that a user of a pure module resolves none of them. All targets exist
// whatever traits are on: without its trait a module is empty but for a warning, and an executable says so and exits.
// `bin/traits` knows the trait of each folder, wraps its files in `#if`, and checks that.

/// Returns dependencies on modules of this package that a target has only with a trait.
func modules(_ names: String..., with trait: String) -> [Target.Dependency] {
    names.map { .target(name: $0, condition: .when(traits: [trait])) }
}

/// Returns dependencies on products of a package from outside that a target has only with a trait.
func products(_ names: String..., of package: String, with trait: String) -> [Target.Dependency] {
    names.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
}

/// The publishers of Linux and Android. Other platforms have Combine.
let openCombine = ["OpenCombine", "OpenCombineDispatch"].map { name -> Target.Dependency in
    .product(
        name: name,
        package: "OpenCombine",
        condition: .when(platforms: [.linux, .android], traits: ["OpenCombine"])
    )
}

let package = Package(
    name: "sluice",
    // The lowest versions whose standard library has `Mutex`, `Atomic`, and `Int128`. Every product needs them: the locks
    // of the core are a `Mutex`, and Codable's requirements for `Int128`, which SluiceJSON implements, are as new.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceClassic", targets: ["SluiceClassic"]),
        .library(name: "SluiceClient", targets: ["SluiceClient"]),
        .library(name: "SluiceCombine", targets: ["SluiceCombine"]),
        .library(name: "SluiceConnect", targets: ["SluiceConnect"]),
        .library(name: "SluiceExpressions", targets: ["SluiceExpressions"]),
        .library(name: "SluiceFilters", targets: ["SluiceFilters"]),
        .library(name: "SluiceHTTP", targets: ["SluiceHTTP"]),
        .library(name: "SluiceHub", targets: ["SluiceHub"]),
        .library(name: "SluiceJSON", targets: ["SluiceJSON"]),
        .library(name: "SluiceNATS", targets: ["SluiceNATS"]),
        .library(name: "SluiceRuns", targets: ["SluiceRuns"]),
        .library(name: "SluiceServer", targets: ["SluiceServer"]),
        .library(name: "SluiceStore", targets: ["SluiceStore"]),
        .library(name: "SluiceStreams", targets: ["SluiceStreams"]),
        .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
        .executable(name: "sluice", targets: ["SluiceCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Command", "OpenCombine", "Server", "URLSession"]),
        .trait(
            name: "Command",
            description: "The command line `sluice`: swift-argument-parser",
            enabledTraits: ["Hub"]
        ),
        .trait(
            name: "HTTP",
            description: "SluiceHTTP, SluiceConnect, SluiceClient, SluiceClassic, SluiceTesting: AsyncHTTPClient",
            enabledTraits: ["Instruments"]
        ),
        .trait(
            name: "Hub",
            description: "SluiceHub: Hummingbird, GRDB, AsyncHTTPClient",
            enabledTraits: ["HTTP", "SQLite"]
        ),
        .trait(
            name: "Instruments",
            description: "StatsFilter and TracingFilter in SluiceFilters: swift-metrics, swift-distributed-tracing"
        ),
        .trait(name: "NATS", description: "SluiceNATS, the cluster on NATS JetStream: libnats, of the system"),
        .trait(name: "OpenCombine", description: "SluiceCombine on Linux and Android: OpenCombine"),
        .trait(name: "Server", description: "SluiceServer: Hummingbird"),
        .trait(name: "SQLite", description: "SluiceStore: GRDB"),
        .trait(
            name: "URLSession",
            description: "URLSessionTransport in SluiceHTTP on Linux and Android: FoundationNetworking",
            enabledTraits: ["HTTP"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "Sluice"),
        .target(name: "SluiceJSON"),
        .target(name: "SluiceExpressions", dependencies: ["SluiceJSON"]),
        .target(
            name: "SluiceFilters",
            dependencies: ["Sluice", "SluiceJSON"]
                + products("CoreMetrics", of: "swift-metrics", with: "Instruments")
                + products("Instrumentation", "Tracing", of: "swift-distributed-tracing", with: "Instruments")
        ),
        .target(name: "SluiceStreams", dependencies: ["Sluice", "SluiceExpressions", "SluiceFilters", "SluiceJSON"]),
        .target(name: "SluiceRuns", dependencies: ["Sluice", "SluiceFilters", "SluiceJSON", "SluiceStreams"]),
        .target(
            name: "SluiceTesting",
            dependencies: ["Sluice", "SluiceFilters", "SluiceJSON", "SluiceStreams"]
                + modules("SluiceHTTP", with: "HTTP") + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
        ),
        .target(
            name: "SluiceHTTP",
            dependencies: modules("Sluice", "SluiceFilters", "SluiceJSON", with: "HTTP")
                + products("AsyncHTTPClient", of: "async-http-client", with: "HTTP")
                + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
                + products("RawStructuredFieldValues", of: "swift-http-structured-headers", with: "HTTP")
                + products("NIOCore", "NIOHTTP1", "NIOPosix", of: "swift-nio", with: "HTTP")
                + products("NIOHPACK", "NIOHTTP2", of: "swift-nio-http2", with: "HTTP")
                + products("NIOHTTPCompression", of: "swift-nio-extras", with: "HTTP")
                + products("NIOSSL", of: "swift-nio-ssl", with: "HTTP")
                + products("CoreMetrics", of: "swift-metrics", with: "HTTP")
                + products("Instrumentation", "Tracing", of: "swift-distributed-tracing", with: "HTTP")
        ),
        .target(
            name: "SluiceConnect",
            dependencies: modules(
                "Sluice",
                "SluiceExpressions",
                "SluiceFilters",
                "SluiceHTTP",
                "SluiceJSON",
                "SluiceRuns",
                "SluiceStreams",
                with: "HTTP"
            ) + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
        ),
        .target(
            name: "SluiceClient",
            dependencies: modules(
                "Sluice",
                "SluiceFilters",
                "SluiceHTTP",
                "SluiceJSON",
                "SluiceRuns",
                "SluiceStreams",
                with: "HTTP"
            ) + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
        ),
        .target(
            name: "SluiceClassic",
            dependencies: modules("Sluice", "SluiceFilters", "SluiceHTTP", "SluiceJSON", with: "HTTP")
                + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
        ),
        .target(name: "SluiceCombine", dependencies: ["Sluice", "SluiceJSON", "SluiceStreams"] + openCombine),
        .target(
            name: "SluiceStore",
            dependencies: modules("Sluice", "SluiceJSON", "SluiceRuns", "SluiceStreams", with: "SQLite")
                + products("GRDB", of: "GRDB.swift", with: "SQLite")
        ),
        .target(
            name: "SluiceNATS",
            dependencies: modules("CNATS", "Sluice", "SluiceJSON", "SluiceRuns", "SluiceStreams", with: "NATS")
        ),
        .target(
            name: "SluiceServer",
            dependencies: modules("Sluice", "SluiceFilters", "SluiceJSON", with: "Server")
                + products("Hummingbird", of: "hummingbird", with: "Server")
                + products("HTTPTypes", of: "swift-http-types", with: "Server")
                + products("NIOCore", of: "swift-nio", with: "Server")
        ),
        .target(
            name: "SluiceHub",
            dependencies: modules(
                "Sluice",
                "SluiceConnect",
                "SluiceFilters",
                "SluiceHTTP",
                "SluiceJSON",
                "SluiceRuns",
                "SluiceStore",
                "SluiceStreams",
                with: "Hub"
            )
                + products("Hummingbird", "HummingbirdCore", of: "hummingbird", with: "Hub")
                + products("HTTPTypes", of: "swift-http-types", with: "Hub")
                + products("NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", of: "swift-nio", with: "Hub")
                + products("NIOHTTPCompression", "NIOHTTPTypes", of: "swift-nio-extras", with: "Hub")
                + products("NIOSSL", of: "swift-nio-ssl", with: "Hub")
                + products("ServiceLifecycle", "UnixSignals", of: "swift-service-lifecycle", with: "Hub")
                + products("Logging", of: "swift-log", with: "Hub"),
            resources: [.embedInCode("Page")]
        ),
        .executableTarget(
            name: "SluiceCommand",
            dependencies: modules(
                "Sluice",
                "SluiceClient",
                "SluiceConnect",
                "SluiceExpressions",
                "SluiceFilters",
                "SluiceHTTP",
                "SluiceHub",
                "SluiceJSON",
                "SluiceRuns",
                "SluiceStore",
                "SluiceStreams",
                "SluiceTesting",
                with: "Command"
            )
                + modules("SluiceNATS", with: "NATS")
                + products("ArgumentParser", of: "swift-argument-parser", with: "Command")
                + products("HTTPTypes", of: "swift-http-types", with: "Command")
        ),
        .target(name: "SluiceTestSupport", dependencies: ["Sluice"], path: "Tests/Support/Sources"),
        .testTarget(name: "SluiceTests", dependencies: ["Sluice", "SluiceTesting", "SluiceTestSupport"]),
        .testTarget(name: "SluiceJSONTests", dependencies: ["SluiceJSON"], exclude: ["Oracles/json-sample.jsonl"]),
        .testTarget(
            name: "SluiceExpressionsTests",
            dependencies: ["SluiceExpressions", "SluiceJSON"],
            exclude: [
                "Oracles/case_folding.py", "Oracles/cel-sample.jsonl", "Oracles/re2.jsonl", "Oracles/re2_cases.py",
            ]
        ),
        .testTarget(
            name: "SluiceFiltersTests",
            dependencies: ["SluiceFilters", "SluiceJSON", "SluiceTesting"]
                + products("CoreMetrics", "MetricsTestKit", of: "swift-metrics", with: "Instruments")
                + products(
                    "InMemoryTracing",
                    "Instrumentation",
                    "Tracing",
                    of: "swift-distributed-tracing",
                    with: "Instruments"
                )
        ),
        .testTarget(
            name: "SluiceStreamsTests",
            dependencies: ["SluiceExpressions", "SluiceJSON", "SluiceStreams", "SluiceTestSupport", "SluiceTesting"],
            exclude: ["Oracles/Samples", "Oracles/cron.py"]
        ),
        .testTarget(
            name: "SluiceRunsTests",
            dependencies: [
                "Sluice", "SluiceFilters", "SluiceJSON", "SluiceRuns", "SluiceStreams", "SluiceTestSupport",
                "SluiceTesting",
            ]
        ),
        .testTarget(
            name: "SluiceTestingTests",
            dependencies: ["SluiceFilters", "SluiceJSON", "SluiceStreams", "SluiceTesting", "SluiceTestSupport"]
                + modules("SluiceHTTP", with: "HTTP") + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
        ),
        .testTarget(
            name: "SluiceHTTPTests",
            dependencies: ["SluiceHTTP", "SluiceTesting", "SluiceTestSupport"]
                + products("AsyncHTTPClient", of: "async-http-client", with: "HTTP")
                + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
                + products("NIOCore", "NIOHTTP1", "NIOPosix", of: "swift-nio", with: "HTTP")
                + products("NIOSSL", of: "swift-nio-ssl", with: "HTTP")
                + products("CoreMetrics", "MetricsTestKit", of: "swift-metrics", with: "HTTP")
                + products(
                    "InMemoryTracing",
                    "Instrumentation",
                    "Tracing",
                    of: "swift-distributed-tracing",
                    with: "HTTP"
                )
        ),
        .testTarget(
            name: "SluiceConnectTests",
            dependencies: [
                "Sluice", "SluiceConnect", "SluiceExpressions", "SluiceFilters", "SluiceHTTP", "SluiceJSON",
                "SluiceRuns", "SluiceStreams", "SluiceTesting", "SluiceTestSupport",
            ]
                + products("HTTPTypes", of: "swift-http-types", with: "Hub")
                + products("Hummingbird", "HummingbirdTesting", of: "hummingbird", with: "Hub")
                + products("NIOCore", "NIOPosix", of: "swift-nio", with: "Hub")
        ),
        .testTarget(
            name: "SluiceClientTests",
            dependencies: ["SluiceClient", "SluiceRuns", "SluiceTesting"]
                + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
        ),
        .testTarget(
            name: "SluiceNATSTests",
            dependencies: modules(
                "CNATS",
                "Sluice",
                "SluiceJSON",
                "SluiceNATS",
                "SluiceRuns",
                "SluiceStreams",
                "SluiceTestSupport",
                "SluiceTesting",
                with: "NATS"
            )
        ),
        .testTarget(name: "SluiceCombineTests", dependencies: ["SluiceCombine", "SluiceTesting"]),
        .testTarget(
            name: "SluiceStoreTests",
            dependencies: ["Sluice", "SluiceJSON", "SluiceRuns", "SluiceStore", "SluiceStreams", "SluiceTestSupport"]
                + modules("SluiceNATS", with: "NATS") + products("GRDB", of: "GRDB.swift", with: "SQLite")
        ),
        .testTarget(
            name: "SluiceServerTests",
            dependencies: ["SluiceHTTP", "SluiceServer", "SluiceTesting"]
                + products("HTTPTypes", of: "swift-http-types", with: "Server")
                + products("Hummingbird", "HummingbirdTesting", of: "hummingbird", with: "Server")
        ),
        .testTarget(
            name: "SluiceHubTests",
            dependencies: [
                "Sluice", "SluiceClient", "SluiceConnect", "SluiceFilters", "SluiceHTTP", "SluiceHub", "SluiceJSON",
                "SluiceRuns", "SluiceStore", "SluiceStreams", "SluiceTesting",
            ]
                + products("GRDB", of: "GRDB.swift", with: "Hub")
                + products("HTTPTypes", of: "swift-http-types", with: "Hub")
                + products("Hummingbird", "HummingbirdTesting", of: "hummingbird", with: "Hub")
                + products("NIOCore", "NIOEmbedded", "NIOPosix", of: "swift-nio", with: "Hub")
                + products("ServiceLifecycle", of: "swift-service-lifecycle", with: "Hub")
        ),
        .testTarget(name: "SluiceCommandTests", dependencies: ["SluiceCommand", "SluiceTestSupport"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "SluiceClassic", "SluiceClient", "SluiceCombine", "SluiceConnect", "SluiceExpressions", "SluiceHub",
                "SluiceServer", "SluiceTesting", "SluiceTestSupport",
            ]
        ),
        .testTarget(
            name: "SeedTests",
            dependencies: [
                "SluiceClassic", "SluiceCombine", "SluiceStore", "SluiceStreams", "SluiceTesting", "SluiceTestSupport",
            ]
                + products("HTTPTypes", of: "swift-http-types", with: "HTTP")
                + products("Hummingbird", "HummingbirdTesting", of: "hummingbird", with: "Server") + openCombine
        ),
    ]
)

// `bin/test all` builds the examples with everything else. Each is a package of its own as well, for its readers.
if Context.environment["SLUICE_WITH_EXAMPLES"] != nil {
    package.targets += [
        .executableTarget(
            name: "playground",
            dependencies: ["SluiceHTTP"] + products("Hummingbird", of: "hummingbird", with: "Server")
                + products("Logging", of: "swift-log", with: "Server"),
            path: "Examples/playground",
            exclude: ["Package.swift", "output.txt"]
        ),
        .executableTarget(
            name: "users-client",
            dependencies: ["SluiceFilters", "SluiceHTTP", "SluiceJSON"]
                + products("HTTPTypes", of: "swift-http-types", with: "HTTP"),
            path: "Examples/users-client",
            exclude: ["Package.swift", "stack.json"]
        ),
        .executableTarget(
            name: "users-server",
            dependencies: ["SluiceFilters", "SluiceServer"]
                + products("Hummingbird", of: "hummingbird", with: "Server")
                + products("NIOCore", of: "swift-nio", with: "Server"),
            path: "Examples/users-server",
            exclude: ["Package.swift"]
        ),
    ]
}

if Context.environment["SLUICE_COSTS"] != nil {
    // `bin/test costs`: it sees what is internal, so it is built with `-enable-testing` only.
    package.targets.append(
        .executableTarget(name: "costs", dependencies: ["SluiceExpressions"], path: "Tests/Costs")
    )
}

/// `SLUICE_SANITIZER=thread` makes the locks ones that the thread sanitizer understands; `SLUICE_SANITIZER=address`
/// makes the tests expect other figures of memory than those of a plain build. Each leaves out the tests of modules that
/// have nothing for it: threads meet in the core, filters, and streams, and JSON and expressions read through pointers.
/// `SLUICE_SANITIZED=all` keeps the tests of all pure modules.
let sanitizer = Context.environment["SLUICE_SANITIZER"]
if sanitizer != nil {
    var kept: Set<String> = []
    if sanitizer == "thread" || Context.environment["SLUICE_SANITIZED"] == "all" {
        kept.formUnion(["SluiceTests", "SluiceFiltersTests", "SluiceStreamsTests"])
    }
    if sanitizer == "address" || Context.environment["SLUICE_SANITIZED"] == "all" {
        kept.formUnion(["SluiceJSONTests", "SluiceExpressionsTests"])
    }
    package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}

let examples: Set = ["playground", "users-client", "users-server"]
for target in package.targets where examples.contains(target.name) {
    target.swiftSettings = [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
for target in package.targets where !examples.contains(target.name) {
    target.swiftSettings =
        [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
        + (sanitizer == nil ? [] : [.define("SLUICE_SANITIZER")])
        + (sanitizer == "thread" ? [.define("SLUICE_THREAD_SANITIZER")] : [])
}

// The decoders of `br` and `zstd`, and the cluster, which need libraries of the system: each is behind a trait that is off
// by default.
package.traits.insert(
    .trait(name: "Brotli", description: "Decodes bodies with the Content-Encoding br.", enabledTraits: ["HTTP"])
)
package.traits.insert(
    .trait(name: "Zstd", description: "Decodes bodies with the Content-Encoding zstd.", enabledTraits: ["HTTP"])
)
package.targets += [
    .systemLibrary(
        name: "CBrotli",
        pkgConfig: "libbrotlidec",
        providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
    ),
    .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
]
for target in package.targets where target.name == "SluiceHTTP" {
    target.dependencies += [
        .target(name: "CBrotli", condition: .when(traits: ["Brotli"])),
        .target(name: "CZstd", condition: .when(traits: ["Zstd"])),
    ]
}
