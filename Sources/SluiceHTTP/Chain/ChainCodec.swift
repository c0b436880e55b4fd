public import Sluice

/// What makes one kind of chain differ from another: how its input becomes a request, and an answer its output.
///
/// Chains for JSON, forms, multipart forms and plain data are the same stages under another codec.
///
/// ```swift
/// let text = ChainCodec<String, String>(
///     "text",
///     prepare: { TransportRequest(.post, URL(string: "http://example.com/echo")!, body: .bytes(Array($0.utf8))) },
///     read: { response, _ in String(decoding: response.body.bytes ?? [], as: UTF8.self) }
/// )
/// let echo = text.andThen(HTTPTransport())
/// ```
public struct ChainCodec<Input: Sendable, Output: Sendable>: Filter, CustomStringConvertible {
    /// What it takes.
    public typealias RequestIn = Input
    /// What it answers.
    public typealias ResponseOut = Output
    /// What it calls the next stage with.
    public typealias RequestOut = TransportRequest
    /// What the next stage answers.
    public typealias ResponseIn = TransportResponse

    let name: String
    let prepare: @Sendable (Input) async throws -> TransportRequest
    let read: @Sendable (TransportResponse, TransportRequest) throws -> Output
    /// How long a body may be that the codec gathers itself, where no stage did; `nil` leaves it streamed.
    let limit: Int?

    /// Makes a codec.
    ///
    /// - Parameters:
    ///   - name: what the stage is called.
    ///   - limit: how many bytes a body may have; `nil` hands over bodies that are still to come.
    ///   - prepare: called once for each call, first.
    ///   - read: called once for each answer, with the request that it is the answer to.
    public init(
        _ name: String,
        limit: Int? = 64 << 20,
        prepare: @escaping @Sendable (Input) async throws -> TransportRequest,
        read: @escaping @Sendable (TransportResponse, TransportRequest) throws -> Output
    ) {
        self.name = name
        self.limit = limit
        self.prepare = prepare
        self.read = read
    }

    /// Makes a request of `input`, calls `next`, and reads its answer.
    ///
    /// - Throws: what the two closures throw, and `next`; ``HTTPError`` when the body is too long.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ input: Input,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> Output {
        let request = try await prepare(input)
        try Task.checkCancellation()
        var response = try await next.process(request)
        if let limit, response.body.bytes == nil { response = try await response.whole(upTo: limit, for: request) }
        return try read(response, request)
    }

    /// The same codec with another output, made of the answer and what was read of it.
    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (TransportResponse, Output) -> Other
    ) -> ChainCodec<Input, Other> {
        ChainCodec<Input, Other>(name, limit: limit, prepare: prepare) { [read] response, request in
            transform(response, try read(response, request))
        }
    }

    /// Its name.
    public var description: String { name }
}

extension TransportResponse {
    /// The answer with its body in memory; a body that is too long is an error of the call.
    nonisolated(nonsending) func whole(upTo limit: Int, for request: TransportRequest) async throws -> TransportResponse
    {
        do { return try await whole(upTo: limit) } catch let error as ByteStreamError {
            let code: HTTPError.Code = error == .alreadyRead ? .badBody : .bodyTooLarge
            throw HTTPError(
                code,
                "\(error)",
                request: request,
                response: TransportResponse(status: status, headers: headers)
            )
        }
    }
}
