// swift-tools-version: 6.2
import PackageDescription

// The package that `bin/bench --peers DIR` puts together in DIR, beside copies of the peers: the paths are those of DIR.
let package = Package(
    name: "sluice-peers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: Context.environment["SLUICE_ROOT"] ?? "../..", traits: [])],
    targets: [
        .target(name: "yyjson", path: "yyjson", sources: ["src"], publicHeadersPath: "src"),
        .target(
            name: "ReerJSON",
            dependencies: ["yyjson"],
            path: "ReerJSON/Sources/ReerJSON",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "SluicePeerBenchmarks",
            dependencies: ["ReerJSON", .product(name: "SluiceJSON", package: "sluice"), "yyjson"],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
