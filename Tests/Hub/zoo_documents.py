"""Random documents of the zoo.

A document is described by a spec, a dictionary of JSON: its id, name, source, and operators, its mark, and its shape. Every
item on its way is `{"v": value, "b": mark of the base}`, and every output also has `"m"`, the mark of the document. An edit
of a mark changes nothing else, so that the values of a run are those of an uninterrupted run of its shape.
"""

BASES = ["base0", "base1"]
STREAMS = ["s0", "s1", "s2", "s3"]
POLL, EVENTS = "poll0", "events0"


def operators(chance):
    """Returns one to four operators, as lists that belong together."""
    last = "x[size(x) - 1]"
    ends = {"map": {"expression": f"{{'v': x[0].v + {last}.v, 'b': {last}.b}}"}}
    total = {"scan": {"expression": "{'v': (acc.v + x.v) % 100003, 'b': x.b}"}}
    joined = "{'v': a.v * 7 + b, 'b': a.b}"
    inner = "{'v': a.v * 5 + x, 'b': a.b}"

    def seconds(low, high):
        return round(chance.uniform(low, high), 3)

    kinds = [
        lambda: [{"map": {"expression": "{'v': x.v * 2 + 1, 'b': x.b}"}}],
        lambda: [total],
        lambda: [total],
        lambda: [{"filter": {"expression": f"x.v % {chance.randint(2, 4)} != 1"}}],
        lambda: [{"removeDuplicates": {"expression": "x.v / 2"}}],
        lambda: [{"distinct": {"expression": "x.v % 50"}}],
        lambda: [{"delay": {"seconds": seconds(0, 0.4)}}],
        lambda: [{"debounce": {"seconds": seconds(0.001, 0.04)}}],
        lambda: [{"throttle": {"seconds": seconds(0.05, 0.2)}}],
        lambda: [{"audit": {"seconds": seconds(0.05, 0.2)}}],
        lambda: [{"sampleTime": {"seconds": seconds(0.05, 0.2)}}],
        lambda: [{"pairwise": {}}, {"map": {"expression": "{'v': x[1].v - x[0].v, 'b': x[1].b}"}}],
        lambda: [{"collect": {"count": chance.randint(2, 4)}}, ends],
        lambda: [{"collect": {"count": 3, "every": chance.randint(1, 4)}}, ends],
        lambda: [{"collectByTime": {"seconds": seconds(0.05, 0.3)}}, {"filter": {"expression": "size(x) > 0"}}, ends],
        lambda: [{"windowCount": {"count": chance.randint(2, 5), "operators": [total]}}],
        lambda: [{"windowTime": {"seconds": seconds(0.1, 0.3), "operators": [total]}}],
        lambda: [{"groupBy": {"key": f"x.v % {chance.randint(2, 5)}", "operators": [total]}},
                 {"map": {"expression": "{'v': x[1].v, 'b': x[1].b}"}}],
        lambda: [{"flatMap": {"to": {"timer": {"seconds": seconds(0, 0.3)}}, "expression": inner}}],
        lambda: [{"concatMap": {"to": {"interval": {"seconds": 0.01, "count": 2}}, "expression": inner}}],
        lambda: [{"switchMap": {"to": {"interval": {"seconds": 0.02, "count": 3}}, "expression": inner}}],
        lambda: [{"combineLatest": {"source": {"interval": {"seconds": seconds(0.06, 0.2)}}, "expression": joined}}],
        lambda: [{"withLatestFrom": {"source": {"interval": {"seconds": seconds(0.06, 0.2)}}, "expression": joined}}],
        lambda: [{"zip": {"source": {"interval": {"seconds": seconds(0.06, 0.2)}}, "expression": joined}}],
        lambda: [{"merge": {"source": {"source": {"interval": {"seconds": seconds(0.1, 0.3)}}, "operators": [
            {"map": {"expression": "{'v': x * 11, 'b': -1}"}}]}}}],
        lambda: [{"mergeScan": {"initialValue": 0, "to": {
            "source": {"timer": {"seconds": 0.01}}, "operators": [{"map": {"expression": "(acc + a.v) % 100003"}}]}}},
                 {"map": {"expression": "{'v': x, 'b': -1}"}}],
        lambda: [{"timestamp": {}}, {"map": {"expression": "{'v': x[0].v + int(x[1] * 1000.0), 'b': x[0].b}"}}],
        lambda: [{"prepend": {"values": [{"v": 7, "b": -1}, {"v": 8, "b": -1}]}}],
        lambda: [{"dropFirst": {"count": chance.randint(1, 5)}}],
        lambda: [{"dropLast": {"count": chance.randint(1, 5)}}],
        lambda: [{"share": {}}],
        lambda: [{"prefix": {"count": chance.randint(20, 200)}}],
    ]
    return [chance.choice(kinds)() for _ in range(chance.randint(1, 4))]


