#if Hub
import Foundation
import HTTPTypes
import Logging
import NIOCore
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore

extension StreamHub {
    // MARK: Groups

    /// All groups.
    var groupHeads: JSON {
        .array(
            groups.values.sorted { $0.name < $1.name }.map { group in
                [
                    "name": .string(group.name),
                    "streams": .array(streams(of: group).map(JSON.string)),
                    "members": .int(Int64(group.members.values.count(where: isPresent))),
                ]
            }
        )
    }

    /// A group, with its streams and members.
    func group(_ name: String) throws(Problem) -> JSON {
        guard let group = groups[name] else { throw .noGroup(name) }
        let streams = streams(of: group).compactMap { id -> JSON? in
            guard let stored = set[id]?.stored else { return nil }
            var stream: JSON.Object = ["id": .string(id)]
            stream["name"] = stored.name.map(JSON.string)
            stream["revision"] = .int(Int64(stored.revision))
            return .object(stream)
        }
        let members = group.members.sorted { $0.key < $1.key }.map { id, member in
            var object: JSON.Object = ["id": .string(id)]
            object["name"] = member.name.map(JSON.string)
            object["isPresent"] = .bool(isPresent(member))
            object["seen"] = .string(member.date)
            object["streams"] = member.streams
            return JSON.object(object)
        }
        return ["name": .string(name), "streams": .array(streams), "members": .array(members)]
    }

    /// Creates a group if it does not exist yet. Returns a Boolean value that indicates whether it was created.
    func createGroup(_ name: String) async throws -> Bool {
        if groups[name] != nil { return false }
        guard DocumentDraft.isName(name, upTo: 100) else {
            let text = "the name of a group must have 1 to 100 bytes, no control characters, and not be '.' or '..'"
            throw Problem(.unprocessableContent, text)
        }
        guard groups.count < around.settings.limits.groups else {
            throw Problem(.insufficientStorage, "too many groups: delete some")
        }
        try await around.store.createGroup(name)
        return addGroup(name)
    }

    /// Adds a group that was stored. Returns a Boolean value that indicates whether it is new here.
    func addGroup(_ name: String) -> Bool {
        if groups[name] != nil { return false }
        groups[name] = HubGroup(name: name, ring: limits.eventRing)
        publishToPages(of: name)
        return true
    }

    /// Removes a group. Its members receive the removal of all streams.
    func removeGroup(_ name: String) async throws {
        guard groups[name] != nil else { throw Problem.noGroup(name) }
        guard name != HubGroup.all else { throw Problem(.conflict, "the group 'all' can't be removed") }
        try await around.store.removeGroup(name)
        forgetGroup(name)
    }

    /// Forgets a group that was removed from the store.
    func forgetGroup(_ name: String) {
        let streams = groups[name]?.streams ?? []
        groups[name]?.clear()
        publishToGroup(name, streams)
        for subscriber in groups[name]?.subscribers.values ?? [:].values { subscriber.finish() }
        groups[name] = nil
        publishToPages(of: name)
    }

    /// Gives a stream to a group, or takes it away.
    func assign(_ stream: String, to name: String, isGiven: Bool) async throws {
        guard groups[name] != nil else { throw Problem.noGroup(name) }
        guard name != HubGroup.all else { throw Problem(.conflict, "the group 'all' has every stream") }
        if isGiven { _ = try document(stream) }
        if isGiven {
            try await around.store.assign(stream, to: name)
        } else {
            try await around.store.unassign(stream, from: name)
        }
        if groups[name]?.change(stream, isGiven: isGiven) ?? false { publishToGroup(name, [stream]) }
        publishToPages(of: name)
    }

    private func streams(of group: HubGroup) -> [String] {
        group.name == HubGroup.all ? set.streamIDs : group.streams
    }

    // MARK: Members

