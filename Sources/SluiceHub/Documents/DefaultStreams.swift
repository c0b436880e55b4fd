import Foundation
import SluiceStore
import SluiceStreams

/// The streams of the seed's program, which an empty store begins with.
enum DefaultStreams {
    /// 1 2 3 4 a second apart, and A B C D two seconds apart.
    static func make() throws -> [StreamDraft] {
        [
            try stored("Serial Stream A", (1...4).map { StreamItem(value: $0, operators: [.delay(seconds: 1)]) }),
            try stored(
                "Serial Stream B",
                ["A", "B", "C", "D"].map { StreamItem(value: $0, operators: [.delay(seconds: 2)]) }
            ),
        ]
    }

    private static func stored<Value: Codable>(_ name: String, _ items: [StreamItem<Value>]) throws -> StreamDraft {
        let model = StreamModel(name: name, stream: items, isDefault: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(model), as: UTF8.self)
        return StreamDraft(id: model.id.uuidString, name: name, text: text)
    }
}
