// swift-tools-version: 6.2
import PackageDescription

// A package outside Weir that adds a protocol to it. Elsewhere the dependency would be a URL instead of a path.
let package = Package(
    name: "ntp-example",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "weir", path: "../..")],
    targets: [
        .target(name: "NTP", dependencies: [.product(name: "WeirKit", package: "weir")]),
        .executableTarget(name: "ntp-timeline", dependencies: ["NTP", .product(name: "WeirKit", package: "weir")]),
        .testTarget(name: "NTPTests", dependencies: ["NTP", .product(name: "WeirKit", package: "weir")]),
    ],
    swiftLanguageModes: [.v6]
)
