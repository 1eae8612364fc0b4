#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The processors of the host.
package enum Processors {
    /// The number of online processors.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
