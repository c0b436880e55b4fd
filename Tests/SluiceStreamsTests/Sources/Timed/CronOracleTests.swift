import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// Due times in 20 zones, as croniter and zoneinfo compute them; see `Oracles/cron.py`.
@Suite struct CronOracleTests {
    /// The file of `cron.py --all`, where `SLUICE_CRON` names it.
    private static let complete = ProcessInfo.processInfo.environment["SLUICE_CRON"].map { URL(fileURLWithPath: $0) }

    private func lines(_ file: URL) throws -> [JSON] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test func everySampledTimeIsThatOfCroniter() throws {
        let cases = try lines(OracleFiles.samples.appending(path: "cron.sample.jsonl"))
        #expect(cases.count > 200)
        for line in cases {
            let cron = try #require(line["cron"]?.string)
            guard let zone = line["zone"]?.string else {
                #expect(throws: StreamError.self, "\(cron)") { try CronExpression(cron) }
                continue
            }
            let schedule = try ZonedSchedule(cron: cron, zone: zone)
            var time = Int64(try #require(line["start"]?.int))
            for expected in try #require(line["due"]?.array) {
                let next = try #require(schedule.next(after: time), "\(line)")
                #expect(next == expected.int.map(Int64.init), "\(cron) in \(zone) after \(time)")
                time = next
            }
        }
    }

    /// All due times of 30 years, by their number and a checksum.
    @Test(.enabled(if: complete != nil, "SLUICE_CRON names no file of cron.py --all"))
    func everyTimeOf30YearsIsThatOfCroniter() throws {
        var (passed, failed) = (0, 0)
        let cases = try lines(try #require(Self.complete))
        for line in cases {
            guard let zone = line["zone"]?.string else { continue }
            let schedule = try ZonedSchedule(cron: line["cron"]?.string ?? "", zone: zone)
            var (time, count, sum) = (Int64(line["start"]?.int ?? 0), 0, UInt64(0xCBF2_9CE4_8422_2325))
            let end = Int64(try #require(line["end"]?.int))
            while let next = schedule.next(after: time), next <= end {
                for byte in "\(next)\n".utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
                (time, count) = (next, count + 1)
            }
            let isRight = count == line["count"]?.int && sum == UInt64(line["sum"]?.string ?? "", radix: 16)
            (passed, failed) = (passed + (isRight ? 1 : 0), failed + (isRight ? 0 : 1))
            if !isRight { print("cron.jsonl failed: \(line), not \(count)") }
        }
        print("cron.jsonl: \(passed) passed, \(failed) failed")
        #expect(passed > 400 && failed == 0)
    }
}
