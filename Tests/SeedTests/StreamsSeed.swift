#if HTTP && OpenCombine && SQLite && Server
// The samples of seeds/streams-as-data.md, in its order. Changes to the samples:
//
// - Where a sample defines what Sluice ships (StreamItem, StreamModel, Operator and its Codable extension,
//   applyPublisher, toPublisher()), Sluice's declaration stands for it, checked by use and by its JSON form.
// - Publishers fail with `any Error` where the samples have `Never`, and time is a test's clock where the samples have
//   `DispatchQueue.main`.
// - `CodingError.decoding` is a `DecodingError`.
// - The line break inside `let streamA` is mended.

import Foundation
import Sluice
import SluiceCombine
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

// MARK: - Créez votre StreamItem, Créez votre StreamModel, Créer une structure d'opérateur

private let streamA = (1...4).map {
    StreamItem(
        value: $0,
        operators: [.delay(seconds: 1)]
    )
}
private let serialStreamA = StreamModel(
    id: UUID(),
    name: "Serial Stream A",
    description: nil,
    stream: streamA
)

@Suite struct StreamsSeed {
    /// «struct StreamItem<T: Codable>: Codable», «struct StreamModel<T: Codable>: Codable, Identifiable»
    @Test func typesAreWhatTheTextSays() {
        func isCodable<T: Codable>(_: T) -> Bool { true }
        func isIdentifiable<T: Identifiable>(_: T) -> Bool where T.ID == UUID { true }
        #expect(isCodable(streamA[0]) && isCodable(serialStreamA) && isCodable(Operator.delay(seconds: 1)))
        #expect(isIdentifiable(serialStreamA))
        var copy = serialStreamA
        copy.id = UUID()
        copy.name = nil
        copy.description = "changed"
        copy.stream.append(StreamItem(value: 5, operators: []))
        copy.stream[0].operators.append(.delay(seconds: 2))
        #expect(copy != serialStreamA)
    }

    /// The seed's JSON form, as its own hand-written Codable extension gives it.
    @Test func operatorHasTheSeedsForm() throws {
        let data = try JSONEncoder().encode(Operator.delay(seconds: 1))
        #expect(String(decoding: data, as: UTF8.self) == #"{"delay":{"seconds":1}}"#)
        #expect(try JSONDecoder().decode(Operator.self, from: data) == .delay(seconds: 1))
    }

