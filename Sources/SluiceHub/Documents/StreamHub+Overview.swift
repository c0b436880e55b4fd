#if Hub
import SluiceConnect
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

extension StreamHub {
    /// The most streams that an overview has.
    static let overviewStreams = 1000

    /// Returns what all streams are doing: what they lead to, their figures since the hub has taken them up, and their
    /// last outputs in short. Two overviews tell the rates of the time between them.
    ///
    /// - Parameter identity: The sender of the request, whose role is part of it.
    func overview(for identity: Identity) async -> JSON {
        var waiting: [String: (count: Int, isBlocked: Bool)] = [:]
        for sink in (await around.deliveries?.figures ?? []) + leasedSinks {
            waiting[sink.stream, default: (0, false)].count += sink.waiting
            if sink.isBlocked { waiting[sink.stream]?.isBlocked = true }
        }
        let streams = set.all.filter { !$0.isStack }
        let outputs = around.outputs.all
        var overview = JSON.Object()
        overview["time"] = .number(StreamTime(.nanoseconds(around.timer.now)))
        overview["subscribers"] = .int(Int64(subscriberCount))
        overview["others"] = .int(Int64(max(0, streams.count - Self.overviewStreams)))
        overview["role"] = .string(identity.role.rawValue)
        overview["name"] = identity.name.map(JSON.string)
        overview["hasSession"] = .bool(identity.session != nil)
        overview["hasWorkers"] = .bool(around.settings.workers != nil)
        overview["secrets"] = .array(around.settings.secrets.names.map(JSON.string))
        overview["streams"] = .array(
            streams.prefix(Self.overviewStreams).map { document in
                figures(of: document, outputs[document.id], waiting[document.id])
            }
        )
        return .object(overview)
    }

    /// The figures of the sinks of streams that members run.
    var leasedSinks: [SinkFigures] {
        leasedReports.values.flatMap { $0.sinks.map(\.figures) }
    }

    private func figures(
        of document: HubDocument,
        _ last: LastOutputs.Output?,
        _ sinks: (count: Int, isBlocked: Bool)?
    ) -> JSON {
        let status = around.bus.status(of: document.id)
        let state = status?.state ?? .idle
        var figures = JSON.Object()
        figures["id"] = .string(document.id)
        figures["state"] = .string((document.isBlocked && state == .idle ? .blocked : state).rawValue)
        figures["source"] = document.source.map(JSON.string)
        let targets = set.graph.targets(from: document.id).filter { set[$0].map { !$0.isStack } ?? false }
        figures["references"] = .array(targets.sorted().map(JSON.string))
        figures["subscriptions"] = .array(document.subscriptions.map(JSON.string))
        figures["sinks"] = .array(
            document.sinks.map { sink in
                var object = JSON.Object()
                object["id"] = sink.id.map(JSON.string)
                object["name"] = .string(sink.name)
                return .object(object)
            }
        )
        if let counts = runs[document.id]?.figures.counts ?? leasedReports[document.id]?.counts {
            figures["in"] = .int(Int64(counts.itemsIn))
            figures["out"] = .int(Int64(counts.itemsOut))
            figures["work"] = .double(Double(counts.turnTime) / 1e9)
            figures["stateSize"] = .int(Int64(counts.stateSize))
        }
        figures["lag"] = status?.lagSeconds.map { .number(max(0, $0)) }
        if let sinks {
            figures["waiting"] = .int(Int64(sinks.count))
            figures["isBlocked"] = .bool(sinks.isBlocked)
        }
        if let last { figures["last"] = ["value": .string(last.text), "time": .number(last.time)] }
        return .object(figures)
    }
}
#endif
