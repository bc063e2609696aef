"""What a handed-in file is, before anything of it is run."""

from pathlib import Path

import pytest

from core.exercises.apart.handin import source
from core.exercises.contract import Fault


@pytest.fixture
def read(tmp_path):
    def write_and_read(data, name="handed.py", most=10_000):
        (tmp_path / name).write_bytes(data)
        return source(tmp_path / name, most)

    return write_and_read


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a = 1\n", "a = 1\n"),
        (b"a = 1\r\nb = 2\r", "a = 1\nb = 2\n"),
        ("\ufeffa = 'ö'".encode(), "a = 'ö'"),
        ("# -*- coding: latin-1 -*-\na = 'ö'".encode("latin-1"), "# -*- coding: latin-1 -*-\na = 'ö'"),
    ],
)
def test_text_is_read_as_python_reads_it(read, data, text):
    assert read(data) == text


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"PK\x03\x04rest", "essay.py", "office document"),
        (b"%PDF-1.7", "essay.py", "PDF"),
        (b"{\\rtf1", "essay.py", "rich text"),
        (b"\x7fELF", "a.py", "a program"),
        ("a = 1".encode("utf-16"), "a.py", "UTF-16"),
        (b"a = 1\0", "a.py", "binary"),
        (b"", "a.py", "empty"),
        (b" \n\t\n", "a.py", "empty"),
        (b'{"cells": []}', "a.ipynb", "notebook"),
        (b'\n {"cells": [], "metadata": null, "nbformat": 4}', "a.py", "notebook"),
        (b"x = 1\n" * 5000, "a.py", "30,000 bytes"),
        (b"# coding: no-such\na = 1", "a.py", "encoding"),
    ],
)
def test_what_is_no_python_is_said_to_be_what_it_is(read, data, name, words):
    fault = read(data, name)
    assert fault.kind == "not-python"
    assert words in fault.sentence
    assert fault.hint


def test_what_is_not_utf8_is_shown_where_it_is(read):
    fault = read("a = 1\n# Gruß\nb = 2\n".encode("latin-1"))
    assert (fault.kind, fault.line) == ("not-python", 2)
    assert fault.source.startswith("# Gru")


def test_folders_and_missing_paths_are_no_files(tmp_path):
    assert "is a folder" in source(tmp_path, 10).sentence
    assert "is not there" in source(tmp_path / "none.py", 10).sentence
    assert isinstance(source(tmp_path / "a\0b.py", 10), Fault)


def test_a_dict_in_a_files_first_line_makes_no_notebook(read):
    text = '{"cells": 1}\ndef f(): pass\n'
    assert read(text.encode()) == text


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "a.py").write_text("a = 1")
    (tmp_path / "b.py").symlink_to("a.py")
    assert "is a link" in source(tmp_path / "b.py", 100).sentence


def test_what_may_not_be_read_says_so(read, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert read(b"a = 1").sentence == "The file cannot be read (permission denied)."
