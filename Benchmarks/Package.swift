// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that measuring costs the library's users nothing. `bin/bench` builds and runs it.
let package = Package(
    name: "sluice-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "..")],
    targets: [
        .executableTarget(
            name: "SluiceBenchmarks",
            dependencies: ["Sluice", "SluiceFilters", "SluiceJSON"].map { .product(name: $0, package: "sluice") },
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)
