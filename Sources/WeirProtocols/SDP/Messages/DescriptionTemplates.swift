import Synchronization
import WeirEngine
import WeirPackets

/// What descriptions share that differ only in user, session ID, version and address of `o=` and in `s=`, as those that
/// the cameras of one kind send.
package final class DescriptionTemplate: Sendable {
    /// The description that the template was made of.
    let description: SessionDescription
    /// The formats of each medium, as of unencrypted media.
    package let formats: [[(type: UInt8, format: MediaFormat)]]
    /// The parameter sets announced for H.264.
    let parameterSets: [AnnouncedParameterSets]
    /// The octets from the end of `s=` on.
    fileprivate let rest: [UInt8]
    fileprivate let hash: UInt64

    fileprivate init(_ description: SessionDescription, _ rest: [UInt8], hash: UInt64) {
        self.description = description
        self.rest = rest
        self.hash = hash
        formats = description.media.map { $0.mediaFormats(isEncrypted: false) }
        parameterSets = description.readParameterSets()
    }
}

/// The template of a description. It repeats what the description contains: any two are equal.
package struct DescriptionTemplateReference: Sendable, Equatable {
    /// The template, or nil if the description has deviations or was not read by a dissector that shares templates.
    package var template: DescriptionTemplate?

    package static func == (_: Self, _: Self) -> Bool { true }
}

/// The templates of an analysis.
final class DescriptionTemplates: Sendable {
    /// The most recently created templates; searched one by one.
    private let templates = Mutex<[DescriptionTemplate]>([])
    private static let limit = 32
    /// Longer descriptions are not shared.
    private static let mostOctets = 16_384

    /// Parses the description of a presentation, with the template of an equal one if there is one.
    func description(_ bytes: RawSpan, limits: Limits) -> SessionDescription {
        guard bytes.byteCount <= Self.mostOctets, let end = Self.endOfName(bytes) else {
            return SessionDescription(bytes, limits: limits, role: .presentation)
        }
        let rest = bytes.clamped(end, bytes.byteCount)
        let hash = rest.digest
        let candidates = templates.withLock { templates in templates.filter { $0.hash == hash } }
        if let known = candidates.first(where: { rest.equals($0.rest) }) {
            var parser = SDPParser(limits: limits)
            parser.readLines(bytes.clamped(0, end))
            if let description = parser.description.sharing(known) { return description }
        }
        var description = SessionDescription(bytes, limits: limits, role: .presentation)
        guard description.problems.isEmpty else { return description }
        let template = DescriptionTemplate(description, rest.array(), hash: hash)
        templates.withLock { templates in
            if templates.count == Self.limit { templates.removeFirst() }
            templates.append(template)
        }
        description.shared.template = template
        return description
    }

    /// Returns the end of the third line if the first three are `v=`, `o=` and `s=`, in this order.
    private static func endOfName(_ bytes: RawSpan) -> Int? {
        var offset = 0
        for letter in [UInt8(ascii: "v"), UInt8(ascii: "o"), UInt8(ascii: "s")] {
            guard bytes.byte(at: offset) == letter, bytes.byte(at: offset &+ 1) == ASCII.equals else { return nil }
            while let octet = bytes.byte(at: offset), octet != ASCII.lineFeed { offset &+= 1 }
            offset &+= 1
        }
        return offset < bytes.byteCount ? offset : nil
    }
}

extension SessionDescription {
    /// Returns the description of a template with the origin and name of this one, which has only these; nil if they
    /// deviate, or are of other types.
    fileprivate func sharing(_ template: DescriptionTemplate) -> SessionDescription? {
        guard problems.isEmpty, version == template.description.version, let origin, let name,
            let theirs = template.description.origin, origin.netType == theirs.netType,
            origin.addrType == theirs.addrType
        else { return nil }
        var description = template.description
        description.origin = origin
        description.name = name
        description.shared.template = template
        return description
    }

    /// What the rules that depend only on the content may share with other descriptions.
    public var sharedContent: (any AnyObject & Sendable)? { shared.template }
}
