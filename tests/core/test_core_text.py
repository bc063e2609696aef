import numpy as np
import pytest

from core.text import Vocabulary, decode_upload, streams, vocabulary_of

TEXT = "the zebra, 漢字 and 🙂é\n"


def test_a_vocabulary_is_sorted_by_code_point_and_an_id_is_a_place_in_it():
    vocabulary = vocabulary_of("ba é\n🙂aB")
    assert vocabulary.characters == ("\n", " ", "B", "a", "b", "é", "🙂")
    assert vocabulary.size == 7
    ids = vocabulary.encode("ab🙂\n")
    assert ids.tolist() == [3, 4, 6, 0]
    assert np.issubdtype(ids.dtype, np.integer)
    assert vocabulary == vocabulary_of("🙂ébBa \n")


def test_what_is_encoded_is_decoded_again():
    vocabulary = vocabulary_of(TEXT + "\ud800")
    for text in (TEXT, TEXT[::-1], "\ud800", ""):
        assert vocabulary.decode(vocabulary.encode(text)) == text
    assert vocabulary.decode([]) == ""


@pytest.mark.parametrize(
    ("text", "got"), [("", "an empty one"), ("aaa", "3 times 'a'"), ("\n", "1 times '\\\\n'")]
)
def test_a_text_with_nothing_to_predict_is_refused(text, got):
    with pytest.raises(ValueError, match=f"text must have at least 2 distinct characters, got {got}"):
        vocabulary_of(text)


@pytest.mark.parametrize(
    ("characters", "fault"),
    [
        (["a", "b"], "a tuple of single characters"),
        (("a", "bc"), "a tuple of single characters"),
        (("a", 1), "a tuple of single characters"),
        (("a",), "at least 2"),
        ((), "at least 2"),
        (("b", "a"), "distinct and sorted"),
        (("a", "a"), "distinct and sorted"),
    ],
)
def test_a_vocabulary_of_another_kind_is_refused(characters, fault):
    with pytest.raises(ValueError, match=f"characters must be {fault}"):
        Vocabulary(characters)


@pytest.mark.parametrize("unknown", ["€", "A", "z", "\0", "\U0010ffff"])
def test_a_character_outside_the_vocabulary_is_named_with_its_place(unknown):
    vocabulary = vocabulary_of("abc")
    with pytest.raises(ValueError, match=rf"only the 3 characters .* \(U\+{ord(unknown):04X}\) at index 2"):
        vocabulary.encode("ab" + unknown + "€")


@pytest.mark.parametrize("wrong", [3, -1])
def test_an_id_outside_the_vocabulary_is_named_with_its_place(wrong):
    with pytest.raises(ValueError, match=f"ids must be from 0 to 2, got {wrong} at index 1"):
        vocabulary_of("abc").decode([0, wrong, 9])


@pytest.mark.parametrize("ids", [[0.0, 1.0], [[0, 1]], "ab", [[0], [0, 1]], 3, [True, False]])
def test_ids_that_are_no_row_of_integers_are_refused(ids):
    with pytest.raises(ValueError, match="ids must be a row of integers"):
        vocabulary_of("abc").decode(ids)
    with pytest.raises(ValueError, match="ids must be a row of integers"):
        streams(ids, 1, 1)


@pytest.mark.parametrize("text", [None, b"ab", 3])
def test_what_is_no_string_is_refused(text):
    for read in (vocabulary_of, vocabulary_of("abc").encode):
        with pytest.raises(ValueError, match="text must be a string"):
            read(text)


def test_streams_by_hand():
    laid = streams(np.arange(13), 2, 3)
    assert (laid.chunks, laid.truncation) == (2, 3)
    assert [[part.tolist() for part in laid.chunk(k)] for k in range(2)] == [
        [[[0, 1, 2], [6, 7, 8]], [[1, 2, 3], [7, 8, 9]]],
        [[[3, 4, 5], [9, 10, 11]], [[4, 5, 6], [10, 11, 12]]],
    ]


@pytest.mark.parametrize("characters", [21, 40, 41, 97, 1000])
@pytest.mark.parametrize(("rows", "steps"), [(4, 5), (1, 20), (20, 1), (2, 3)])
def test_chunks_of_a_row_go_on_where_the_last_one_ended(characters, rows, steps):
    ids = np.random.default_rng(0).integers(0, 9, characters)
    laid = streams(ids, rows, steps)
    chunks = [laid.chunk(k) for k in range(laid.chunks)]
    assert all(inputs.shape == targets.shape == (rows, steps) for inputs, targets in chunks)
    read = np.hstack([inputs for inputs, _ in chunks])
    predicted = np.hstack([targets for _, targets in chunks])
    np.testing.assert_array_equal(read[:, 1:], predicted[:, :-1])
    np.testing.assert_array_equal(read.ravel(), ids[: read.size])
    np.testing.assert_array_equal(predicted.ravel(), ids[1 : read.size + 1])
    assert 0 <= characters - 1 - read.size < rows * steps


