"""Records: bounded, evenly thinned, and taken back with a lost turn."""

from itertools import pairwise

import pytest

from widgets.jobs.records import Records


def numbers(records, kind="a"):
    return [record["n"] for record in records[kind]]


def fill(records, start, end, kind="a"):
    for n in range(start, end):
        records.add(kind, {"n": n})


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1000, 12345])
@pytest.mark.parametrize("limit", [2, 7, 8])
def test_never_more_than_the_limit_at_even_distances_and_the_newest_last(limit, count):
    records = Records(limit)
    fill(records, 0, count)
    kept = numbers(records)
    assert len(kept) <= limit
    assert len(kept) >= min(count, limit // 2)
    assert kept[-1:] == [count - 1] * bool(count)
    assert len({b - a for a, b in pairwise(kept[:-1])}) <= 1
    assert kept[:1] == [0] * bool(count)


def test_below_the_limit_all_are_kept():
    records = Records(10)
    fill(records, 0, 9)
    assert numbers(records) == list(range(9))


def test_each_kind_is_thinned_by_itself():
    records = Records(8)
    fill(records, 0, 1000)
    fill(records, 0, 3, "b")
    assert numbers(records, "b") == [0, 1, 2]
    assert records["c"] == []


@pytest.mark.parametrize("lost", [1, 3, 50])
def test_what_a_lost_turn_brought_comes_again_as_if_it_had_not(lost):
    straight, broken = Records(8), Records(8)
    fill(straight, 0, 100)
    fill(broken, 0, 21)
    broken.save()
    fill(broken, 21, 21 + lost)
    broken.roll_back()
    assert numbers(broken)[-1] == 20
    fill(broken, 21, 100)
    assert numbers(broken) == numbers(straight)


def test_rolled_back_to_nothing():
    records = Records(8)
    fill(records, 0, 3)
    records.roll_back()
    assert numbers(records) == []
    fill(records, 0, 2)
    assert numbers(records) == [0, 1]


def test_clear_forgets_all():
    records = Records(8)
    fill(records, 0, 3)
    records.clear()
    assert numbers(records) == []
