// swift-tools-version: 6.2
import PackageDescription

// A package of its own: `bin/fuzz` builds it with libFuzzer and runs it.
let package = Package(
    name: "sluice-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "..")],
    targets: [
        .executableTarget(
            name: "FuzzJSON",
            dependencies: [.product(name: "SluiceJSON", package: "sluice")],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
        )
    ]
)