    /// Stores a member's report of the streams that it runs.
    func report(_ member: String, of name: String, _ report: JSON) throws {
        guard let group = groups[name] else { throw Problem.noGroup(name) }
        guard DocumentDraft.isName(member, upTo: 100) else {
            let text = "the id of a member must have 1 to 100 bytes, no control characters, and not be '.' or '..'"
            throw Problem(.unprocessableContent, text)
        }
        guard group.members[member] != nil || group.members.count < around.settings.limits.members else {
            throw Problem(.insufficientStorage, "the group '\(name)' has too many members")
        }
        let streams = try MemberReport.streams(report)
        let was = group.members[member]
        groups[name]?.members[member] = HubGroup.Member(
            name: report["name"]?.string.map { String($0.prefix(200)) },
            seen: around.timer.now,
            date: around.wallClock().text,
            streams: .array(streams)
        )
        if was.map({ !$0.isPresent || MemberReport.differs($0.streams, .array(streams)) }) ?? true {
            publishMembers(name)
        }
    }

    /// Removes a member from a group.
    func leave(_ member: String, _ name: String) throws {
        guard groups[name] != nil else { throw Problem.noGroup(name) }
        if groups[name]?.members.removeValue(forKey: member) != nil { publishMembers(name) }
    }

    /// Marks members without a recent report as absent, keeps connections open, and trims the store.
    func tend() {
        around.bus.keepAlive()
        if let shared = store as? SharedStreamStore { around.perform { await shared.probe() } }
        around.subscriptions.nudgeClients()
        if hasFreedMemory {
            hasFreedMemory = false
            around.perform { ProcessMemory.returnFreed() }
        }
        let now = around.timer.now
        if lastTrim.map({ now - $0 > 600_000_000_000 }) ?? true {
            lastTrim = now
            around.perform { [around] in
                do { try await around.store.trim(around.settings.retention) } catch {
                    around.settings.logger.error("can't trim old revisions and outputs: \(error)")
                }
            }
        }
        around.perform { [around] in
            do { try await around.store.trimGrown(around.settings.retention) } catch {
                around.settings.logger.error("can't trim the outputs of streams that have grown: \(error)")
            }
        }
        for name in groups.keys {
            var hasChanged = false
            for (id, member) in groups[name]?.members ?? [:] {
                if now - member.seen > HubGroup.memory { groups[name]?.members[id] = nil }
                if member.isPresent, !isPresent(member) {
                    groups[name]?.members[id]?.isPresent = false
                    hasChanged = true
                }
            }
            for subscriber in groups[name]?.subscribers.values ?? [:].values { subscriber.send(Notice.keepAlive) }
            if hasChanged { publishMembers(name) }
        }
    }

    private func isPresent(_ member: HubGroup.Member) -> Bool { around.timer.now - member.seen <= HubGroup.patience }

    // MARK: Events

    /// Returns a subscription to the documents of a group: its current set, then each change.
    func subscribe(toGroup name: String, after last: String?) throws -> EventSubscription {
        guard var group = groups[name] else { throw Problem.noGroup(name) }
        guard !isEnding else { throw Problem.ending }
        guard subscriberCount < around.settings.limits.subscribers else { throw Problem.tooManySubscribers }
        // While a group has no subscriber its set isn't kept up to date.
        if group.subscribers.isEmpty {
            publishToGroup(name, Set(streams(of: group)).union(group.set.entries.keys))
            group = groups[name] ?? group
        }
        let (subscriber, subscription) = EventSubscriber.make(
            backlog: HubGroup.backlog,
            size: limits.backlog,
            shared: around.bus.backlogs
        )
        if let received = number(last, group), group.notices.reaches(received) {
            for notice in group.notices.notices where notice.number > received {
                subscriber.send(notice.bytes, isKept: true)
            }
        } else {
            let documents = group.set.entries.keys.sorted().compactMap { document($0, group.set.entries[$0]) }
            let set: JSON = ["group": .string(name), "documents": .array(documents)]
            subscriber.send(Notice.bytes(id: "\(around.bus.hub)-\(group.last)", "set", set.description), isKept: true)
        }
        lastGroupSubscriber += 1
        let id = lastGroupSubscriber
        groups[name]?.subscribers[id] = subscriber
        subscriber.onEnd { [weak self] in
            Task { await self?.leaveGroup(name, id) }
        }
        return subscription
    }

