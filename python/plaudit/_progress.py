"""Progress on standard error, by tqdm's conventions: a bar on a terminal or in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

Told = Callable[[int, int], None]


class Progress:
    """`show`: True, False, or None for a bar where standard error is a terminal; or a function of the runs done and
    the runs to do."""

    def __init__(self, show: Union[None, bool, Told], name: str) -> None:
        self._bar: Any = None
        self._name = name
        self.told: Optional[Told] = None
        if callable(show):
            self.told = show
        elif show or (show is None and sys.stderr is not None and sys.stderr.isatty()):
            self.told = self._on_bar

    def _on_bar(self, done: int, total: int) -> None:
        if self._bar is None:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]
            except ImportError:
                tqdm = _Line
            self._bar = tqdm(total=total, desc=self._name, unit="runs", unit_scale=True, leave=False)
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()


class _Line:
    """What is shown where tqdm is not installed."""

    def __init__(self, total: int, desc: str, **_: Any) -> None:
        self.n = 0
        self._total, self._desc = total, desc

    def update(self, more: int) -> None:
        self.n += more
        share = 100.0 * self.n / max(self._total, 1)
        print("\r%s: %3.0f%% of %d runs" % (self._desc, share, self._total), end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
