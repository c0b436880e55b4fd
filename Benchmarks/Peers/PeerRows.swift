import Foundation
import ReerJSON
import SluiceJSON
import yyjson

/// ReerJSON, which is built on yyjson.
struct ReerPeer: JSONPeer {
    let name = "ReerJSON"
    private let decoder = ReerJSONDecoder()
    private let encoder = ReerJSONEncoder()

    func decode<Model: Decodable>(_ model: Model.Type, from data: Data) throws -> Model {
        try decoder.decode(model, from: data)
    }

    func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }
}

/// Rows of the parse to the tape beside yyjson's reader.
func parseRows() -> [Row] {
    PublicFile.allCases.map { file in
        let data = file.data
        return Row(
            group: "peers",
            name: "parse \(file.rawValue)",
            bytes: data.count,
            peers: [
                Peer(name: "yyjson") {
                    data.withUnsafeBytes { bytes in
                        let text = bytes.assumingMemoryBound(to: CChar.self)
                        let document = yyjson_read(text.baseAddress, text.count, 0)
                        keep(document)
                        yyjson_doc_free(document)
                    }
                },
                Peer(name: "tape") { keep(try? JSONDocument(parsing: data)) },
            ]
        )
    }
}
