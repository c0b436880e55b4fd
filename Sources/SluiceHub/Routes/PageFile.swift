#if Hub
import HTTPTypes
import Hummingbird
import NIOCore

/// The files of the page: they are part of the program.
enum PageFile {
    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "index.html": ("text/html; charset=utf-8", PackageResources.index_html),
        "adder.js": ("text/javascript; charset=utf-8", PackageResources.adder_js),
        "announce.js": ("text/javascript; charset=utf-8", PackageResources.announce_js),
        "cards.js": ("text/javascript; charset=utf-8", PackageResources.cards_js),
        "catalog.js": ("text/javascript; charset=utf-8", PackageResources.catalog_js),
        "chips.js": ("text/javascript; charset=utf-8", PackageResources.chips_js),
        "clock.js": ("text/javascript; charset=utf-8", PackageResources.clock_js),
        "completion.js": ("text/javascript; charset=utf-8", PackageResources.completion_js),
        "conflict.js": ("text/javascript; charset=utf-8", PackageResources.conflict_js),
        "density.js": ("text/javascript; charset=utf-8", PackageResources.density_js),
        "dialogs.js": ("text/javascript; charset=utf-8", PackageResources.dialogs_js),
        "diff.js": ("text/javascript; charset=utf-8", PackageResources.diff_js),
        "document.js": ("text/javascript; charset=utf-8", PackageResources.document_js),
        "dom.js": ("text/javascript; charset=utf-8", PackageResources.dom_js),
        "draft.js": ("text/javascript; charset=utf-8", PackageResources.draft_js),
        "draftbar.js": ("text/javascript; charset=utf-8", PackageResources.draftbar_js),
        "drafts.js": ("text/javascript; charset=utf-8", PackageResources.drafts_js),
        "edit.css": ("text/css; charset=utf-8", PackageResources.edit_css),
        "feed.js": ("text/javascript; charset=utf-8", PackageResources.feed_js),
        "fields.js": ("text/javascript; charset=utf-8", PackageResources.fields_js),
        "files.js": ("text/javascript; charset=utf-8", PackageResources.files_js),
        "first.css": ("text/css; charset=utf-8", PackageResources.first_css),
        "first.js": ("text/javascript; charset=utf-8", PackageResources.first_js),
        "follower.js": ("text/javascript; charset=utf-8", PackageResources.follower_js),
        "gallery.js": ("text/javascript; charset=utf-8", PackageResources.gallery_js),
        "gate.js": ("text/javascript; charset=utf-8", PackageResources.gate_js),
        "graph.css": ("text/css; charset=utf-8", PackageResources.graph_css),
        "graph.js": ("text/javascript; charset=utf-8", PackageResources.graph_js),
        "group.js": ("text/javascript; charset=utf-8", PackageResources.group_js),
        "history.js": ("text/javascript; charset=utf-8", PackageResources.history_js),
        "hub.js": ("text/javascript; charset=utf-8", PackageResources.hub_js),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "inspector.js": ("text/javascript; charset=utf-8", PackageResources.inspector_js),
        "itemlist.js": ("text/javascript; charset=utf-8", PackageResources.itemlist_js),
        "items.js": ("text/javascript; charset=utf-8", PackageResources.items_js),
        "json.js": ("text/javascript; charset=utf-8", PackageResources.json_js),
        "layers.js": ("text/javascript; charset=utf-8", PackageResources.layers_js),
        "letters.js": ("text/javascript; charset=utf-8", PackageResources.letters_js),
        "list.js": ("text/javascript; charset=utf-8", PackageResources.list_js),
        "members.js": ("text/javascript; charset=utf-8", PackageResources.members_js),
        "menu.js": ("text/javascript; charset=utf-8", PackageResources.menu_js),
        "operations.js": ("text/javascript; charset=utf-8", PackageResources.operations_js),
        "operator.js": ("text/javascript; charset=utf-8", PackageResources.operator_js),
        "order.js": ("text/javascript; charset=utf-8", PackageResources.order_js),
        "overview.js": ("text/javascript; charset=utf-8", PackageResources.overview_js),
        "page.css": ("text/css; charset=utf-8", PackageResources.page_css),
        "page.js": ("text/javascript; charset=utf-8", PackageResources.page_js),
        "palette.js": ("text/javascript; charset=utf-8", PackageResources.palette_js),
        "panel.css": ("text/css; charset=utf-8", PackageResources.panel_css),
        "panel.js": ("text/javascript; charset=utf-8", PackageResources.panel_js),
        "picture.js": ("text/javascript; charset=utf-8", PackageResources.picture_js),
        "pipeline.js": ("text/javascript; charset=utf-8", PackageResources.pipeline_js),
        "plan.js": ("text/javascript; charset=utf-8", PackageResources.plan_js),
        "preview.js": ("text/javascript; charset=utf-8", PackageResources.preview_js),
        "qr.js": ("text/javascript; charset=utf-8", PackageResources.qr_js),
        "sampling.js": ("text/javascript; charset=utf-8", PackageResources.sampling_js),
        "sharing.js": ("text/javascript; charset=utf-8", PackageResources.sharing_js),
        "shell.js": ("text/javascript; charset=utf-8", PackageResources.shell_js),
        "sinks.css": ("text/css; charset=utf-8", PackageResources.sinks_css),
        "sinks.js": ("text/javascript; charset=utf-8", PackageResources.sinks_js),
        "source.js": ("text/javascript; charset=utf-8", PackageResources.source_js),
        "stacks.css": ("text/css; charset=utf-8", PackageResources.stacks_css),
        "stacks.js": ("text/javascript; charset=utf-8", PackageResources.stacks_js),
        "stars.js": ("text/javascript; charset=utf-8", PackageResources.stars_js),
        "stream.js": ("text/javascript; charset=utf-8", PackageResources.stream_js),
        "templates.js": ("text/javascript; charset=utf-8", PackageResources.templates_js),
        "text.js": ("text/javascript; charset=utf-8", PackageResources.text_js),
        "texts.js": ("text/javascript; charset=utf-8", PackageResources.texts_js),
        "tokens.js": ("text/javascript; charset=utf-8", PackageResources.tokens_js),
        "transport.js": ("text/javascript; charset=utf-8", PackageResources.transport_js),
        "trial.js": ("text/javascript; charset=utf-8", PackageResources.trial_js),
        "tunnel.css": ("text/css; charset=utf-8", PackageResources.tunnel_css),
        "tunnel.js": ("text/javascript; charset=utf-8", PackageResources.tunnel_js),
        "tunnels.js": ("text/javascript; charset=utf-8", PackageResources.tunnels_js),
        "value.js": ("text/javascript; charset=utf-8", PackageResources.value_js),
        "watch.js": ("text/javascript; charset=utf-8", PackageResources.watch_js),
        "webhooks.js": ("text/javascript; charset=utf-8", PackageResources.webhooks_js),
        "workers.js": ("text/javascript; charset=utf-8", PackageResources.workers_js),
    ]

    /// The files as gzip, compressed once.
    private static let compressed = files.compactMapValues { Gzip.compressed($0.bytes) }

    /// A tag of each file: the checksum and the length with which its compressed form ends.
    private static let tags = compressed.compactMapValues { file in
        file.getInteger(at: file.writerIndex - 8, as: UInt64.self).map { "W/\"\(String($0, radix: 16))\"" }
    }

    /// Returns a file of the page, compressed where the request accepts that, unless the browser has it.
    static func response(for name: String, to request: Request) throws -> Response {
        guard let file = files[name] else { throw Problem.noPage(name) }
        var headers: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept-Encoding"]
        if let tag = tags[name] {
            headers[.eTag] = tag
            if request.has(tag) { return Response(status: .notModified, headers: headers) }
        }
        headers[.contentType] = file.type
        var body = ByteBuffer(bytes: file.bytes)
        if Gzip.isAccepted(by: request.headers[.acceptEncoding]), let bytes = compressed[name] {
            headers[.contentEncoding] = "gzip"
            body = bytes
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
#endif
