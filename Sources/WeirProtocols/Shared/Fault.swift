import WeirEngine

/// A violation of a rule by a message.
struct Fault {
    var message: Text
    var expected: Text?
    var actual: Text?
    var quirk: String?
    var severity: Severity?
    var reference: String?
    var subject = ""
    /// The byte range of the line in the message.
    var range: Range<Int>?

    init(
        _ message: Text, expected: Text? = nil, actual: Text? = nil, quirk: String? = nil, severity: Severity? = nil,
        reference: String? = nil, subject: String = ""
    ) {
        self.message = message
        self.expected = expected
        self.actual = actual
        self.quirk = quirk
        self.severity = severity
        self.reference = reference
        self.subject = subject
    }
}
