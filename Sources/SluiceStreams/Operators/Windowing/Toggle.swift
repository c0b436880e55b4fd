import SluiceExpressions
import SluiceJSON

/// Parts of a stream that another stream opens, each until a stream that is started for the opening emits a value.
struct Toggle<Opening, Signal>: Sendable {
    private let openings: Flow<Opening>
    private let start: @Sendable (Scope, Opening, Sink<Signal>) throws -> Void

    init(
        _ openings: Flow<Opening>,
        _ start: @escaping @Sendable (Scope, Opening, Sink<Signal>) throws -> Void
    ) {
        (self.openings, self.start) = (openings, start)
    }

    /// Subscribes to the openings for as long as `lifetime` is open.
    ///
    /// - Parameters:
    ///   - opened: A closure that is called with the number of a part that opens, from 1.
    ///   - closed: A closure that is called with the number of a part that closes.
    ///   - failed: A closure that is called with the error of the openings, or of a started stream.
    func subscribe(
        _ scope: Scope,
        _ lifetime: Lifetime,
        opened: @escaping (Int) -> Void,
        closed: @escaping (Int) -> Void,
        failed: @escaping (StreamEnd) -> Void
    ) {
        let count = scope.cell(0, "opened")
        func begin(_ item: ToggleItem<Opening>, _ inner: Scope, _ own: Lifetime) {
            let signaled = Sink<Signal>(
                lifetime: own,
                end: { end in if case .failed = end { failed(end) } },
                receive: { _ in
                    closed(item.id)
                    own.close()
                }
            )
            do { try start(inner, item.opening, signaled) } catch { failed(.failed(error)) }
        }
        for (item, inner) in scope.restored(ToggleItem<Opening>.self, where: ToggleItem<Opening>.isSaved) {
            let own = lifetime.child()
            begin(item, inner(own), own)
        }
        let input = Sink<Opening>(
            lifetime: lifetime.child(),
            end: { end in if case .failed = end { failed(end) } },
            receive: { opening in
                guard scope.run.spend() else { return }
                count.state += 1
                let item = ToggleItem(id: count.state, opening: opening)
                opened(item.id)
                guard !lifetime.isClosed else { return }
                let own = lifetime.child()
                begin(item, scope.begin(for: item, own), own)
            }
        )
        openings.subscribe(scope, input)
    }
}

/// A part for which a closing stream was started: its number, and the value that opened it.
private struct ToggleItem<Opening> {
    let id: Int
    let opening: Opening

    /// Returns a Boolean value that indicates whether a saved value is such an item.
    static func isSaved(_ json: JSON) -> Bool { if case .object = json { true } else { false } }
}

extension ToggleItem: Savable where Opening: Savable {
    init(saved json: JSON) throws {
        guard let id = json["part"], let opening = json["opening"] else { throw StreamError.unreadable("a part", json) }
        self.init(id: try Int(saved: id), opening: try Opening(saved: opening))
    }

    var saved: JSON { ["part": id.saved, "opening": opening.saved] }
}

extension Stage {
    /// Returns the parts that `source` opens, each until the stream of `until` emits a value; its expressions see the
    /// value that opened the part as `a`.
    func toggle() -> Toggle<CELValue, CELValue> {
        let openings = source()
        let closing = source("until", for: ("a", openings.item)).flow
        return Toggle(openings.flow) { scope, opening, sink in closing.subscribe(scope.inside(opening), sink) }
    }
}
