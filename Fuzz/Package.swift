// swift-tools-version: 6.2
import PackageDescription

// A package of its own: `bin/fuzz` builds it with libFuzzer and runs its targets. A target is a line here, a folder in
// Sources with an `exercise` function and a call of `runFuzzer`, and a folder in Corpus.
let package = Package(
    name: "sluice-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "..", traits: [])],
    targets: [
        .target(name: "FuzzDriver"),
        .executableTarget(
            name: "FuzzJSON",
            dependencies: ["FuzzDriver", .product(name: "SluiceJSON", package: "sluice")]
        ),
        .executableTarget(
            name: "FuzzCEL",
            dependencies: ["FuzzDriver"]
                + ["SluiceExpressions", "SluiceJSON"].map { .product(name: $0, package: "sluice") }
        ),
        .executableTarget(
            name: "FuzzMarbles",
            dependencies: ["FuzzDriver"]
                + ["SluiceJSON", "SluiceStreams"].map { .product(name: $0, package: "sluice") }
        ),
        .executableTarget(
            name: "FuzzStacks",
            dependencies: ["FuzzDriver"]
                + ["Sluice", "SluiceFilters", "SluiceJSON"].map { .product(name: $0, package: "sluice") }
        ),
        .executableTarget(
            name: "FuzzStreams",
            dependencies: ["FuzzDriver"]
                + ["SluiceJSON", "SluiceStreams"].map { .product(name: $0, package: "sluice") }
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
}
