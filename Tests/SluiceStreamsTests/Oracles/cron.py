"""Prints due times of cron expressions as JSON lines, computed by croniter and zoneinfo: cron.py [--all]

    python3 -m venv venv && venv/bin/pip install croniter==7.0.0 tzdata
    venv/bin/python cron.py > Samples/cron.sample.jsonl
    venv/bin/python cron.py --all > cron.jsonl

croniter computes the local times without a zone; zoneinfo finds the instant of each: the first one of a local time that
occurs twice, the end of the gap for one that the clocks skip. Times at one instant are one. With a zone, croniter itself
repeats local times and leaves some out, so that it is used for the calendar alone.

A line is {"id", "cron", "zone", "start", "due": […]}: the first due times after `start`, in seconds since 1970. With --all,
a line has the number of the due times of 30 years and a checksum of them: {…, "end", "count", "sum"}. The checksum is that
of FNV-1a, 64 bits, over the decimal texts, each followed by a line feed. A line with "invalid" is an expression that croniter refuses.
"""
import functools
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from croniter import croniter

ZONES = [
    "UTC", "Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "America/New_York", "America/Chicago",
    "America/Los_Angeles", "America/Sao_Paulo", "America/Santiago", "America/St_Johns", "America/Havana",
    "Asia/Kolkata", "Asia/Tokyo", "Asia/Tehran", "Asia/Beirut", "Australia/Sydney", "Australia/Lord_Howe",
    "Pacific/Apia", "Pacific/Auckland",
]
CRONS = [
    "0 0 * * *", "30 2 * * *", "0 1 * * *", "15 0,1,2,3 * * *", "*/20 0-4 * * SUN", "0 9 * * MON-FRI", "0 0 1 * *",
    "0 0 L * *", "0 12 31 * *", "30 1 29 2 *", "0 3 13 * FRI", "5 4 * * 7", "0 0 1,15 * WED", "0 22-2 * * SAT-MON",
    "10-50/20 */6 */10 * *", "0 0 1-7 * 1", "0 0 * NOV-FEB 0", "0 2 * * SUN#2", "30 2 * * L0", "0 0 ? 1-12/5 MON",
    "0 0 */2 * 0-6", "0 0 1-31 * */2", "15 30 2 * * *", "*/30 59 1 * * 0", "0 0 15 MAR,OCT ?", "59/7 23/5 28/2 12/1 5/1",
]
INVALID = [
    "", "* * * *", "* * * * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 0 *", "* * * 13 *",
    "* * * * 8", "*/0 * * * *", "a * * * *", "* * * * MONDAY", "* * * FOO *", "-1 * * * *", "1,,2 * * * *", "1- * * * *",
    "/5 * * * *", "? * * * *", "* ? * * *", "* * ?,1 * *", "* * * * MON#6", "* * * * MON#0", "*/ * * * *", "1/x * * * *",
    "L * * * *", "* * * * 1#1,2", "0 0 30 2 *", "0 0 31 4,6 *", "1.5 * * * *", "* * * * L9", "@never",
]
START, END = datetime(2000, 1, 1), datetime(2030, 1, 1)


def fields(cron):
    """Croniter writes the last weekday with a small letter, and takes any case."""
    return cron.lower()


def local_times(cron, start):
    return croniter(fields(cron), start, ret_type=datetime, second_at_beginning=True, max_years_between_matches=50)


def instant(local, zone):
    """Returns the first instant of a local time, or the end of the gap in which it is."""
    first = local.replace(tzinfo=zone, fold=0)
    utc = first.astimezone(timezone.utc)
    if utc.astimezone(zone).replace(tzinfo=None) == local:
        return int(utc.timestamp())
    # A gap: the instant at which the offset changes.
    low, high = int(utc.timestamp()) - 90000, int(utc.timestamp()) + 90000
    offset = lambda t: datetime.fromtimestamp(t, zone).utcoffset()
    before = offset(low)
    while high - low > 1:
        middle = (low + high) // 2
        if offset(middle) == before:
            low = middle
        else:
            high = middle
    return high


@functools.cache
def all_local_times(cron):
    """Returns the local times from START to END."""
    times = []
    for local in local_times(cron, START):
        if local > END:
            return times
        times.append(local)


def due_times(cron, name, start, count=None):
    """Returns instants after the local time `start`: a number of them, or those up to END from START."""
    zone = ZoneInfo(name)
    times, last = [], instant(start, zone)
    for local in local_times(cron, start) if count else all_local_times(cron):
        if len(times) == count:
            return times
        found = instant(local, zone)
        if found > last:
            times.append(found)
            last = found
    return times


def transitions(name):
    """Returns the days before a change of the clocks."""
    zone, days, day = ZoneInfo(name), [], START
    while day < END:
        if day.replace(tzinfo=zone).utcoffset() != (day + timedelta(days=1)).replace(tzinfo=zone).utcoffset():
            days.append(day)
        day += timedelta(days=1)
    return days


def main(is_all):
    chance, number = random.Random(17), 0
    for name in ZONES:
        changes = transitions(name)
        for index, cron in enumerate(CRONS):
            starts = [START] if is_all else []
            if not is_all and (index + ZONES.index(name)) % 4 == 0:
                starts = [chance.choice(changes) - timedelta(hours=6)] if changes and chance.random() < 0.8 else []
                starts.append(START + timedelta(minutes=chance.randrange(30 * 365 * 1440)))
            for start in starts:
                number += 1
                line = {"id": number, "cron": cron, "zone": name, "start": instant(start, ZoneInfo(name))}
                if is_all:
                    due = due_times(cron, name, start)
                    sum = 0xCBF29CE484222325
                    for time in due:
                        for byte in b"%d\n" % time:
                            sum = ((sum ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
                    line |= {"end": instant(END, ZoneInfo(name)), "count": len(due), "sum": f"{sum:016x}"}
                else:
                    line["due"] = due_times(cron, name, start, count=12)
                print(json.dumps(line))
    for cron in INVALID:
        number += 1
        try:
            local_times(cron, START).get_next()
            sys.exit(f"croniter takes {cron!r}")
        except (ValueError, KeyError, AttributeError):
            print(json.dumps({"id": number, "cron": cron, "invalid": True}))


if __name__ == "__main__":
    main("--all" in sys.argv)
