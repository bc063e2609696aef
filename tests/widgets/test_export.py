"""The CSV file says what it holds."""

import csv
import io
from dataclasses import replace

from widgets.base.export import csv_text
from widgets.base.numbers import percent
from widgets.echo import EchoLab


def test_the_file_is_headed_by_the_settings_and_holds_full_precision():
    lab = EchoLab()
    lab.adopt(weight=0.8, steps=3)
    frame = lab.compute()
    head = [line for line in csv_text(lab, frame).splitlines() if line.startswith("#")]
    assert head[1:] == ["# weight = 0.8", "# pulse = 1", "# start = 0", "# steps = 3", "# activation = tanh"]
    body = [line for line in csv_text(lab, frame).splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(io.StringIO("\n".join(body))))
    assert [float(row["h_t"]) for row in rows] == frame.table.columns[2].tolist()


def test_a_share_in_the_sentence_can_be_searched_for_with_a_plain_space():
    frame = replace(EchoLab().compute(), sentence=f"It keeps {percent(0.2)}.")
    assert csv_text(EchoLab(), frame).startswith("# Long Gap: Echo. It keeps 20 %.\n")
