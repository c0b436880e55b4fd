import Foundation
import SluiceJSON

/// Rows of public files, or of their stand-ins, beside Foundation.
func publicFileRows() throws -> [Row] {
    func rows<Model: Codable>(_ file: PublicFile, _ model: Model.Type) throws -> [Row] {
        let data = file.data
        let value = try JSONDecoder().decode(Model.self, from: data)
        let (foundation, ours) = (JSONDecoder(), SluiceJSONDecoder())
        let (foundationEncoder, encoder) = (JSONEncoder(), SluiceJSONEncoder())
        return [
            Row(
                group: "json-files",
                name: "decode \(file.rawValue)",
                bytes: data.count,
                peers: [
                    Peer(name: "Foundation") { keep(try? foundation.decode(Model.self, from: data)) },
                    Peer(name: "Sluice") { keep(try? ours.decode(Model.self, from: data)) },
                ]
            ),
            Row(
                group: "json-files",
                name: "encode \(file.rawValue)",
                bytes: data.count,
                peers: [
                    Peer(name: "Foundation") { keep(try? foundationEncoder.encode(value)) },
                    Peer(name: "Sluice") { keep(try? encoder.encode(value)) },
                ]
            ),
        ]
    }
    return try PublicFile.allCases.flatMap { try rows($0, $0.model) }
}
