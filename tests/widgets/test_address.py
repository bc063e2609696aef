"""Addresses: short where they can be, whole where they must last, and never a fault."""

import pytest

from app.address import parse_search, read, write, write_all
from widgets.brackets.lab import BracketLab
from widgets.catalogue import LABS
from widgets.cliff.lab import CliffLab
from widgets.echo import EchoLab
from widgets.jacobians.lab import JacobianLab
from widgets.training.lab import TrainingLab


def lab_with(kind, **settings):
    lab = kind()
    lab.adopt(**settings)
    return lab


@pytest.mark.parametrize("kind", LABS)
def test_the_defaults_are_named_by_the_lab_alone(kind):
    assert write(kind()) == f"?lab={kind.slug}"


@pytest.mark.parametrize(
    ("lab", "search"),
    [
        (lab_with(EchoLab, weight=0.8), "?lab=echo&weight=0.8"),
        (lab_with(EchoLab, weight=1.5, pulse=0, steps=20), "?lab=echo&preset=growing"),
        (lab_with(JacobianLab, spectral_radius=1.1, seed=7), "?lab=jacobians&preset=orthogonal-1.1&seed=7"),
        (lab_with(JacobianLab, spectral_radius=1.1, k=7), "?lab=jacobians&preset=orthogonal-1.1&k=7"),
        (lab_with(CliffLab, bias=0.558), "?lab=cliff&preset=on-the-cliff"),
        (lab_with(CliffLab, bias=0.56), "?lab=cliff&bias=0.56"),
        (lab_with(BracketLab, forget_gate=False, cursor=3), "?lab=brackets&preset=carousel-1997&cursor=3"),
        (lab_with(BracketLab, text="a&b=c?", cursor=2), "?lab=brackets&text=a%26b%3Dc%3F&cursor=2"),
    ],
)
def test_a_short_address_names_the_preset_and_what_differs(lab, search):
    assert write(lab) == search
    assert read(parse_search(search)).lab.values() == lab.values()


def test_a_text_in_the_address_takes_along_what_stands_at_its_end():
    long = "(" * 60
    assert read(parse_search(f"?lab=brackets&text={long}")).lab.cursor == 60
    amid = lab_with(BracketLab, text=long, cursor=44)
    assert write(amid).endswith("&cursor=44")
    assert read(parse_search(write(amid))).lab.values() == amid.values()


def test_a_lasting_address_names_every_setting():
    assert set(parse_search(write_all(EchoLab()))) == {"lab", *EchoLab.settings()}


def test_bounds_that_follow_are_in_force_when_their_turn_comes():
    visit = read(parse_search("?lab=jacobians&k=150&gap=200"))
    assert (visit.lab.gap, visit.lab.k, visit.notices) == (200, 150, [])
    visit = read(parse_search("?lab=jacobians&gap=20&k=150"))
    assert (visit.lab.gap, visit.lab.k) == (20, 20)
    assert "k: expected a number from 1 to 20" in visit.notices[0]


def test_a_preset_that_was_departed_from_stays_in_both_addresses():
    """Its windows and its advice are in force, and a reload or a link brings them back."""
    lab = lab_with(EchoLab, weight=1.5, pulse=0, steps=25)
    growing = lab.preset("growing")
    assert write(lab, growing) == "?lab=echo&preset=growing&steps=25"
    for search in (write(lab, growing), write_all(lab, growing)):
        visit = read(parse_search(search))
        assert (visit.lab.values(), visit.hint) == (lab.values(), growing)
    assert set(parse_search(write_all(lab, growing))) == {"lab", "preset", *EchoLab.settings()}
    # The first preset's windows are the lab's own, and a preset that is in force outdoes the one before it.
    assert write(lab_with(EchoLab, weight=0.8), EchoLab.presets[0]) == "?lab=echo&weight=0.8"
    assert (
        write(lab_with(EchoLab, **growing.settings), EchoLab().preset("capped")) == "?lab=echo&preset=growing"
    )


def test_unknown_keys_are_ignored():
    assert read(parse_search("?lab=echo&utm_source=x&name=y&n=²")).notices == []


def test_minus_zero_is_written_as_zero():
    assert "weight=0&" in write_all(lab_with(EchoLab, weight=-0.0))


def test_a_second_lab_in_an_address_is_left_aside_with_a_notice():
    visit = read(parse_search("?lab=echo&weight=1.5&lab=brackets"))
    assert (visit.lab.slug, visit.lab.weight) == ("echo", 1.5)
    assert "more than one lab" in visit.notices[0]


TOKEN = "Zk3_x-9QabcdEFGH012345"


def running(**settings):
    lab = lab_with(TrainingLab, **settings)
    lab.run = TOKEN
    return lab


@pytest.mark.parametrize(
    ("settings", "rest"),
    [
        ({}, ""),
        ({"seed": 4}, "&seed=4"),
        ({"corpus": "agreement", "steps": 1300, "learning_rate": 0.005}, "&preset=agreement"),
    ],
)
def test_the_short_address_leads_back_to_ones_run_and_a_link_does_not(settings, rest):
    lab = running(**settings)
    found = read(parse_search(write(lab)))
    assert (found.lab.run, found.lab.values(), found.notices) == (TOKEN, lab.values(), [])
    assert write(lab).count("&") == 1 + bool(rest)
    assert rest in write(lab)
    assert "run" not in parse_search(write_all(lab))


@pytest.mark.parametrize(
    "token", ["<script>alert(1)</script>", "\x00\u202e", "漢" * 9000, "../../etc/passwd", ""]
)
def test_a_hostile_run_is_text_of_bounded_length_and_costs_nothing(token):
    found = read({"lab": ["training"], "run": [token, "another"], "seed": ["7"]})
    assert found.lab.run.isprintable()
    assert len(found.lab.run) <= 40
    assert (found.lab.seed, found.notices) == (7, [])
    assert "<" not in write(found.lab)


def test_a_run_is_no_setting():
    assert "run" not in TrainingLab.settings()
    assert TOKEN not in running().describe()
    assert running().present_preset().name == "toy-language"
