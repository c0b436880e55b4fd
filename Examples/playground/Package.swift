// swift-tools-version: 6.2
import PackageDescription

// The playground, to be opened, changed, and run: `swift run` in this folder. `bin/test examples` compares its output.
let package = Package(
    name: "playground",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../..", traits: ["HTTP"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "playground",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SluiceHTTP", package: "sluice"),
            ],
            path: ".",
            exclude: ["output.txt"],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        )
    ]
)
