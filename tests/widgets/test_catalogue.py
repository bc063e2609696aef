"""What holds for every lab, by its declaration alone."""

from pathlib import Path

import numpy as np
import pytest

from app import address
from widgets.catalogue import LABS, find
from widgets.lab import RESERVED
from widgets.page.text import _TEXTS

each_lab = pytest.mark.parametrize("kind", LABS, ids=lambda kind: kind.slug)
PRESETS = [(kind, preset) for kind in LABS for preset in kind.presets]


def test_slugs_are_found():
    assert [find(kind.slug) for kind in LABS] == list(LABS)
    assert find("no-such") is None


@each_lab
def test_settings_are_declared_whole(kind):
    for name, setting in kind.settings().items():
        assert name not in RESERVED
        assert setting.label
        assert setting.doc
        if hasattr(setting, "bounds"):
            assert setting.bounds[0] <= setting.default <= setting.bounds[1]
            assert setting.step


@each_lab
def test_the_prose_is_there(kind):
    assert Path(_TEXTS / f"{kind.slug}.md").read_text(encoding="utf-8").startswith("## ")


@pytest.mark.parametrize(("kind", "preset"), PRESETS, ids=lambda x: getattr(x, "slug", None) or x.name)
def test_presets_compute_and_keep_their_name(kind, preset):
    lab = kind()
    lab.adopt(**preset.settings)
    assert lab.present_preset() is preset
    frame = lab.compute()
    assert frame.sentence.endswith(".")
    assert preset.look_for.endswith(".")
    assert len({r.key for r in frame.readouts}) == len(frame.readouts)
    assert len({len(column) for column in frame.table.columns}) == 1
    for columns in frame.columns.values():
        assert len({len(column) for column in columns.values()}) == 1


@each_lab
def test_the_same_settings_give_the_same_frame(kind):
    one, two = kind().compute(), kind().compute()
    assert one.sentence == two.sentence
    for name, columns in one.columns.items():
        for key, column in columns.items():
            np.testing.assert_array_equal(np.asarray(column), np.asarray(two.columns[name][key]))


@pytest.mark.parametrize(("kind", "preset"), PRESETS, ids=lambda x: getattr(x, "slug", None) or x.name)
@pytest.mark.parametrize("write", [address.write, address.write_all])
def test_addresses_come_back_as_they_went(kind, preset, write):
    lab = kind()
    lab.adopt(**preset.settings)
    visit = address.read(address.parse_search(write(lab)))
    assert visit.notices == []
    assert visit.lab.values() == lab.values()
