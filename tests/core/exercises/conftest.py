"""What several tests of the command share."""

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of the test's own, which is the present one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
