"""What a trace says."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Dict, List, Optional, Tuple

from .diagnosis import Difference


@dataclasses.dataclass
class Trace:
    """What two runs with the same noise show.

    * `suspected`: whether there is a difference that noise does not explain.
    * `differences`: those, the surest first; `outcome`: of the run on D, the same as without a trace.
    * `spent`: what the draws cost on this pair by composition: `epsilon` of pure noise, and apart from it `mu` of
      Gaussian noise; None if it is not known. Where noise decides what is done next, it is an upper bound, and
      `at_most` is true. `claim`: what it was held against.
    * `pair`: the datasets, those on which most moves; `pairs`: how many were traced.
    * `draws`: (line, kind, number) of the draws. `unseen`: what a trace cannot see. `notes`: what was seen and is no
      mistake.
    """

    name: str
    differences: List[Difference]
    outcome: Any
    spent: Optional[Dict[str, float]]
    at_most: bool
    claim: Dict[str, float]
    draws: List[Tuple[str, str, int]]
    notes: List[str]
    unseen: List[str]
    runs: int
    seconds: float
    pair: Tuple[Any, Any] = (None, None)
    pairs: int = 1

    @property
    def suspected(self) -> bool:
        """True if there is a difference that noise does not explain."""
        return bool(self.differences)

    def to_json(self) -> Dict[str, Any]:
        """The trace as values for JSON: infinite losses are the text "infinite"."""
        # What a function returns and gets need not be copied, and may not be JSON.
        found = dataclasses.asdict(dataclasses.replace(self, outcome=None, pair=(None, None)))
        del found["outcome"], found["pair"]
        found["suspected"] = self.suspected
        finite: Dict[str, Any] = _finite(found)
        return finite

    def _headline(self) -> str:
        if self.differences:
            return "suspected at %s" % ", ".join(dict.fromkeys(d.where for d in self.differences))
        for note in self.notes:
            if note.startswith("both runs end") or "was not followed" in note:
                return "nothing is suspected, but " + note
        return "nothing is suspected"

    def __str__(self) -> str:
        lines = ["%s: %s" % (self.name, self._headline())]
        for one in self.differences:
            lines += ["  " + line for line in str(one).splitlines()]
            lines.append("      %s; %s" % (one.rule, _price(one)))
        if self.spent is not None:
            costs = ["%s %s" % (word, _say(value)) for word, value in self.spent.items() if value]
            claimed = ", ".join("%s %.4g" % (word, value) for word, value in self.claim.items())
            lines.append(
                "  the draws cost %s%s on this pair%s"
                % (
                    "at most " if self.at_most else "",
                    " and ".join(costs) or "nothing",
                    "; claimed: %s" % claimed if claimed else "",
                )
            )
        lines += ["  note: " + note for note in self.notes]
        lines.append("  not seen: %s" % "; ".join(self.unseen))
        return "\n".join(lines)


def _say(value: float) -> str:
    return "infinite" if math.isinf(value) else "%.4g" % value


def _price(one: Difference) -> str:
    if one.epsilon is None:
        return "its cost is not known"
    return "costs epsilon %s if all else is right" % _say(one.epsilon)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "infinite" if math.isinf(value) else None
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return value
