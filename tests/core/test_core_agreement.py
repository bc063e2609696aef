import itertools
import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from core.agreement import (
    ADVERBS,
    LONGEST,
    OPENINGS,
    PEOPLE,
    PLACES,
    SHORTEST,
    VERBS,
    AgreementSentence,
    agreement,
    agreement_entropy,
    agreement_set,
)

ONE, SEVERAL = ({re.sub(r"\[(.*)\|(.*)\]", rf"\{form}", verb) for verb in VERBS} for form in (1, 2))
LINES = agreement(300_000, 1).splitlines()
NOUN = re.compile(r"the (\w*m([ae])n)\b")


def parts(line):
    """Opening, noun, number, the nouns between with their numbers, all other words, and the verb."""
    opening, rest = re.fullmatch(r"([\w ]+?) where (the [\w ]+)\.", line).groups()
    (noun, number), *between = NOUN.findall(rest)
    other = NOUN.sub("", rest).split()
    return opening, noun, number, between, other[:-1], other[-1]


def test_every_sentence_is_grammatical():
    for line in LINES:
        opening, noun, number, between, other, verb = parts(line)
        assert opening in OPENINGS
        assert noun[:-3] in PEOPLE
        assert all(word[:-3] in PEOPLE for word, _ in between)
        assert other[: len(between)] == [word for word in other if word in PLACES]
        assert set(other[len(between) :]) <= set(ADVERBS)
        assert len(other) <= len(between) + 1
        assert verb in (ONE if number == "a" else SEVERAL)


def distance_of(line):
    """Characters between the letter of the first noun and the first at which the two forms differ."""
    telling = NOUN.search(line).start(2)
    stem = next(len(verb.split("[")[0]) for verb in VERBS if fits(verb, line.split()[-1]))
    return line.rindex(" ") + 1 + stem - telling - 1


def fits(verb, word):
    return re.fullmatch(verb.replace("[", "(").replace("]", ")") + r"\.", word)


def test_distances_are_spread_evenly_over_all_of_the_range():
    counts = Counter(map(distance_of, LINES))
    assert set(counts) == set(range(SHORTEST, LONGEST + 1)) == set(range(2, 61))
    expected = len(LINES) / 59
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 98  # 58 degrees of freedom, p = 0.001


def test_nouns_of_the_other_number_stand_between_wherever_there_is_room():
    other, several = [], []
    for line in LINES:
        _, _, number, between, _, _ = parts(line)
        assert between or distance_of(line) < 28
        other += [letter != number for _, letter in between]
        several += [letter == "e" for _, letter in between]
        assert len(between) >= 2 or distance_of(line) < 44
    for coin in (other, several):
        assert np.mean(coin) == pytest.approx(0.5, abs=2 / np.sqrt(len(coin)))


def test_either_number_is_as_likely():
    several = [parts(line)[2] == "e" for line in LINES]
    assert np.mean(several) == pytest.approx(0.5, abs=1.5 / np.sqrt(len(several)))


def features(line, before):
    """What a learner that does not see the telling letter might go by."""
    opening, noun, _, between, other, verb = parts(line)
    letters = [letter for _, letter in between]
    stem = next(verb_ for verb_ in VERBS if fits(verb_, verb + "."))
    return {
        "distance": distance_of(line),
        "opening": opening,
        "person": noun[:-3],
        "verb": stem,
        "adverb": other[-1] if other and other[-1] in ADVERBS else None,
        "place of the dependent character": len(opening) + len(noun) + distance_of(line),
        "next noun": letters[:1],
        "last noun": letters[-1:],
        "all nouns between": letters,
        "more of one number": letters.count("a") - letters.count("e"),
        "the words between": other[: len(between)],
        "the sentence before": parts(before)[2],
    }


def accuracy_by(feature):
    """How often the likelier number given a feature, as counted in the first half, is right in the second."""
    seen = defaultdict(Counter)
    pairs = [
        (repr(features(line, before)[feature]), parts(line)[2]) for before, line in itertools.pairwise(LINES)
    ]
    half = len(pairs) // 2
    for value, number in pairs[:half]:
        seen[value][number] += 1
    right = [
        seen[value]["a"] > seen[value]["e"] if number == "a" else seen[value]["e"] >= seen[value]["a"]
        for value, number in pairs[half:]
    ]
    return np.mean(right), 1 / (2 * np.sqrt(len(right)))


@pytest.mark.parametrize("feature", features(LINES[0], LINES[1]))
def test_nothing_but_the_telling_letter_helps(feature):
    accuracy, deviation = accuracy_by(feature)
    assert abs(accuracy - 0.5) < 3.5 * deviation


