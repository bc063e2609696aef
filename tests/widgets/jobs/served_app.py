"""A tiny app for `panel serve`: each visit notes who runs this script, and starts a job in a pool."""

import json
import os
import sys
from pathlib import Path

import panel as pn

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[3])]

from widgets.jobs.pool import Pool  # noqa: E402

NOTES = Path(os.environ["NOTES"])


def note(**found):
    with NOTES.open("a") as notes:
        notes.write(json.dumps(found) + "\n")


def note_first_record(job):
    if job.records["count"] and not pn.state.cache.setdefault("noted", False):
        pn.state.cache["noted"] = True
        note(worker=job.records["count"][0]["pid"])


note(script=os.getpid())
pool = pn.state.as_cached("pool", lambda: Pool("fake_turns:count", workers=1))
job = pool.open(json.dumps({"n": 0, "deaf_at": 3}).encode())
job.attach(note_first_record)
job.start()
pn.pane.Str("served").servable()
