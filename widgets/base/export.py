"""The frame as a CSV file that says what it holds."""

import csv
import io

from widgets.base.frame import Frame
from widgets.lab import Lab


def csv_text(lab: Lab, frame: Frame) -> str:
    """The data table in full precision, headed by the settings that made it as comment lines."""
    out = io.StringIO()
    out.write(f"# Long Gap: {lab.title}. {_searchable(frame.sentence)}\n")
    for name, value in lab.written(frame.made_by).items():
        out.write(f"# {name} = {value}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(frame.table.headings)
    writer.writerows(frame.table.rows)
    return out.getvalue()


def _searchable(sentence: str) -> str:
    """With plain spaces, as people type them: in a file no line breaks."""
    return sentence.replace("\u00a0", " ")
