#if HTTP
import Foundation
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceStreams

/// The filter stack of a source, as it is at each attempt: an edit of a stack that is named reaches a source that runs.
struct SourceStack: Sendable {
    /// The stack of the last attempt.
    private final class Last: Sendable {
        let stack: Locked<ConnectorStack>

        init(_ stack: ConnectorStack) { self.stack = Locked(stack) }
    }

    private let id: String?
    private let use: ConnectorStack.Use
    private let named: NamedStacks
    private let last: Last

    /// Reads the stack in the arguments of a source; `nil` without one.
    ///
    /// - Throws: `JSONErrors` if it is invalid; `StreamError` if no stack has its id. The check of the document has
    ///   found both.
    init?(
        of arguments: JSON,
        _ use: ConnectorStack.Use,
        for inlet: StreamInlet<JSON>,
        reading read: (JSON) throws -> ConnectorStack
    ) throws {
        guard let json = arguments["stack"] else { return nil }
        (id, self.use, named) = (json.string, use, inlet.stacks)
        if let id {
            guard let stack = try named.stack(id, of: use) else {
                throw StreamError(message: "there is no stack \(JSON.string(id))")
            }
            last = Last(stack)
        } else {
            last = Last(try read(json))
        }
    }

    /// The stack as it is now. One that is gone, or can't be used any more, remains as it was.
    var now: ConnectorStack {
        guard let id, let stack = try? named.stack(id, of: use) else { return last.stack.withLock { $0 } }
        last.stack.withLock { $0 = stack }
        return stack
    }
}
#endif
