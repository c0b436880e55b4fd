#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns

/// The divisions of a group's streams into units, which the workers keep in a bucket and change together.
extension WorkerSession {
    /// Returns the key of a stream's division.
    static func layoutKey(_ group: String, _ stream: String) throws -> String {
        "layout.\(try BucketKey.token(group)).\(try BucketKey.token(stream))"
    }

    private func key(_ stream: String) throws -> String { try Self.layoutKey(settings.group, stream) }

    private func key(_ kind: String, _ unit: WorkUnit) throws -> String {
        let (group, stream) = (try BucketKey.token(settings.group), try BucketKey.token(unit.stream))
        return "\(kind).\(group).\(stream).\(unit.generation).\(unit.partition)"
    }

    /// Returns a Boolean value that indicates whether a division is the one that runs, as the bucket has it now.
    func isRunning(_ generation: PartitionLayout.Generation, of stream: String) async throws -> Bool {
        let key = try key(stream)
        let entry = try await definitions.connection.perform { [layouts] _ in try layouts.value(of: key) }
        return Self.layout(of: entry)?.running == generation
    }

    /// Returns the layout in a bucket; `nil` for one that no worker has written.
    static func layout(of entry: NATSEntry?) -> PartitionLayout? {
        let layout = entry?.value.flatMap { try? SluiceJSONDecoder().decode(PartitionLayout.self, from: $0) }
        return layout.flatMap { $0.isValid ? $0 : nil }
    }

    /// Reads the divisions of all streams, creates those that are missing, and begins or completes changes.
    func updateLayouts() async throws {
        let connection = definitions.connection
        let pattern = "layout.\(try BucketKey.token(settings.group)).*"
        let entries = try await connection.perform { [layouts] _ in try layouts.values(of: pattern) }
        let known = Dictionary(entries.map { ($0.key, $0) }) { $1 }
        for (stream, program) in programs {
            do {
                try await updateLayout(of: stream, program, known[try key(stream)])
                undivided[stream] = nil
            } catch let error as StoreError {
                // The others go on.
                let text = "\(stream) can't be divided: \(error)"
                if !isAway, undivided.updateValue(text, forKey: stream) != text { report(.problem(text)) }
            }
        }
        for stream in divisions.keys where programs[stream] == nil { divisions[stream] = nil }
    }

    private func updateLayout(of stream: String, _ program: RunProgram, _ entry: NATSEntry?) async throws {
        let key = try key(stream)
        let origin = try await origin(of: stream)
        guard let layout = Self.layout(of: entry), layout.current.number >= origin else {
            // The stream is new, or was removed and created again.
            let first = PartitionLayout(program.document, revision: program.revision, origin: origin)
            try await store(first, key, at: entry?.revision)
            return
        }
        divisions[stream] = layout
        if let ending = layout.ending {
            try await note(ending, of: stream)
            let marks = try await marks(of: stream, ending)
            guard marks.count >= ending.count else { return }
            if ending.isHalting ?? false {
                try await store(layout.bounded(by: marks), key, at: entry?.revision)
            } else if try await store(layout.settled, key, at: entry?.revision) {
                await forget(ending, of: stream)
            }
        } else if !layout.matches(program.document),
            let next = layout.changed(to: program.document, revision: program.revision)
        {
            try await store(next, key, at: entry?.revision)
        }
    }

    /// Returns what the units of an ending division have noted.
    private func marks(of stream: String, _ ending: PartitionLayout.Generation) async throws -> [String] {
        let kind = ending.isHalting ?? false ? "halt" : "done"
        let (group, stream) = (try BucketKey.token(settings.group), try BucketKey.token(stream))
        let pattern = "\(kind).\(group).\(stream).\(ending.number).*"
        let entries = try await definitions.connection.perform { [layouts] _ in try layouts.values(of: pattern) }
        return entries.map { String(decoding: $0.value ?? [], as: UTF8.self) }
    }

    /// Notes which units of an ending division have halted, and where, or are done.
    private func note(_ ending: PartitionLayout.Generation, of stream: String) async throws {
        for (unit, run) in runs where unit.stream == stream && run.generation == ending {
            let isHalting = ending.isHalting ?? false
            let isDone = isHalting ? false : await run.isDone()
            // A worker that is out of touch says nothing about what another one may have now.
            guard let text = isHalting ? run.haltedPosition : isDone ? "done" : nil, run.isHeld else { continue }
            let key = try key(isHalting ? "halt" : "done", unit)
            try await definitions.connection.perform { [layouts] _ in try layouts.put(Array(text.utf8), for: key) }
        }
    }

    /// Returns the revision at which a stream was created, or created again.
    private func origin(of stream: String) async throws -> Int {
        if let known = origins[stream] { return known }
        let origin = try await Self.origin(of: stream, in: definitions)
        origins[stream] = origin
        return origin
    }

    /// Returns the revision at which a stream was created, or created again.
    static func origin(of stream: String, in definitions: NATSDefinitionStore) async throws -> Int {
        let removal = try await definitions.history(of: stream).first { $0.isRemoved }
        return min(max(0, removal?.revision ?? 0), Int(Int32.max) - 2) + 1
    }

    /// Removes the logs of a stream that was removed at a revision.
    func forget(_ stream: String, removedAt revision: Int) async {
        origins[stream] = nil
        guard let layout = divisions.removeValue(forKey: stream), layout.current.number < revision else { return }
        for division in [layout.ending, layout.current] { if let division { await forget(division, of: stream) } }
    }

    /// Removes the logs of a division that is done. What can't be removed now takes room, and does no harm.
    private func forget(_ division: PartitionLayout.Generation, of stream: String) async {
        do {
            let subjects = try division.units(of: stream).map { try $0.subject(in: settings.group) }
            let keys = try division.units(of: stream).flatMap { [try key("halt", $0), try key("done", $0)] }
            try await definitions.connection.perform { [layouts] connection in
                for subject in subjects { try connection.removeMessages(of: subject, in: PartitionLog.stream) }
                for key in keys where try layouts.value(of: key) != nil { try layouts.purge(key) }
            }
        } catch {
            report(.problem("the logs of \(stream) can't be removed: \(error)"))
        }
    }

    /// Stores a division, unless another worker has stored one meanwhile.
    ///
    /// - Returns: A Boolean value that indicates whether it was stored.
    @discardableResult
    private func store(_ layout: PartitionLayout, _ key: String, at revision: UInt64?) async throws -> Bool {
        let bytes = try SluiceJSONEncoder().bytes(layout)
        defer { news.notify() }
        do {
            try await definitions.connection.perform { [layouts] _ in
                if let revision {
                    try layouts.update(bytes, for: key, ifRevision: revision)
                } else {
                    try layouts.create(bytes, for: key)
                }
            }
            return true
        } catch NATSError.stale {
            return false
        }
    }
}
#endif
