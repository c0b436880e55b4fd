/// How a stream ends.
public enum StreamEnd: Sendable {
    /// All values have been passed on.
    case completed
    /// It failed.
    case failed(any Error)
}

/// Where the values of one subscription go.
///
/// Whoever feeds it calls ``receive`` any number of times and ``finish(_:)`` at most once, and looks at the lifetime
/// before each value that it gives without having been called or woken.
@usableFromInline struct Sink<Value> {
    /// Takes a value.
    @usableFromInline let receive: (Value) -> Void
    /// Takes the end; called by ``finish(_:)`` alone, or by a sink of the same lifetime.
    @usableFromInline let end: (StreamEnd) -> Void
    /// The lifetime of the subscription.
    @usableFromInline let lifetime: Lifetime

    @inlinable init(
        lifetime: Lifetime,
        end: @escaping (StreamEnd) -> Void,
        receive: @escaping (Value) -> Void
    ) {
        self.lifetime = lifetime
        self.end = end
        self.receive = receive
    }

    /// Whether nothing is wanted any more.
    @inlinable var isClosed: Bool { lifetime.isClosed }

    /// Delivers the end, unless there was one, and closes the subscription.
    @inlinable func finish(_ ending: StreamEnd) {
        guard lifetime.beginEnding() else { return }
        end(ending)
        lifetime.close()
    }

    /// A sink of the same lifetime that treats values otherwise: for operators that end when their input does.
    @inlinable func receiving<Input>(_ receive: @escaping (Input) -> Void) -> Sink<Input> {
        Sink<Input>(lifetime: lifetime, end: end, receive: receive)
    }
}