def source(chance):
    """Returns a source of ints that refers to nothing."""
    interval = {"interval": {"seconds": round(chance.uniform(0.03, 0.09), 3)}}
    if chance.random() < 0.2:
        interval["interval"]["count"] = chance.randint(5, 20)
        return {"source": interval, "operators": [{"repeat": {"seconds": 0.05}}]}
    return interval


def spec(chance, id, shape, mark=1):
    """Returns the spec of a random document with an id; streams may refer to others before them, and to bases."""
    made = {"id": id, "name": f"Name of {id}", "mark": mark, "shape": shape, "ref": None, "operators": []}
    if id == POLL or id == EVENTS:
        return dict(made, feed=id)
    if id not in BASES and chance.random() < 0.75:
        others = BASES + STREAMS[:STREAMS.index(id)]
        made["ref"] = {"id": chance.choice(others), "is_by_name": chance.random() < 0.4}
    else:
        made["source"] = source(chance)
    made["operators"] = [] if id in BASES and chance.random() < 0.5 else operators(chance)
    return made


def document(spec, names=None, feeds=None):
    """Returns the document of a spec.

    - names: the names of other documents by id, for references by name.
    - feeds: the address of the server of `poll` and `events`.
    """
    own = f"{{'v': x.v, 'b': x.b, 'm': {spec['mark']}}}"
    if "feed" in spec:
        address = f"{feeds}/{spec['feed']}"
        source = {"poll": {"url": address, "seconds": 0.1}} if spec["feed"] == POLL else {"events": address}
        value = "x.n" if spec["feed"] == POLL else "x"
        first = {"id": "in", "map": {"expression": f"{{'v': {value}, 'c': 1, 'b': 0}}"}}
        count = {"id": "count", "scan": {"expression": "{'v': x.v, 'c': acc.c + 1, 'b': 0}"}}
        own = f"{{'v': x.v, 'c': x.c, 'b': 0, 'm': {spec['mark']}}}"
        middle = [count]
    else:
        ref = spec["ref"]
        if ref:
            source = {"ref": ref["text"] if "text" in ref else names[ref["id"]] if ref["is_by_name"] else ref["id"]}
            expression = "{'v': x.v, 'b': x.b}"
        else:
            source = spec["source"]
            expression = f"{{'v': x, 'b': {spec['mark'] if spec['id'] in BASES else 0}}}"
        first = {"id": "in", "map": {"expression": expression}}
        middle = []
        for index, group in enumerate(spec["operators"]):
            middle += [dict(id=f"o{index}-{part}", **operator) for part, operator in enumerate(group)]
    return identified({"id": spec["id"], "name": spec["name"], "source": source,
                       "operators": [first, *middle, {"id": "own", "map": {"expression": own}}]})


def identified(document):
    """Returns a document with an id for each operator, which the hub would add otherwise."""
    numbers = iter(range(1000))

    def visit(part):
        if isinstance(part, list):
            return [visit(element) for element in part]
        if not isinstance(part, dict):
            return part
        made = {key: visit(value) for key, value in part.items()}
        if isinstance(part.get("operators"), list):
            made["operators"] = [operator if "id" in operator else dict({"id": f"n{next(numbers)}"}, **operator)
                                 for operator in made["operators"]]
        return made

    return visit(document)