def test_the_set_holds_as_many_frames_of_each_distance_in_both_numbers():
    sentences = agreement_set(3, 0)
    assert Counter(sentence.distance for sentence in sentences) == dict.fromkeys(range(2, 61), 6)
    for sentence in sentences:
        assert sentence.distance == distance_of(sentence.text.rstrip("\n"))
        assert sentence.telling == NOUN.search(sentence.text).start(2)
        assert sentence.text[sentence.dependent] == sentence.right != sentence.wrong
        assert sentence.text.endswith(".\n")
        assert sentence.text.count("\n") == 1


def test_the_two_sentences_of_a_frame_differ_in_the_telling_letter_and_from_the_dependent_character_on():
    sentences = agreement_set(4, 1)
    for one, several in zip(sentences[::2], sentences[1::2], strict=True):
        assert (one.telling, one.dependent) == (several.telling, several.dependent)
        assert (one.text[one.telling], several.text[several.telling]) == ("a", "e")
        assert (one.right, one.wrong) == (several.wrong, several.right)
        left, right = list(one.text[: one.dependent]), list(several.text[: several.dependent])
        left[one.telling] = right[several.telling]
        assert left == right
        assert parts(one.text.strip())[-1] in ONE
        assert parts(several.text.strip())[-1] in SEVERAL


def test_the_wrong_form_is_the_only_rival_of_the_right_one():
    words = (*PLACES, *ADVERBS, *ONE, *SEVERAL)
    for verb in VERBS:
        stem, forms = verb[: verb.index("[")], re.findall(r"\[(.*)\|(.*)\]", verb)[0]
        for form in forms:
            begins = (stem + form + ".")[: len(stem) + 1]
            rivals = {word for word in words if (word + " ").startswith(begins)}
            assert rivals <= {stem + form for form in forms}


def test_a_sentence_worked_out_by_hand():
    sentence = AgreementSentence("ask where the man is.\n", 15, 18, "i", "a")
    assert sentence.distance == 2
    assert agreement_set(1, 0, [2])[0].text.endswith("man is.\n")
    assert agreement_set(1, 0, [2])[1].text.endswith("men are.\n")


def test_the_same_seed_gives_the_same_text_and_another_a_fresh_one():
    text = agreement(5000, 3)
    assert 5000 <= len(text) < 5100
    assert agreement(9000, 3).startswith(text)
    assert agreement(5000, 4)[:200] != text[:200]
    assert agreement_set(1, 0) == agreement_set(1, 0) != agreement_set(1, 1)
    assert agreement_set(2, 0, [7, 50]) == (*agreement_set(2, 0, [7]), *agreement_set(2, 0, [50]))


def nats_to_go():
    """Nats of all choices that are left when the dependent character is n away, from n = 0 on, left to right."""
    phrases = Counter(len(f"{place} the {person}men ") for place in PLACES for person in PEOPLE)
    adverbs = ("", *(f"{adverb} " for adverb in ADVERBS))
    endings = Counter(len(adverb) + verb.index("[") for adverb in adverbs for verb in VERBS)
    nats = {}
    for left in range(LONGEST - 1):
        after = {length: count for length, count in phrases.items() if left - length in nats}
        options = endings[left] + sum(after.values())
        if options:
            later = sum(count * (np.log(2) + nats[left - length]) for length, count in after.items())
            nats[left] = np.log(options) + later / options
    return nats


def test_the_entropy_rate_is_that_of_the_choices_over_the_mean_length():
    nats = nats_to_go()
    before = np.log(len(OPENINGS)) + np.log(59) + np.log(len(PEOPLE)) + np.log(2)
    frames = before + np.mean([nats[distance - 2] for distance in range(2, 61)])
    to_letter = np.mean([len(o) for o in OPENINGS]) + len(" where the m") + np.mean([len(p) for p in PEOPLE])
    tails = [len(line) - NOUN.search(line).start(2) - 1 - distance_of(line) + len("\n") for line in LINES]
    length = to_letter + 1 + 31 + np.mean(tails)
    deviation = np.std(tails) / np.sqrt(len(tails)) / length
    assert deviation < 0.0005
    assert agreement_entropy() == pytest.approx(frames / length, rel=4 * deviation)


@pytest.mark.parametrize("distance", [1, 61, 2.0, "2", True])
def test_distances_out_of_range_are_refused(distance):
    with pytest.raises(ValueError, match=f"distances must be an integer from 2 to 60, got {distance!r}"):
        agreement_set(1, 0, [distance])


@pytest.mark.parametrize("value", [-1, 0.5, None])
def test_numbers_out_of_range_are_refused(value):
    for call, name, least in (
        (lambda: agreement(value, 0), "characters", 1),
        (lambda: agreement(10, value), "seed", 0),
        (lambda: agreement_set(value, 0), "frames", 1),
        (lambda: agreement_set(1, value), "seed", 0),
    ):
        with pytest.raises(ValueError, match=f"{name} must be an integer of at least {least}, got {value!r}"):
            call()
