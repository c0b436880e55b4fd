"""The streams of `kinds.py`, with sources and sinks of every kind."""

# The shapes of the sinks `post`; the others deliver one output after the other.
SHAPES = {
    "numbers": {"concurrency": 8, "key": "x % 5"},
    "orders": {"concurrency": 4, "key": "x[0] % 3"},
    "reader": {"batch": {"count": 10, "seconds": 0.2}},
}
# The keys of the outputs that are delivered at the same time.
KEYS = {"numbers": lambda x: x % 5, "orders": lambda x: x[0] % 3}


def documents(edit, feeds, enricher, receiver, has_nats):
    """The documents by id, with the ports of what they read and deliver to.

    An edit changes their texts, and not what is put out and delivered.
    """
    base = f"http://127.0.0.1:{feeds}"
    number = {"id": "number", "map": {"expression": "int(x)"}}
    enriched = {"id": "enriched", "flatMap": {"to": {"request": f"http://127.0.0.1:{enricher}/${{a.id}}"},
                                              "concurrency": 4, "expression": "[a.id, x]"}}
    sources = {
        "log": ({"lines": {"path": "app.log", "follow": True}}, number),
        "plain": ({"lines": "plain.txt"}, number),
        "pages": ({"poll": {"url": f"{base}/pages", "seconds": 0.1, "paging": {"cursor": "x.next", "query": "page"}}},
                  {"id": "page", "map": {"expression": "[i, x.page]"}}),
        "one": ({"request": f"{base}/one"},),
        "numbers": ({"events": f"{base}/events"},),
        "orders": ({"webhook": {"name": "in", "auth": "none", "key": "x.id"}}, enriched),
        "seconds": ({"schedule": {"cron": "* * * * * *", "missed": "all"}},),
        "faulty": ({"interval": {"seconds": 0.05}},
                   {"id": "third", "map": {"expression": "10 / (x % 3)", "onError": "report"}}),
        "reader": ({"subscribe": {"stream": "orders", "from": "start"}},),
        "errors": ({"subscribe": {"stream": "faulty", "of": "errors", "from": "start"}},),
        "states": ({"subscribe": {"stream": "faulty", "of": "states"}},
                   {"id": "calm", "filter": {"expression": "x.state in ['running', 'paused']"}},
                   {"id": "changes", "distinctUntilChanged": {"expression": "x.state"}}),
    }
    if has_nats:
        sources["back"] = ({"subject": {"subject": "out.>", "as": "message"}},)
        sources["end"] = ({"subject": {"subject": "back", "as": "message", "consumer": "end"}},)

    def document(id, source, *operators):
        same = {"id": "same", "filter": {"expression": f"{edit} >= 0"}}
        return {"source": source, "operators": [*operators, same],
                "sinks": [] if id == "end" else sinks(id, edit, receiver, has_nats)}

    return {id: document(id, *parts) for id, parts in sources.items()}


def sinks(id, edit, receiver, has_nats):
    """The sinks of a stream, one of each kind."""
    shape, note = SHAPES.get(id, {}), f"edit {edit}"
    post = {"url": f"http://127.0.0.1:{receiver}/{id}", "headers": {"X-Edit": str(edit)},
            "body": "x" if "batch" in shape else "[x]", **shape}
    subject = {"subject": "back" if id == "back" else f"out.{id}", "value": "x"}
    return [{"id": "hook", "note": note, "post": post}, {"id": "file", "note": note, "lines": {"path": f"{id}.out"}},
            *([{"id": "subject", "note": note, "publish": subject}] if has_nats else [])]
