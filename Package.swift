// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The settings of every target: strict memory safety, and non-escapable views (`ByteReader`).
let swiftSettings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Memory is allocated by the analysis and freed by the report writer; with glibc's allocator, the two threads contend.
// The program is linked with jemalloc if its header is installed, as by `Scripts/install-dependencies`
// (Documentation/performance.md). `Scripts/build-release` links its objects instead.
#if os(Linux)
    let hasJemalloc = FileManager.default.fileExists(atPath: "/usr/include/jemalloc/jemalloc.h")
#else
    let hasJemalloc = false
#endif
let allocator: [LinkerSetting] =
    hasJemalloc && Context.environment["WEIR_ALLOCATOR"] == nil ? [.linkedLibrary("jemalloc")] : []

// `Scripts/build-release` states the commit for `weir --version`; only one C file depends on it.
let commit: [CSetting] =
    Context.environment["WEIR_COMMIT"].map { [.define("WEIR_COMMIT", to: "\"\($0)\"")] } ?? []

// The targets are the layers: each may depend only on the ones before it.
let package = Package(
    name: "weir",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "weir", targets: ["weir"]),
        .library(
            name: "WeirKit",
            targets: [
                "WeirKit", "WeirPackets", "WeirCapture", "WeirEngine", "WeirProtocols", "WeirReports",
            ]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CPcap",
            pkgConfig: "libpcap",
            providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(name: "CTerminal"),
        .target(name: "CYAML", dependencies: ["CLibYAML"]),
        .target(name: "CProcess", cSettings: commit),
        .target(name: "WeirPackets", swiftSettings: swiftSettings),
        .target(
            name: "WeirCapture",
            dependencies: ["CPcap", "CProcess", "CZlib", "CZstd", "WeirPackets"],
            swiftSettings: swiftSettings
        ),
        .target(name: "WeirEngine", dependencies: ["WeirPackets"], swiftSettings: swiftSettings),
        .target(
            name: "WeirReports",
            dependencies: ["WeirEngine", "WeirPackets", .product(name: "Crypto", package: "swift-crypto")],
            // Part of the program: it needs no files beside it.
            resources: [.embedInCode("HTML/page.css"), .embedInCode("HTML/page.js")],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "WeirProtocols",
            dependencies: [
                "WeirEngine", "WeirPackets", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "WeirKit",
            dependencies: [
                "CYAML", "WeirCapture", "WeirEngine", "WeirPackets", "WeirProtocols", "WeirReports",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "WeirComparison",
            dependencies: ["WeirCapture", "WeirEngine", "WeirKit", "WeirPackets", "WeirProtocols", "WeirReports"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "WeirRedaction",
            dependencies: [
                "WeirCapture", "WeirEngine", "WeirKit", "WeirPackets", "WeirProtocols", "WeirReports",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "weir",
            dependencies: [
                "CProcess", "CTerminal", "WeirCapture", "WeirComparison", "WeirEngine", "WeirKit", "WeirPackets",
                "WeirProtocols", "WeirRedaction", "WeirReports",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings,
            linkerSettings: allocator
        ),
        .target(name: "WeirTesting", dependencies: ["WeirPackets"], path: "Tests/WeirTesting"),
        .target(
            name: "CaptureTesting",
            dependencies: ["WeirCapture", "WeirEngine", "WeirPackets", "WeirProtocols", "WeirReports", "WeirTesting"],
            path: "Tests/CaptureTesting"
        ),
        // The entry points for the fuzzer; the tests run them on inputs that once failed.
        .target(
            name: "FuzzReaders",
            dependencies: [
                "WeirCapture", "WeirComparison", "WeirEngine", "WeirPackets", "WeirProtocols", "WeirRedaction",
                "WeirReports",
            ],
            path: "Tests/Fuzz/Sources/FuzzTargets"
        ),
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzReaders", "WeirCapture", "WeirEngine", "WeirPackets", "WeirProtocols"],
            path: "Tests/Fuzz/Sources/fuzz"
        ),
        .testTarget(
            name: "WeirPacketsTests",
            dependencies: ["WeirPackets", "WeirTesting"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirCaptureTests",
            dependencies: ["CZlib", "CZstd", "WeirCapture", "WeirPackets"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirProtocolsTests",
            dependencies: ["CaptureTesting", "WeirEngine", "WeirPackets", "WeirProtocols", "WeirTesting"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirEngineTests",
            dependencies: [
                "CaptureTesting", "WeirCapture", "WeirEngine", "WeirPackets", "WeirProtocols", "WeirTesting",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirReportsTests",
            dependencies: [
                "CaptureTesting", "FuzzReaders", "WeirEngine", "WeirPackets", "WeirProtocols", "WeirReports",
                "WeirTesting",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirRedactionTests",
            dependencies: ["CaptureTesting", "WeirCapture", "WeirPackets", "WeirRedaction", "WeirTesting"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "GoldenTests",
            dependencies: ["CaptureTesting", "WeirEngine", "WeirReports"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirKitTests",
            dependencies: [
                "CaptureTesting", "WeirEngine", "WeirKit", "WeirPackets", "WeirProtocols", "WeirReports", "WeirTesting",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirRulesTests",
            dependencies: [
                "CaptureTesting", "WeirCapture", "WeirEngine", "WeirKit", "WeirPackets", "WeirProtocols", "WeirReports",
                "WeirTesting",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "WeirComparisonTests",
            dependencies: [
                "CaptureTesting", "WeirComparison", "WeirEngine", "WeirKit", "WeirPackets", "WeirProtocols",
                "WeirReports", "WeirTesting",
            ],
            exclude: ["Expected"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer provides its own main function: only `Scripts/fuzz` builds this target.
if Context.environment["WEIR_GUIDED_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "guided",
            dependencies: ["FuzzReaders"],
            path: "Tests/Fuzz/Sources/guided",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        ))
}
