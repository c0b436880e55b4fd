import Foundation
import ReerJSON
import SluiceJSON
import yyjson

/// Rows of the public files beside the libraries that are built on C: ReerJSON for models, yyjson's reader for the tape.
func peerRows() throws -> [Row] {
    func rows<Model: Codable>(_ file: PublicFile, _ model: Model.Type) throws -> [Row] {
        let data = file.data
        let value = try JSONDecoder().decode(Model.self, from: data)
        let (decoder, encoder) = (SluiceJSONDecoder(), SluiceJSONEncoder())
        let (peerDecoder, peerEncoder) = (ReerJSONDecoder(), ReerJSONEncoder())
        _ = try peerDecoder.decode(Model.self, from: data)
        return [
            Row(
                group: "peers",
                name: "decode \(file.rawValue)",
                bytes: data.count,
                peers: [
                    Peer(name: "ReerJSON") { keep(try? peerDecoder.decode(Model.self, from: data)) },
                    Peer(name: "Sluice") { keep(try? decoder.decode(Model.self, from: data)) },
                ]
            ),
            Row(
                group: "peers",
                name: "encode \(file.rawValue)",
                bytes: data.count,
                peers: [
                    Peer(name: "ReerJSON") { keep(try? peerEncoder.encode(value)) },
                    Peer(name: "Sluice") { keep(try? encoder.encode(value)) },
                ]
            ),
            Row(
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
            ),
        ]
    }
    return try PublicFile.allCases.flatMap { try rows($0, $0.model) }
}
