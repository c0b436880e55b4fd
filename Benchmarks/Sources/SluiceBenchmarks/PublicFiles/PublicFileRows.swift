import Foundation
import SluiceJSON

/// A library that encodes and decodes Codable models, beside which ours is measured.
protocol JSONPeer {
    var name: String { get }
    func decode<Model: Decodable>(_ model: Model.Type, from data: Data) throws -> Model
    func encode(_ value: some Encodable) throws -> Data
}

struct FoundationPeer: JSONPeer {
    let name = "Foundation"
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    func decode<Model: Decodable>(_ model: Model.Type, from data: Data) throws -> Model {
        try decoder.decode(model, from: data)
    }

    func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }
}

/// Rows of public files, or of their stand-ins, beside a peer.
///
/// - Throws: the error of a library that can't decode a file.
func publicFileRows(_ group: String, beside peer: some JSONPeer) throws -> [Row] {
    func rows<Model: Codable>(_ file: PublicFile, _ model: Model.Type) throws -> [Row] {
        let data = file.data
        let (decoder, encoder) = (SluiceJSONDecoder(), SluiceJSONEncoder())
        let value = try decoder.decode(Model.self, from: data)
        _ = try peer.decode(Model.self, from: data)
        func row(_ work: String, _ theirs: @escaping () -> Void, _ ours: @escaping () -> Void) -> Row {
            Row(
                group: group,
                name: "\(work) \(file.rawValue)",
                bytes: data.count,
                peers: [Peer(name: peer.name, run: theirs), Peer(name: "Sluice", run: ours)]
            )
        }
        return [
            row("decode", { keep(try? peer.decode(Model.self, from: data)) }) {
                keep(try? decoder.decode(Model.self, from: data))
            },
            row("encode", { keep(try? peer.encode(value)) }) { keep(try? encoder.encode(value)) },
        ]
    }
    return try PublicFile.allCases.flatMap { try rows($0, $0.model) }
}
