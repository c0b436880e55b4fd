internal import Foundation

extension Library {
    /// The cost of a field of a timestamp in a time zone.
    static let zoneCost = 200

    /// Adds `timestamp`, `duration`, and their fields.
    mutating func addTimes() {
        function("timestamp", [.string], .timestamp, cost: .linearBeyond(10)) { values, _ throws(Fault) in
            guard let time = CELTimestamp(try values.string(0)) else {
                throw Fault(.invalidArgument, "\(try values.string(0).shortlyQuoted) is not a timestamp")
            }
            return .timestamp(time)
        }
        function("timestamp", [.int], .timestamp) { values, _ throws(Fault) in
            guard let time = CELTimestamp(seconds: try values.int(0)) else {
                throw Fault(.overflow, "the time is out of the range of a timestamp")
            }
            return .timestamp(time)
        }
        function("duration", [.string], .duration, cost: .linearBeyond(8)) { values, frame throws(Fault) in
            try frame.charge(try values.string(0).utf8.count / 2)
            guard let span = CELDuration(try values.string(0)) else {
                throw Fault(.invalidArgument, "\(try values.string(0).shortlyQuoted) is not a duration")
            }
            return .duration(span)
        }
        addField("getFullYear") { $0.year }
        addField("getMonth") { $0.month - 1 }
        addField("getDayOfYear") { $0.dayOfYear }
        addField("getDayOfMonth") { $0.day - 1 }
        addField("getDate") { $0.day }
        addField("getDayOfWeek") { $0.dayOfWeek }
        addField("getHours", of: 3_600_000_000_000) { $0.hour }
        addField("getMinutes", of: 60_000_000_000) { $0.minute }
        addField("getSeconds", of: 1_000_000_000) { $0.second }
        for parameters in [[CELType.timestamp], [.timestamp, .string]] {
            let cost = Overload.Cost.fixed(parameters.count == 2 ? Library.zoneCost : 0)
            member("getMilliseconds", parameters, .int, cost: cost) { values, _ throws(Fault) in
                if values.count == 2 { _ = try Library.offset(values[1], try values.timestamp(0)) }
                return .int(try values.timestamp(0).nanoseconds / 1_000_000)
            }
        }
        member("getMilliseconds", [.duration], .int) { values, _ throws(Fault) in
            .int(try values.duration(0).nanoseconds % 1_000_000_000 / 1_000_000)
        }
    }

    private mutating func addField(
        _ name: String,
        of span: Int64? = nil,
        _ field: @escaping @Sendable (CivilDate) -> Int64
    ) {
        member(name, [.timestamp], .int) { values, _ throws(Fault) in
            .int(field(CivilDate(secondsSince1970: try values.timestamp(0).seconds)))
        }
        member(name, [.timestamp, .string], .int, cost: .fixed(Library.zoneCost)) { values, _ throws(Fault) in
            let time = try values.timestamp(0)
            return .int(field(CivilDate(secondsSince1970: time.seconds + (try Library.offset(values[1], time)))))
        }
        if let span {
            member(name, [.duration], .int) { values, _ throws(Fault) in
                .int(try values.duration(0).nanoseconds / span)
            }
        }
    }

    /// Returns the offset of a time zone from UTC at a time, in seconds: `+01:00`, `-02:30`, `02:00`, or a name of the
    /// database.
    private static func offset(_ zone: CELValue, _ time: CELTimestamp) throws(Fault) -> Int64 {
        guard case .string(let name) = zone else { throw .noOverload("time zone", [zone]) }
        if name == "UTC" || name == "Z" { return 0 }
        // No zone has a longer name.
        if name.utf8.count <= 64 {
            if name.utf8.contains(UInt8(ascii: ":")) {
                var reader = DigitReader(bytes: Array((Lexer.isDigit(name.utf8.first ?? 0) ? "+" + name : name).utf8))
                if let offset = reader.offset(), reader.isAtEnd { return offset }
            } else if let zone = TimeZones.zone(named: name) {
                return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.seconds))))
            }
        }
        throw Fault(.invalidArgument, "\(name.shortlyQuoted) is not a time zone")
    }
}
