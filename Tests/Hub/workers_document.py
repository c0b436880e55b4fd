"""The stream that tests of workers run."""
import json

NUMBERED = {"id": "numbered", "scan": {"expression": "{'number': acc.number + 1, 'item': x}", "initialValue": {"number": 0, "item": None}}}


def held(delay):
    """An operator that holds items for a while, if there is a delay."""
    return [{"id": "held", "delay": {"seconds": delay}}] if delay else []


def document(operators, count, factor, item, sink):
    """A stream in partitions, which publishes what its operators make of `in`, or gives it to another sink."""
    shown = f"{{'number': {item}.number, 'item': {item}.item, 'factor': {factor}}}"
    return json.dumps({
        "partition": {"by": "x.user", "count": count},
        "source": {"subject": "in"},
        "operators": [*operators, {"id": "factor", "map": {"expression": shown}}],
        "sinks": [sink or {"id": "to", "publish": {"subject": "out"}}],
    })


def keyed(count, factor=1, sink=None, delay=None):
    """A stream that numbers the items of each user, in a group."""
    users = {"id": "users", "groupBy": {"key": "x.user", "operators": [NUMBERED, *held(delay)]}}
    return document([{"id": "all", "filter": {"expression": "x.id > 0"}}, users], count, factor, "x[1]", sink)


def text(count, factor=1, sink=None, delay=None):
    """A stream that numbers the items of each partition."""
    return document([NUMBERED, *held(delay)], count, factor, "x", sink)