    /// The number of subscribers of the hub, its streams, and its groups.
    var subscriberCount: Int {
        groups.values.reduce(around.bus.subscriberCount + around.subscriptions.clientCount) {
            $0 + $1.subscribers.count
        }
    }

    private func leaveGroup(_ name: String, _ subscriber: Int) { groups[name]?.subscribers[subscriber] = nil }

    private func number(_ id: String?, _ group: HubGroup) -> UInt64? {
        guard let id, id.hasPrefix(around.bus.hub + "-"), let number = UInt64(id.dropFirst(around.bus.hub.count + 1)),
            number <= group.last
        else { return nil }
        return number
    }

    /// Tells the groups with subscribers which documents have changed.
    ///
    /// - Parameters:
    ///   - ids: the documents.
    ///   - texts: the ids and names that references may find other documents under than before.
    func publishToGroups(_ ids: Set<String>, _ texts: Set<String>) {
        for (name, group) in groups where !group.subscribers.isEmpty { publishToGroup(name, ids, texts) }
    }

    /// Tells the subscribers of a group how its documents differ from those that they know.
    func publishToGroup(_ name: String, _ ids: some Sequence<String>, _ texts: Set<String> = []) {
        guard let changes = groups[name]?.update(ids, texts, in: set) else { return }
        for id in changes.put {
            if let document = document(id, groups[name]?.set.entries[id]) {
                publish(name, "put", document.description)
            }
        }
        for id in changes.removed { publish(name, "remove", JSON.object(["id": .string(id)]).description) }
    }

    private func document(_ id: String, _ sent: GroupSet.Entry?) -> JSON? {
        guard let stored = set[id]?.stored, let sent else { return nil }
        var object: JSON.Object = ["id": .string(id), "revision": .int(Int64(stored.revision))]
        object["name"] = stored.name.map(JSON.string)
        object["text"] = .string(stored.text)
        object["isReference"] = .bool(sent.isReference)
        return .object(object)
    }

    /// Publishes an event to the subscribers of a group.
    func publish(_ name: String, _ event: String, _ data: String) {
        guard var group = groups[name] else { return }
        group.last += 1
        let notice = Notice(group.last, hub: around.bus.hub, event, data, stream: name, valueAt: nil)
        group.notices.append(notice)
        var slow: [EventSubscriber] = []
        for (id, subscriber) in group.subscribers where !subscriber.send(notice.bytes) {
            group.subscribers[id] = nil
            slow.append(subscriber)
        }
        groups[name] = group
        around.counters.count { [count = slow.count] in $0.membersDropped += count }
        for subscriber in slow { subscriber.drop() }
    }

    private func publishMembers(_ name: String) {
        publish(name, "members", JSON.object(["group": .string(name)]).description)
        publishToPages(of: name)
    }

    /// Publishes a change of a group's members to the pages, which subscribe to the hub.
    func publishToPages(of name: String) {
        around.bus.publish("members", JSON.object(["group": .string(name)]).description, of: "")
    }

    /// Takes a removed stream from all groups.
    func forgetInGroups(_ id: String, _ texts: Set<String>) {
        for name in groups.keys { _ = groups[name]?.change(id, isGiven: false) }
        publishToGroups([id], texts)
    }

    func closeGroups() {
        for group in groups.values { for subscriber in group.subscribers.values { subscriber.finish() } }
    }
}

extension Date {
    /// The moment in the form of RFC 3339, to the millisecond: `2026-11-21T21:18:24.512Z`.
    var text: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
#endif
