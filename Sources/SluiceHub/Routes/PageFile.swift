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
        "clock.js": ("text/javascript; charset=utf-8", PackageResources.clock_js),
        "completion.js": ("text/javascript; charset=utf-8", PackageResources.completion_js),
        "conflict.js": ("text/javascript; charset=utf-8", PackageResources.conflict_js),
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
        "gate.js": ("text/javascript; charset=utf-8", PackageResources.gate_js),
        "group.js": ("text/javascript; charset=utf-8", PackageResources.group_js),
        "history.js": ("text/javascript; charset=utf-8", PackageResources.history_js),
        "hub.js": ("text/javascript; charset=utf-8", PackageResources.hub_js),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "items.js": ("text/javascript; charset=utf-8", PackageResources.items_js),
        "json.js": ("text/javascript; charset=utf-8", PackageResources.json_js),
        "letters.js": ("text/javascript; charset=utf-8", PackageResources.letters_js),
        "list.js": ("text/javascript; charset=utf-8", PackageResources.list_js),
        "members.js": ("text/javascript; charset=utf-8", PackageResources.members_js),
        "menu.js": ("text/javascript; charset=utf-8", PackageResources.menu_js),
        "operator.js": ("text/javascript; charset=utf-8", PackageResources.operator_js),
        "order.js": ("text/javascript; charset=utf-8", PackageResources.order_js),
        "page.css": ("text/css; charset=utf-8", PackageResources.page_css),
        "page.js": ("text/javascript; charset=utf-8", PackageResources.page_js),
        "palette.js": ("text/javascript; charset=utf-8", PackageResources.palette_js),
        "panel.css": ("text/css; charset=utf-8", PackageResources.panel_css),
        "panel.js": ("text/javascript; charset=utf-8", PackageResources.panel_js),
        "pipeline.js": ("text/javascript; charset=utf-8", PackageResources.pipeline_js),
        "plan.js": ("text/javascript; charset=utf-8", PackageResources.plan_js),
        "shell.js": ("text/javascript; charset=utf-8", PackageResources.shell_js),
        "sinks.css": ("text/css; charset=utf-8", PackageResources.sinks_css),
        "sinks.js": ("text/javascript; charset=utf-8", PackageResources.sinks_js),
        "source.js": ("text/javascript; charset=utf-8", PackageResources.source_js),
        "stacks.css": ("text/css; charset=utf-8", PackageResources.stacks_css),
        "stacks.js": ("text/javascript; charset=utf-8", PackageResources.stacks_js),
        "stream.js": ("text/javascript; charset=utf-8", PackageResources.stream_js),
        "text.js": ("text/javascript; charset=utf-8", PackageResources.text_js),
        "tokens.js": ("text/javascript; charset=utf-8", PackageResources.tokens_js),
        "transport.js": ("text/javascript; charset=utf-8", PackageResources.transport_js),
        "trial.js": ("text/javascript; charset=utf-8", PackageResources.trial_js),
        "tunnel.css": ("text/css; charset=utf-8", PackageResources.tunnel_css),
        "tunnel.js": ("text/javascript; charset=utf-8", PackageResources.tunnel_js),
        "tunnels.js": ("text/javascript; charset=utf-8", PackageResources.tunnels_js),
        "value.js": ("text/javascript; charset=utf-8", PackageResources.value_js),
        "watch.js": ("text/javascript; charset=utf-8", PackageResources.watch_js),
        "webhooks.js": ("text/javascript; charset=utf-8", PackageResources.webhooks_js),
    ]

    static func response(for name: String) throws -> Response {
        guard let file = files[name] else { throw Problem.noPage(name) }
        return Response(
            status: .ok,
            headers: [.contentType: file.type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        )
    }
}
#endif
