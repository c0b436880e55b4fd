@testable import SluiceExpressions

/// Values that functions have much to do with, the smallest first.
enum CostArguments {
    private static func repeated(_ text: String, _ count: Int) -> CELValue {
        .string(String(repeating: text, count: count))
    }

    private static let texts: [CELValue] = [
        "a", repeated("ab", 500), repeated("a", 1_000_000), repeated("é", 500), repeated("\u{10400}", 200_000),
        repeated("\u{301}", 1000), repeated("\"\n", 500), repeated(" ", 1000), repeated("\u{2003}", 1000), "",
    ]

    /// Texts for the functions that read them in a way of their own.
    private static let special: [String: [[CELValue]]] = [
        "timestamp": [
            ["2024-01-01T00:00:00Z", .string("2024-01-01T00:00:00." + String(repeating: "1", count: 900_000) + "Z")]
        ],
        "duration": [["1h1m1s", repeated("1h1m1s1ms1us1ns", 60), repeated("0.1s", 100_000), repeated("1", 100)]],
        "int": [["123", repeated("0", 1_000_000)]], "uint": [["123", repeated("0", 1_000_000)]],
        "double": [
            [
                "1.5", repeated("1", 300), .string("1." + String(repeating: "1", count: 1000)),
                repeated("1", 1_000_000),
                "2.2250738585072012e-308",
            ]
        ],
        "bool": [["true", "nope"]],
        "ip": [["192.168.0.1", "2001:db8:0:0:1:0:0:1", repeated(":", 39), repeated(".", 1_000_000)]],
        "isIP": [["192.168.0.1", "2001:db8:1:2:3:4:5:6", repeated(":", 39), repeated("1.", 500_000)]],
        "ip.isCanonical": [["192.168.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8::1"]],
        "cidr": [["192.168.0.0/24", "2001:db8:1:2:3:4:5:6/64", repeated("/", 1_000_000)]],
        "isCIDR": [["192.168.0.0/24", "2001:db8:1:2:3:4:5:6/64", repeated("/", 1_000_000)]],
        "containsIP": [[], ["192.168.0.1", "2001:db8:1:2:3:4:5:6"]],
        "containsCIDR": [[], ["192.168.0.0/24", "2001:db8:1:2:3:4:5:6/64"]],
        "matches": [
            ["a", repeated("a", 100), repeated("a", 100_000), repeated("é", 1000)],
            [
                "a", "(a|aa)*b", "(a?){100}a{100}", "(?i)[^\\pL]*k", repeated("(?i)k", 1000), repeated("(", 40),
                "(x+x+)+y",
                repeated("[a-c\\pN]", 600), ".{1000}b",
            ],
        ],
        "format": [
            [
                "%s", "%d", "%.1000f", "%x", "%s%s%s%s", repeated("%s", 100), repeated("a", 100_000),
                repeated("%%", 1000), "%q", "%b",
            ],
            [
                [1], [1.5], [1e308], ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"], .list([texts[1]]),
                .list([.list(Array(repeating: 1.5, count: 1000))]), .list([map(1000)]), .list([.timestamp(time)]),
                .list(Array(repeating: .double(1e300), count: 100)), .list([texts[2]]),
                .list([.bytes(Array(repeating: 7, count: 100_000))]),
            ],
        ],
        "base64.decode": [["QUJD", repeated("QUJD", 250), repeated("QUJD", 250_000), repeated("!", 1000)]],
        "regex.replace": [
            ["a", repeated("a", 100), repeated("a", 10_000)],
            ["a", "(a)(b)?", "x*", "(a(.*b)?)", "(((((((a)))))))", "a"],
            ["b", "\\1\\1", repeated("\\\\0", 1000), repeated("b", 1000), repeated("\\1", 100)],
        ],
    ]

    private static let time = CELTimestamp("2024-07-01T12:00:00Z") ?? .zero
    private static let zones: [CELValue] = [
        "+01:00", "Europe/Berlin", "America/St_Johns", "Nowhere/Land", "UTC", repeated("+", 1_000_000),
        repeated(":", 1_000_000),
        repeated("A", 64),
    ]

    static let numbers: CELValue = .list((0..<1000).map { .int($0) })

    static func map(_ count: Int) -> CELValue {
        CELMap((0..<count).map { (.string("key\($0)"), .int(Int64($0))) }).map(CELValue.map) ?? .null
    }

    private static let lists: [CELValue] = [
        [1], .list((0..<1000).map { .int($0) }), .list((0..<100_000).map { .int($0) }),
        .list((0..<1000).map { .string("text \($0)") }), .list(Array(repeating: texts[1], count: 1000)),
        .list((0..<300).map { .list([.int($0), 1]) }), .list((0..<1000).map { .double(Double($0) + 0.5) }),
        .list((0..<300).map { .string(String(repeating: "a", count: 3000) + "\($0)") }),
        .list(Array(repeating: map(20), count: 50)), .list((0..<1000).map { .optional(.int($0)) }), [],
    ]
    private static let maps: [CELValue] = [
        ["a": 1], map(8), map(1000), map(100_000),
        .map(CELMap((0..<300).map { (.string(String(repeating: "a", count: 3000) + "\($0)"), .int(1)) }) ?? CELMap()),
    ]

    static func candidates(_ overload: Overload, _ position: Int) -> [CELValue] {
        let type = overload.parameters[position]
        let special = special[overload.name.hasPrefix("regex.extract") ? "matches" : overload.name] ?? []
        if type == .string || type == .list(.dyn), position < special.count, !special[position].isEmpty {
            return special[position]
        }
        if overload.name.hasPrefix("get"), position == 1 { return zones }
        switch type {
        case .string: return texts
        case .bytes:
            return [
                .bytes([1]), .bytes(Array(repeating: 65, count: 1000)), .bytes(Array(repeating: 65, count: 1_000_000)),
            ]
        case .bool: return [true, false]
        case .int: return [1, 0, .int(.max), .int(.min), 500, -1]
        case .uint: return [.uint(1), .uint(.max), .uint(0)]
        case .double: return [1.5, 1e300, .double(.nan), 2, .double(.leastNonzeroMagnitude)]
        case .timestamp: return [.timestamp(time)]
        case .duration: return [.duration(CELDuration(nanoseconds: 1_234_567_890))]
        case .address:
            return [CELAddress("1.2.3.4"), CELAddress("2001:db8:1:2:3:4:5:6")].map { $0.map(CELValue.address) ?? .null }
        case .network:
            return [CELNetwork("1.2.3.0/24"), CELNetwork("2001:db8::/64")].map { $0.map(CELValue.network) ?? .null }
        case .list(.list): return [.list([[1]]), .list((0..<1000).map { .list([.int($0)]) }), .list([lists[2]])]
        case .list(.string): return [["a"], lists[3], .list(Array(repeating: "", count: 100_000)), lists[4]]
        case .list(.optional):
            return [.list([.optional(1)]), lists[9], .list(Array(repeating: .optional(nil), count: 100_000))]
        case .list: return lists
        case .map: return maps
        case .optional: return [.optional(1), .optional(nil), .optional(lists[2])]
        case .null: return [.null]
        default:
            return [
                1, lists[1], texts[2], maps[2], lists[5], maps[4], 1.5, lists[4], .null,
                .bytes(Array(repeating: 1, count: 1000)), lists[2],
            ]
        }
    }
}
