import FuzzReaders

// Passes the inputs of libFuzzer to the target named by `WEIR_FUZZ_TARGET`. Built only by `Scripts/fuzz`, which enables
// coverage instrumentation (`-sanitize=fuzzer,address`).

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this run; an unknown name ends the program.
private let target: FuzzTarget = {
    let name = FuzzEnvironment.value("WEIR_FUZZ_TARGET") ?? ""
    guard let target = FuzzTarget(rawValue: name) else { fatalError("WEIR_FUZZ_TARGET=\(name) is no target") }
    return target
}()

/// Reads one input; a broken guarantee ends the program, so that libFuzzer saves the input.
private func read(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let octets = Array(UnsafeBufferPointer(start: start, count: count))
    if let broken = target.read(octets) { fatalError("\(target.rawValue): \(broken)") }
    return 0
}

/// The entry point, under the name that SwiftPM gives to an executable's main function.
@_cdecl("guided_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = arguments
    return runFuzzer(&count, &arguments, read)
}
