import Testing
import WeirPackets
import WeirReports

/// Times of day, against values that everybody agrees on.
@Suite struct CivilTimeTests {
    @Test(arguments: [
        (0, "1970-01-01 00:00:00 UTC"), (951_782_400, "2000-02-29 00:00:00 UTC"),
        (1_470_807_662, "2016-08-10 05:41:02 UTC"), (4_107_542_399, "2100-02-28 23:59:59 UTC"),
        (-1, "1969-12-31 23:59:59 UTC"),
    ])
    func readable(_ seconds: Int64, _ text: String) {
        #expect(CivilTime(Timestamp(nanoseconds: seconds * 1_000_000_000)).readable == text)
    }

    @Test(arguments: [
        ("2016-08-10T05:41:02Z", 1_470_807_662_000_000_000), ("2016-08-10T13:41:02.5+08:00", 1_470_807_662_500_000_000),
        ("1970-01-01t00:00:00z", 0),
    ])
    func readsRFC3339(_ text: String, _ nanoseconds: Int64) {
        #expect(CivilTime.timestamp(rfc3339: text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: ["", "2016-08-10", "2016-13-10T05:41:02Z", "2016-08-10T05:41:02", "2016-08-10T05:41:02+8", "1"])
    func refusesOtherText(_ text: String) {
        #expect(CivilTime.timestamp(rfc3339: text) == nil)
    }
}