def test_streams_copy_nothing_and_cannot_be_written_to():
    ids = np.arange(1000)
    laid = streams(ids, 4, 5)
    assert all(np.shares_memory(part, ids) for part in (*laid.chunk(3), laid.inputs, laid.targets))
    for part in laid.chunk(0):
        with pytest.raises(ValueError, match="read-only"):
            part[0, 0] = 1
    assert ids.flags.writeable


def test_a_text_too_short_for_one_chunk_is_refused_with_the_numbers():
    message = r"ids must be at least 2049 characters .* 32 rows .* 64 steps \(32 · 64 \+ 1\), got 2048"
    with pytest.raises(ValueError, match=message):
        streams(np.zeros(2048, dtype=int), 32, 64)
    assert streams(np.zeros(2049, dtype=int), 32, 64).chunks == 1
    with pytest.raises(ValueError, match="got 0"):
        streams([], 1, 1)


@pytest.mark.parametrize("value", [0, -1, 2.0, True, "4", None])
def test_sizes_that_are_no_positive_integer_are_refused(value):
    for name in ("batch_size", "truncation"):
        with pytest.raises(ValueError, match=f"{name} must be an integer of at least 1, got {value!r}"):
            streams(np.arange(99), **{"batch_size": 2, "truncation": 3, name: value})


def test_negative_ids_are_refused():
    with pytest.raises(ValueError, match="ids must be 0 or above, got -2 at index 3"):
        streams([0, 1, 2, -2, -3, 4], 1, 1)


@pytest.mark.parametrize("k", [-1, 2, 0.0])
def test_a_chunk_that_is_not_there_is_refused(k):
    with pytest.raises(ValueError, match="k must be an integer from 0 to 1, got"):
        streams(np.arange(13), 2, 3).chunk(k)


def test_an_upload_is_read_as_utf_8():
    text = TEXT * 3
    assert decode_upload(text.encode()) == text
    assert decode_upload(b"\xef\xbb\xbf" + text.encode()) == text
    assert decode_upload(text.replace("\n", "\r\n").encode()) == text
    assert decode_upload(text.replace("\n", "\r").encode()) == text
    assert decode_upload(bytearray(text.encode())) == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "^The text is empty"),
        (b"ab" * 100_001, "too long: 200,002 bytes, and at most 200,000"),
        (b"a" * 20 + b"\xff" + b"a" * 20, "not UTF-8: byte 21 cannot be read"),
        ("ein längerer Text".encode("latin-1"), "not UTF-8: byte 6"),
        ("a longer text".encode("utf-16"), "not UTF-8: byte 1"),
        ("a longer text".encode("utf-16-le"), "not a plain text"),
        (b"abcdefghijklmnop", "too short: 16 characters, and at least 17"),
        (("漢" * 16).encode(), "too short: 16 characters"),
        (b"\xef\xbb\xbf", "The text is empty."),
        (b"x" * 17, "nothing but the character “x”: "),
        (b"\r\n" * 17, "nothing but line ends: "),
        (
            "".join(map(chr, range(0x4E00, 0x4E00 + 5001))).encode(),
            "5,001 different characters, and at most 5,000",
        ),
    ],
)
def test_an_upload_that_cannot_be_trained_on_is_refused_in_plain_words(data, message):
    with pytest.raises(ValueError, match=message):
        decode_upload(data)


@pytest.mark.parametrize("data", ["a longer text, but no bytes", None])
def test_an_upload_is_bytes(data):
    with pytest.raises(ValueError, match="data must be bytes, got"):
        decode_upload(data)


def test_the_bounds_of_an_upload_are_included():
    assert len(decode_upload(b"ab" * 100_000)) == 200_000
    assert len(decode_upload(b"ab" * 8 + b"c")) == 17
    assert len(decode_upload("".join(map(chr, range(0x4E00, 0x4E00 + 5000))).encode())) == 5000
    assert decode_upload(b"ab", limit=2, least=2) == "ab"
    with pytest.raises(ValueError, match="at most 1 can be read"):
        decode_upload(b"ab", limit=1, least=2)


def test_an_upload_just_long_enough_fills_the_smallest_batch():
    text = decode_upload(b"hello hello hello")
    assert streams(vocabulary_of(text).encode(text), 4, 4).chunks == 1


def test_a_long_text_is_encoded_as_python_would():
    text = TEXT * 2000
    vocabulary = vocabulary_of(text)
    assert vocabulary.encode(text).tolist() == [vocabulary.characters.index(c) for c in text]