    @Test func modelHasTheSeedsForm() throws {
        let json = try JSON(parsing: JSONEncoder().encode(serialStreamA))
        #expect(
            json == [
                "id": .string(serialStreamA.id.uuidString), "name": "Serial Stream A",
                "stream": [
                    ["value": 1, "operators": [["delay": ["seconds": 1]]]],
                    ["value": 2, "operators": [["delay": ["seconds": 1]]]],
                    ["value": 3, "operators": [["delay": ["seconds": 1]]]],
                    ["value": 4, "operators": [["delay": ["seconds": 1]]]],
                ],
            ]
        )
        let back = try JSONDecoder().decode(StreamModel<Int>.self, from: JSONEncoder().encode(serialStreamA))
        #expect(back == serialStreamA)
    }

    /// «CodingError.decoding»: what is no known operator is an error, and not a crash or a loss.
    @Test(arguments: ["{}", #"{"unknown": {"seconds": 1}}"#, #"{"delay": {}}"#, #"{"delay": {"seconds": "1"}}"#, "[]"])
    func whatIsNoOperatorIsAnError(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Operator.self, from: Data(text.utf8)) }
    }

    /// «ce flux séquentiel, qui génère des valeurs de 1 à 4 avec un deuxième intervalle de retard»
    @Test func valuesComeASecondApart() async throws {
        let clock = TestClock()
        let start = clock.now
        let task = Task {
            var seen: [String] = []
            for try await value in serialStreamA.values(clock: clock) {
                seen.append("\(value) at \(start.duration(to: clock.now))")
            }
            return seen
        }
        for _ in 1...4 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        #expect(
            try await task.value == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds", "4 at 4.0 seconds"]
        )
    }

    /// «La valeur du flux doit être universelle pour s'adapter à tout type de valeur.»
    @Test func anyCodableValueWillDo() throws {
        struct Point: Codable, Hashable, Sendable { var x = 1, y = 2 }
        let model = StreamModel(stream: [StreamItem(value: Point(), operators: [.delay(seconds: 1)])])
        #expect(try JSONDecoder().decode(StreamModel<Point>.self, from: JSONEncoder().encode(model)) == model)
    }

    // MARK: - Flux de nombres

    /// «Just(value).delay(for: .seconds(1), scheduler: DispatchQueue.main)», «val1.append(val2).append(val3)…»
    @Test func streamOfNumbers() async {
        let val1 = StreamModel.values(1).delay(seconds: 1)
        let val2 = StreamModel.values(2).delay(seconds: 1)
        let val3 = StreamModel.values(3).delay(seconds: 1)
        let val4 = StreamModel.values(4).delay(seconds: 1)
        let publisher = val1.append(val2).append(val3).append(val4)
        #expect(publisher.virtualEvents().map(\.time.seconds) == [1, 2, 3, 4, 4])
        #expect(publisher.virtualEvents().compactMap(\.value) == [1, 2, 3, 4])
    }

    // MARK: - Convertir StreamModel en Publisher

    /// What a publisher gives, with the second at which it does.
    func received<Value: Sendable>(
        _ publisher: AnyPublisher<Value, any Error>,
        _ clock: TestClock,
        seconds: Int
    ) async -> [String] {
        let start = clock.now
        let seen = Locked<[String]>([])
        let subscription = publisher.sink(
            receiveCompletion: { completion in
                if case .finished = completion { seen.withLock { $0.append("finished") } }
            },
            receiveValue: { value in
                let second = start.duration(to: clock.now).components.seconds
                seen.withLock { $0.append("\(value) at \(second)") }
            }
        )
        for _ in 0..<seconds {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        while seen.withLock({ $0.last }) != "finished" { await Task.yield() }
        withExtendedLifetime(subscription) {}
        return seen.withLock { $0 }
    }

    /// «func applyPublisher<T>(_ publisher: AnyPublisher<T, Never>) -> AnyPublisher<T, Never>»
    @Test func operatorIsAppliedToAPublisher() async {
        let clock = TestClock()
        let just = Just(1).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        let late = Operator.delay(seconds: 1).applyPublisher(just, clock: clock)
        #expect(await received(late, clock, seconds: 1) == ["1 at 1", "finished"])
    }

    /// «self.operators.forEach { publisher = $0.applyPublisher(publisher) }»
    @Test func operatorsOfAnItemAreAppliedInTurn() async {
        let clock = TestClock()
        let item = StreamItem(value: 1, operators: [.delay(seconds: 1), .delay(seconds: 1)])
        var publisher = Just(item.value).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        item.operators.forEach { publisher = $0.applyPublisher(publisher, clock: clock) }
        #expect(await received(publisher, clock, seconds: 2) == ["1 at 2", "finished"])
    }

    /// «extension StreamItem { func toPublisher() -> AnyPublisher<T, Never>»
    @Test func itemIsAPublisher() async {
        let clock = TestClock()
        let publisher = streamA[0].toPublisher(clock: clock)
        #expect(await received(publisher, clock, seconds: 1) == ["1 at 1", "finished"])
    }

    /// «extension StreamModel { func toPublisher() -> AnyPublisher<T, Never>», «publisher?.append(intervalPublisher)»
    @Test func modelIsAPublisher() async {
        let clock = TestClock()
        let seen = await received(serialStreamA.toPublisher(clock: clock), clock, seconds: 4)
        #expect(seen == ["1 at 1", "2 at 2", "3 at 3", "4 at 4", "finished"])
    }

    /// «return publisher ?? Empty().eraseToAnyPublisher()»
    @Test func emptyModelIsAnEmptyPublisher() async {
        let publisher: AnyPublisher<Int, any Error> = StreamModel(stream: []).toPublisher()
        #expect(await received(publisher, TestClock(), seconds: 0) == ["finished"])
    }

    // MARK: - Visualisation, édition et visualisation à nouveau d'un flux

    /// «nous pouvons maintenant simplement modifier StreamModel, ajouter des StreamItem»
    @Test func anEditedModelRunsAsEdited() {
        var model = serialStreamA
        model.stream[1].operators = [.delay(seconds: 3)]
        model.stream.append(StreamItem(value: 5, operators: [.delay(seconds: 0.5)]))
        #expect(model.virtualEvents().map(\.time.seconds) == [1, 4, 5, 6, 6.5, 6.5])
    }
}
#endif
