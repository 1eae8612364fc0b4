// swift-tools-version: 6.2
import PackageDescription

// Not part of the tests that run for every change: it runs for as long as it is told to.
let package = Package(
    name: "weir-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "weir", path: "../..")],
    targets: [
        .target(name: "FuzzTargets", dependencies: [.product(name: "WeirKit", package: "weir")]),
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets", .product(name: "WeirKit", package: "weir")]),
    ],
    swiftLanguageModes: [.v6]
)
