import FuzzReaders

// Hands what libFuzzer makes up to one of the targets, which `WEIR_FUZZ_TARGET` names. Built only by `Scripts/fuzz`, which has the
// compiler watch what is reached (`-sanitize=fuzzer,address`).

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this run; the program ends where the name is none.
private let target: FuzzTarget = {
    let name = FuzzEnvironment.value("WEIR_FUZZ_TARGET") ?? ""
    guard let target = FuzzTarget(rawValue: name) else { fatalError("WEIR_FUZZ_TARGET=\(name) is no target") }
    return target
}()

/// Reads one input; what was promised and not kept ends the program, so that libFuzzer writes the input to a file.
private func read(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let octets = Array(UnsafeBufferPointer(start: start, count: count))
    if let broken = target.read(octets) { fatalError("\(target.rawValue): \(broken)") }
    return 0
}

/// The beginning of the program, under the name that SwiftPM gives to that of an executable.
@_cdecl("guided_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = arguments
    return runFuzzer(&count, &arguments, read)
}
