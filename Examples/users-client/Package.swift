// swift-tools-version: 6.2
import PackageDescription

// The example client of docs/filters-guide.md: `swift run --package-path Examples/users-client users-client` in the folder
// of Sluice. `bin/test server` runs it against the example server.
let package = Package(
    name: "users-client",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../..", traits: ["HTTP"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "users-client",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SluiceFilters", package: "sluice"),
                .product(name: "SluiceHTTP", package: "sluice"),
                .product(name: "SluiceJSON", package: "sluice"),
            ],
            path: ".",
            exclude: ["stack.json"],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        )
    ]
)
