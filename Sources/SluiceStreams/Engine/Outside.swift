import SluiceExpressions
import SluiceJSON

/// A source of the outside world that a stream asks for: its name, and what the document says of it.
struct Outside: Sendable {
    let name: String
    let arguments: JSON
}

/// Where a source of the outside world puts what it gives; used on the driver's turn alone.
struct Inlet {
    let sink: Sink<CELValue>
}
