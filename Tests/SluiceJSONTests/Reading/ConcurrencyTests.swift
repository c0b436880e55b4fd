import SluiceJSON
import Testing

/// One document, one decoder and one encoder, used by many tasks at once; run it under the thread sanitizer.
struct ConcurrencyTests {
    struct Point: Codable, Equatable {
        var x: Int
        var tags: [String]
    }

    @Test func everythingIsSharedFreely() async throws {
        let text =
            "[\n" + (0..<200).map { "{\"x\":\($0),\"tags\":[\"a\\n\(String($0))\"]}" }.joined(separator: ",\n") + "]"
        let document = try JSONDocument(parsing: text)
        let decoder = SluiceJSONDecoder()
        let encoder = SluiceJSONEncoder()
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for index in stride(from: task, to: 200, by: 7) {
                        guard let node = document.root[index], node.position.line == index + 2,
                            node["x"]?.path == [.index(index), "x"],
                            let point = try? decoder.decode(Point.self, from: node),
                            point == Point(x: index, tags: ["a\n\(index)"]),
                            let bytes = try? encoder.bytes(point), node.source == bytes
                        else { return false }
                    }
                    return true
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
