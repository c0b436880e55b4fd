// swift-tools-version: 6.2
import PackageDescription

// An adapter between clients that swift-openapi-generator generates and Sluice, as a package of its own: Sluice itself doesn't
// depend on swift-openapi-runtime. `swift run openapi-client http://127.0.0.1:8080` in this folder calls a server.
let package = Package(
    name: "openapi-client",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "SluiceOpenAPI", targets: ["SluiceOpenAPI"])],
    dependencies: [
        .package(name: "sluice", path: "../..", traits: ["HTTP"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.9.0"),
    ],
    targets: [
        .target(
            name: "SluiceOpenAPI",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
                .product(name: "Sluice", package: "sluice"),
                .product(name: "SluiceFilters", package: "sluice"),
                .product(name: "SluiceHTTP", package: "sluice"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .executableTarget(
            name: "openapi-client",
            dependencies: [
                "SluiceOpenAPI",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
                .product(name: "Sluice", package: "sluice"),
                .product(name: "SluiceFilters", package: "sluice"),
                .product(name: "SluiceHTTP", package: "sluice"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ]
)
