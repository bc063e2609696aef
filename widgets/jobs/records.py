"""What a job has reported, in bounded memory: evenly thinned as it grows, and taken back when a turn is lost."""

from collections import defaultdict
from collections.abc import Mapping


class Records:
    """Records by kind, in the order of their coming; of each kind `limit` at most."""

    def __init__(self, limit: int):
        self._kinds: dict[str, _Thinned] = defaultdict(lambda: _Thinned(limit))

    def __getitem__(self, kind: str) -> list[Mapping]:
        """The records of a kind: at even distances, and the newest in any case."""
        return self._kinds[kind].all() if kind in self._kinds else []

    def add(self, kind: str, record: Mapping) -> None:
        self._kinds[kind].add(record)

    def save(self) -> None:
        """What has come so far belongs to a checkpoint."""
        for thinned in self._kinds.values():
            thinned.save()

    def roll_back(self) -> None:
        """Forget what has come since the last checkpoint: it will come again."""
        for thinned in self._kinds.values():
            thinned.roll_back()

    def clear(self) -> None:
        self._kinds.clear()


class _Thinned:
    """Of the records 0, 1, 2, … those whose number is a multiple of a stride, which doubles when room runs out."""

    def __init__(self, limit: int):
        self._limit = limit
        self._stride = 1
        self._kept: list[Mapping] = []
        self._count, self._newest = 0, None
        self._saved = self._count, self._newest

    def add(self, record: Mapping) -> None:
        if self._count % self._stride == 0:
            self._kept.append(record)
        self._count, self._newest = self._count + 1, record
        # The newest may stand beside those that are kept.
        if len(self._kept) >= self._limit:
            self._stride *= 2
            self._kept = self._kept[::2]

    def all(self) -> list[Mapping]:
        if not self._kept or (self._count - 1) % self._stride == 0:
            return list(self._kept)
        return [*self._kept, self._newest]

    def save(self) -> None:
        self._saved = self._count, self._newest

    def roll_back(self) -> None:
        self._count, self._newest = self._saved
        self._kept = self._kept[: -(-self._count // self._stride)]
