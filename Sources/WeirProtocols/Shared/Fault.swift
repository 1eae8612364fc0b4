import WeirEngine

/// One way in which a message breaks a rule.
struct Fault {
    var message: Text
    var expected: Text?
    var actual: Text?
    var quirk: String?
    var severity: Severity?
    var reference: String?
    var subject = ""
    /// Where the line stands in the message.
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
