public import Foundation

/// A delivery that was given up: a person may inspect it, send it again, or drop it.
public struct StoredDeadLetter: Sendable, Hashable, Codable {
    /// The number, which the store assigns; 0 before it is stored.
    public package(set) var number: Int
    /// The id of the stream.
    public let stream: String
    /// The id of the sink.
    public let sink: String
    /// The place of the first output.
    public let place: OutputPlace
    /// The outputs as a JSON array.
    public let items: String
    /// The idempotency key of the last request.
    public package(set) var key: String
    /// The last request as JSON; `nil` where none could be made.
    public package(set) var request: String?
    /// The reason for which the delivery was given up.
    public package(set) var error: String
    /// The wall-clock time at which it was given up, to the millisecond.
    public let time: Date
    /// The number of requests that were made for the outputs, from 1.
    public package(set) var round: Int
    /// A Boolean value that indicates whether it is being sent again.
    public package(set) var isResending: Bool

    /// Creates a letter.
    public init(
        number: Int = 0,
        stream: String,
        sink: String,
        place: OutputPlace,
        items: String,
        key: String,
        request: String?,
        error: String,
        time: Date,
        round: Int = 1,
        isResending: Bool = false
    ) {
        (self.number, self.stream, self.sink, self.place) = (number, stream, sink, place)
        (self.items, self.key, self.request, self.error) = (items, key, request, error)
        (self.time, self.round, self.isResending) = (time, round, isResending)
    }
}
