"""The stream that tests of workers run."""
import json


def keyed(count, factor=1, sink=None, delay=None):
    """A stream that numbers the items of each user, in a group, which holds them for a while."""
    held = [{"id": "held", "delay": {"seconds": delay}}] if delay else []
    return json.dumps({
        "partition": {"by": "x.user", "count": count},
        "source": {"outside": {"name": "subject", "arguments": {"subject": "in"}}},
        "operators": [
            {"id": "all", "filter": {"expression": "x.id > 0"}},
            {"id": "users", "groupBy": {"key": "x.user", "operators": [
                {"id": "numbered", "scan": {"expression": "{'number': acc.number + 1, 'item': x}", "initialValue": {"number": 0, "item": None}}},
                *held]}},
            {"id": "factor", "map": {"expression": f"{{'number': x[1].number, 'item': x[1].item, 'factor': {factor}}}"}},
        ],
        "sinks": [sink or {"id": "to", "outside": {"name": "publish", "arguments": {"subject": "out"}, "value": "x"}}],
    })


def text(count, factor=1, sink=None, delay=None):
    """A stream that numbers the items of each partition, and publishes them, or gives them to another sink."""
    held = [{"id": "held", "delay": {"seconds": delay}}] if delay else []
    return json.dumps({
        "partition": {"by": "x.user", "count": count},
        "source": {"outside": {"name": "subject", "arguments": {"subject": "in"}}},
        "operators": [
            {"id": "numbered", "scan": {"expression": "{'number': acc.number + 1, 'item': x}", "initialValue": {"number": 0, "item": None}}},
            *held,
            {"id": "factor", "map": {"expression": f"{{'number': x.number, 'item': x.item, 'factor': {factor}}}"}},
        ],
        "sinks": [sink or {"id": "to", "outside": {"name": "publish", "arguments": {"subject": "out"}, "value": "x"}}],
    })
