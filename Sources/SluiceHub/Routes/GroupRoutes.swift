#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON

extension HubRoutes {
    /// Groups of clients, and their members.
    var groupOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/groups",
                id: "listGroups",
                role: .read,
                summary: "All groups",
                result: .json("Groups")
            ) { _, _ in .json(await hub.groupHeads) },
            Operation(
                method: .get,
                path: "/groups/{group}",
                id: "readGroup",
                role: .read,
                summary: "A group, its streams and members",
                result: .json("Group"),
                problems: [.notFound]
            ) { _, context in .json(try await hub.group(context.parameter("group"))) },
            Operation(
                method: .put,
                path: "/groups/{group}",
                id: "createGroup",
                role: .edit,
                summary: "Makes a group",
                status: .noContent,
                problems: [.created, .unprocessableContent, .insufficientStorage]
            ) { _, context in
                let isNew = try await hub.createGroup(context.parameter("group"))
                return Response(status: isNew ? .created : .noContent)
            },
            Operation(
                method: .delete,
                path: "/groups/{group}",
                id: "deleteGroup",
                role: .edit,
                summary: "Removes a group",
                status: .noContent,
                problems: [.notFound, .conflict, .insufficientStorage]
            ) { _, context in
                try await hub.removeGroup(context.parameter("group"))
                return Response(status: .noContent)
            },
            Operation(
                method: .put,
                path: "/groups/{group}/streams/{id}",
                id: "giveStream",
                role: .edit,
                summary: "Gives a stream to a group",
                status: .noContent,
                problems: [.notFound, .conflict, .insufficientStorage]
            ) { _, context in try await assign(context, isGiven: true) },
            Operation(
                method: .delete,
                path: "/groups/{group}/streams/{id}",
                id: "takeStream",
                role: .edit,
                summary: "Takes a stream from a group",
                status: .noContent,
                problems: [.notFound, .conflict, .insufficientStorage]
            ) { _, context in try await assign(context, isGiven: false) },
            Operation(
                method: .get,
                path: "/groups/{group}/events",
                id: "subscribeToGroup",
                role: .read,
                summary: "The documents of a group, now and as they change",
                parameters: [.lastEventID],
                result: .events,
                problems: [.notFound, .serviceUnavailable]
            ) { request, context in
                let name = try context.parameter("group")
                let subscription = try await hub.subscribe(toGroup: name, after: request.lastEventID)
                return events(subscription, context)
            },
            Operation(
                method: .put,
                path: "/groups/{group}/members/{member}",
                id: "report",
                role: .run,
                summary: "A member reports",
                body: "Report",
                status: .noContent,
                problems: [.notFound, .contentTooLarge, .unprocessableContent, .insufficientStorage]
            ) { request, context in
                let report = try await request.json(upTo: settings.limits.bodySize)
                try await hub.report(context.parameter("member"), of: context.parameter("group"), report)
                return Response(status: .noContent)
            },
            Operation(
                method: .delete,
                path: "/groups/{group}/members/{member}",
                id: "leave",
                role: .run,
                summary: "A member leaves",
                status: .noContent,
                problems: [.notFound]
            ) { _, context in
                try await hub.leave(context.parameter("member"), context.parameter("group"))
                return Response(status: .noContent)
            },
        ]
    }

    private func assign(_ context: HubRequestContext, isGiven: Bool) async throws -> Response {
        try await hub.assign(context.parameter("id"), to: context.parameter("group"), isGiven: isGiven)
        return Response(status: .noContent)
    }
}
#endif
