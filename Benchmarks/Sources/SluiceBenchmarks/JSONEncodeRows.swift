import Foundation
import SluiceJSON

private func encodeRow<T: Codable>(_ name: String, _ value: T) -> Row {
    let foundation = JSONEncoder()
    let ours = SluiceJSONEncoder()
    return Row(
        group: "json-encode",
        name: name,
        bytes: (try? ours.encode(value).count) ?? 0,
        peers: [
            Peer(name: "Foundation") { keep(try? foundation.encode(value)) },
            Peer(name: "Sluice") { keep(try? ours.encode(value)) },
        ]
    )
}

private func directRow<T: Codable, D: JSONConvertible>(_ name: String, _ value: T, _ direct: D) -> Row {
    let foundation = JSONEncoder()
    return Row(
        group: "json-direct",
        name: "encode \(name)",
        bytes: (try? foundation.encode(value).count) ?? 0,
        peers: [
            Peer(name: "Foundation") { keep(try? foundation.encode(value)) },
            Peer(name: "Sluice") {
                var writer = JSONWriter()
                writer.value(direct)
                keep(writer.bytes)
            },
        ]
    )
}

private func valueRow<T: Codable>(_ name: String, _ value: T) -> Row {
    let data = (try? SluiceJSONEncoder().encode(value)) ?? Data()
    let foundation = try? JSONSerialization.jsonObject(with: data)
    let ours = try? JSON(parsing: data)
    return Row(
        group: "json-value",
        name: "write \(name)",
        bytes: data.count,
        peers: [
            Peer(name: "Foundation") { keep(foundation.flatMap { try? JSONSerialization.data(withJSONObject: $0) }) },
            Peer(name: "Sluice") { keep(ours?.bytes()) },
        ]
    )
}

func jsonEncodeRows() -> [Row] {
    [
        encodeRow("structs 1 KB", Samples.items1K),
        encodeRow("structs 100 KB", Samples.items100K),
        encodeRow("structs 1 MB", Samples.items1M),
        encodeRow("pairs x 10000", Samples.pairs),
        encodeRow("enums x 10000", Samples.steps),
        encodeRow("deep object", Samples.deep),
        encodeRow("escapes", Samples.escapes),
        encodeRow("long ASCII", Samples.ascii),
        encodeRow("Unicode", Samples.unicode),
        encodeRow("long doubles", Samples.doubles),
        encodeRow("short doubles", Samples.shortDoubles),
        encodeRow("integers", Samples.integers),
        directRow("structs 1 MB", Samples.items1M, Samples.items1M.map(DirectItem.init)),
        directRow("pairs x 10000", Samples.pairs, Samples.pairs.map { DirectPair(a: $0.a, b: $0.b) }),
        directRow("enums x 10000", Samples.steps, Samples.steps.map(DirectStep.init)),
        valueRow("structs 1 MB", Samples.items1M),
    ]
}
