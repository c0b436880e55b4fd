import Foundation
import SluiceJSON

private func decodeRow<T: Codable>(_ name: String, _ value: T) -> Row {
    // Sorted is no help to anybody, but the same for all.
    let data = (try? SluiceJSONEncoder().encode(value)) ?? Data()
    let foundation = JSONDecoder()
    let ours = SluiceJSONDecoder()
    return Row(
        group: "json-decode",
        name: name,
        bytes: data.count,
        peers: [
            Peer(name: "Foundation") { keep(try? foundation.decode(T.self, from: data)) },
            Peer(name: "Sluice") { keep(try? ours.decode(T.self, from: data)) },
        ]
    )
}

private func directRow<T: Codable, D: JSONConvertible>(_ name: String, _ value: T, _ type: D.Type) -> Row {
    let data = (try? SluiceJSONEncoder().encode(value)) ?? Data()
    let foundation = JSONDecoder()
    return Row(
        group: "json-direct",
        name: "decode \(name)",
        bytes: data.count,
        peers: [
            Peer(name: "Foundation") { keep(try? foundation.decode(T.self, from: data)) },
            Peer(name: "Sluice") { keep(try? D(parsing: data)) },
        ]
    )
}

private func valueRow<T: Codable>(_ name: String, _ value: T) -> Row {
    let data = (try? SluiceJSONEncoder().encode(value)) ?? Data()
    return Row(
        group: "json-value",
        name: "parse \(name)",
        bytes: data.count,
        peers: [
            Peer(name: "Foundation") {
                keep(try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed]))
            },
            Peer(name: "Sluice") { keep(try? JSON(parsing: data)) },
            Peer(name: "tape alone") { keep(try? JSONDocument(parsing: data)) },
        ]
    )
}

enum Samples {
    static let items1K = (0..<10).map(Item.sample)
    static let items100K = (0..<1000).map(Item.sample)
    static let items1M = (0..<9500).map(Item.sample)
    static let pairs = (0..<10_000).map { Pair(a: $0, b: $0 * 7) }
    static let steps = (0..<10_000).map(Step.sample)
    static let deep = Level.sample(200)
    static let escapes = (0..<2000).map { "line \($0)\n\t\"quoted\" and a \\ backslash, \u{1} control" }
    static let ascii = (0..<500).map {
        "\($0) " + String(repeating: "the quick brown fox jumps over the lazy dog ", count: 10)
    }
    static let unicode = (0..<1000).map { "\($0) Zürich, Ørsted, 漢字かな交じり文, 😀 und mehr Text danach" }
    static let doubles: [Double] = (0..<10_000).map { (index: Int) -> Double in
        let unit: Double = index % 2 == 0 ? 1e-3 : 1e9
        return Double.pi * Double(index + 1) * unit
    }
    static let shortDoubles: [Double] = (0..<10_000).map { Double($0) / 8 }
    static let integers: [Int] = (0..<10_000).map { $0 &* 7_919_000_017 }
}

func jsonDecodeRows() -> [Row] {
    [
        decodeRow("structs 1 KB", Samples.items1K),
        decodeRow("structs 100 KB", Samples.items100K),
        decodeRow("structs 1 MB", Samples.items1M),
        decodeRow("pairs x 10000", Samples.pairs),
        decodeRow("enums x 10000", Samples.steps),
        decodeRow("deep object", Samples.deep),
        decodeRow("escapes", Samples.escapes),
        decodeRow("long ASCII", Samples.ascii),
        decodeRow("Unicode", Samples.unicode),
        decodeRow("long doubles", Samples.doubles),
        decodeRow("short doubles", Samples.shortDoubles),
        decodeRow("integers", Samples.integers),
        directRow("structs 1 KB", Samples.items1K, [DirectItem].self),
        directRow("structs 1 MB", Samples.items1M, [DirectItem].self),
        directRow("pairs x 10000", Samples.pairs, [DirectPair].self),
        directRow("enums x 10000", Samples.steps, [DirectStep].self),
        valueRow("structs 1 KB", Samples.items1K),
        valueRow("structs 1 MB", Samples.items1M),
        valueRow("pairs x 10000", Samples.pairs),
        valueRow("escapes", Samples.escapes),
        valueRow("long doubles", Samples.doubles),
    ]
}
