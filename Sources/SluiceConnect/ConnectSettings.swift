#if HTTP
import SluiceHTTP
import SluiceJSON
public import SluiceStreams

/// The part of the outside world that streams may reach.
///
/// ```swift
/// var settings = ConnectSettings()
/// settings.allowedHosts = [try AllowedHost("api.example.com")]
/// settings.filesFolder = "/var/lib/streams"
/// let host = settings.host()
/// print(host.names)  // ["events", "lines", "poll", "request", "subject"]
/// ```
public struct ConnectSettings: Sendable {
    /// The hosts that streams may reach over HTTP; none by default.
    public var allowedHosts: [AllowedHost] = []
    /// The path of the folder whose files streams may read, and write with the sink `lines`; `nil` for none.
    public var filesFolder: String?
    /// The secrets that documents may name.
    public var secrets = Secrets()
    /// The resolver of the names of hosts.
    package var resolver = Resolver.system

    /// Creates settings that allow nothing.
    public init() {}

    /// Returns a host with the connectors of this module, within the limits of these settings.
    ///
    /// - Parameters:
    ///   - host: The sources that the program has registered. They take precedence over connectors of the same name.
    ///   - clock: The clock of intervals and of waits after failures.
    public func host(adding host: StreamHost = StreamHost(), clock: any Clock<Duration> = .continuous) -> StreamHost {
        var host = host
        let taken = Set(host.names)
        // Connections are pooled by host, so that the calls of one stream share them.
        let egress = Egress(allowedHosts, resolver: resolver, body: .whole(upTo: PollSource.longest))
        let stacks = SourceStacks(clock: clock)
        if !taken.contains("poll") {
            let source = PollSource(egress: egress, clock: clock, secrets: secrets, stacks: stacks)
            // The pages of a poll have positions.
            host.register("poll", hasPositions: { $0["paging"] != nil }, source.feed)
        }
        if !taken.contains("request") {
            host.register(
                "request",
                hasPositions: true,
                RequestSource(egress: egress, clock: clock, secrets: secrets, stacks: stacks).feed
            )
        }
        if !taken.contains("events") {
            let egress = Egress(allowedHosts, resolver: resolver, body: .streamed)
            let source = EventsSource(egress: egress, clock: clock, secrets: secrets)
            host.register("events", hasPositions: true, source.feed)
        }
        if !taken.contains("subject") {
            host.register("subject") { _, _ in throw StreamError(message: Self.missingNATS) }
        }
        registerSinks(in: &host, clock: clock)
        guard !taken.contains("lines") else { return host }
        if let filesFolder {
            host.registerLines(within: filesFolder, clock: clock)
        } else {
            host.register("lines") { _, _ in
                throw StreamError(message: "no files may be read here: --files FOLDER allows those of a folder")
            }
        }
        return host
    }

    /// The error of the source `subject` and the sink `publish` where a program has not registered them.
    private static let missingNATS =
        "no NATS is connected here: sluice serve and sluice work read it with --nats URL, in a build with the trait NATS"

    /// Registers the sinks of this module, unless the program has receivers of their names.
    private func registerSinks(in host: inout StreamHost, clock: any Clock<Duration>) {
        if host.receiver("post") == nil {
            // Answers are short, and read only for errors.
            let egress = Egress(allowedHosts, resolver: resolver, body: .streamed, decompression: .off)
            host.registerSink("post", PostSink(egress: egress, clock: clock, secrets: secrets).deliver)
        }
        if host.receiver("publish") == nil {
            host.registerSink("publish") { _ in throw SinkRefusalError(Self.missingNATS) }
        }
        guard host.receiver("lines") == nil else { return }
        if let filesFolder {
            host.registerSink("lines", LinesSink(filesFolder).deliver)
        } else {
            host.registerSink("lines") { _ in
                throw SinkRefusalError("no files may be written here: --files FOLDER allows those of a folder")
            }
        }
    }
}
#endif
