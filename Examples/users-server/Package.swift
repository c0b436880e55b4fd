// swift-tools-version: 6.2
import PackageDescription

// The example server of docs/filters-guide.md: `swift run --package-path Examples/users-server users-server` in the folder
// of Sluice. `bin/test server` loads it.
let package = Package(
    name: "users-server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../..", traits: ["Server"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "users-server",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "SluiceFilters", package: "sluice"),
                .product(name: "SluiceServer", package: "sluice"),
            ],
            path: ".",
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        )
    ]
)
