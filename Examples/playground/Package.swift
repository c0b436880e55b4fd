// swift-tools-version: 6.2
import PackageDescription

// The playground as a package of its own, to be opened, changed and run: `swift run` in this folder. The package of
// Sluice has it as a target too, so that the tests run it.
let package = Package(
    name: "playground",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "playground",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "SluiceHTTP", package: "sluice"),
            ],
            path: ".",
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        )
    ]
)
