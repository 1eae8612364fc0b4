import Foundation
import Testing
import WeirPackets

@testable import WeirReports

@Suite("Civil time") struct CivilTimeTests {
    private static func text(_ nanoseconds: Int64) -> String {
        var json = JSONWriter()
        json.time(Timestamp(nanoseconds: nanoseconds))
        return String(decoding: json.octets, as: UTF8.self)
    }

    @Test(
        "known times",
        arguments: [
            (0, "1970-01-01T00:00:00.000000000Z"), (1, "1970-01-01T00:00:00.000000001Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
            (951_868_799_999_999_999, "2000-02-29T23:59:59.999999999Z"),
            (951_868_800_000_000_000, "2000-03-01T00:00:00.000000000Z"),
            (1_470_807_662_500_000_000, "2016-08-10T05:41:02.500000000Z"),
            (1_709_164_800_000_000_000, "2024-02-29T00:00:00.000000000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000000000Z"),
            (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000000000Z"),
            (-2_203_891_200_000_000_000, "1900-03-01T00:00:00.000000000Z"),
            (-2_203_891_201_000_000_000, "1900-02-28T23:59:59.000000000Z"),
            (Int64.max, "2262-04-11T23:47:16.854775807Z"), (Int64.min, "1677-09-21T00:12:43.145224192Z"),
        ])
    func known(nanoseconds: Int64, expected: String) {
        #expect(Self.text(nanoseconds) == "\"\(expected)\"")
    }

    @Test("every day from 1700 to 2250 matches a calendar")
    func everyDay() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Every seventh day: checking every day would take seven times as long and find no more.
        for day in stride(from: -98_000, to: 102_000, by: 7) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let time = CivilTime(Timestamp(nanoseconds: Int64(day) * 86_400_000_000_000))
            #expect([time.year, time.month, time.day] == [parts.year, parts.month, parts.day])
        }
    }

    @Test("times are parsed as written")
    func roundTrip() throws {
        for nanoseconds in stride(from: Int64(0), to: 9_000_000_000_000_000_000, by: 88_888_888_888_888_888) {
            let text = Self.text(nanoseconds).trimmingCharacters(in: ["\""])
            #expect(CivilTime.timestamp(rfc3339: text) == Timestamp(nanoseconds: nanoseconds))
        }
        #expect(
            CivilTime.timestamp(rfc3339: "2016-08-10t13:41:02.5+08:00")
                == Timestamp(nanoseconds: 1_470_807_662_500_000_000))
        #expect(
            CivilTime.timestamp(rfc3339: "2016-08-09 22:11:02-07:30")
                == Timestamp(nanoseconds: 1_470_807_662_000_000_000))
        #expect(CivilTime(Timestamp(nanoseconds: 1_470_807_662_500_000_000)).readable == "2016-08-10 05:41:02 UTC")
    }

    @Test(
        "invalid times are rejected",
        arguments: [
            "", "2016-08-10", "2016-08-10T05:41:02", "2016-13-10T05:41:02Z", "2016-08-00T05:41:02Z",
            "2016-08-10T24:41:02Z", "2016-08-10T05:60:02Z", "2016-08-10T05:41:61Z", "2016-08-10T05:41:02.Z",
            "2016-08-10T05:41:02.0123456789Z", "2016-08-10T05:41:02+8:00", "2016-08-10T05:41:02Zx",
            "9999-08-10T05:41:02Z", "２016-08-10T05:41:02Z", "2016-08-10T05:41:02.5+99:00",
        ])
    func notATime(text: String) {
        #expect(CivilTime.timestamp(rfc3339: text) == nil)
    }
}
