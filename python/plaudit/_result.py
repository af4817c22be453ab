"""What an audit found."""

from __future__ import annotations

import enum
import html
import json
import os
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union


class Verdict(str, enum.Enum):
    """What an audit says of a claim (docs/verdicts.md).

    It equals its text: `result.verdict == "not refuted"`. Comparing it with another text raises ValueError:
    `assert result.verdict != "refuted"` could not fail.
    """

    VIOLATED = "violated"
    NOT_REFUTED = "not refuted"
    BOUNDED = "bounded"
    VERIFIED = "verified"
    INCONCLUSIVE = "inconclusive"

    def __str__(self) -> str:
        return self.value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) and other not in _VERDICTS:
            raise ValueError("%r is not a verdict: use one of %s" % (str(other), ", ".join(sorted(_VERDICTS))))
        return str.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


_VERDICTS = frozenset(str(verdict.value) for verdict in Verdict)


class Replay:
    """A certificate, checked with fresh runs. `value` is the output of `plaudit replay --format json`."""

    def __init__(self, value: Dict[str, Any]) -> None:
        self.value = value

    @property
    def confirmed(self) -> bool:
        """Whether the fresh runs also refute the claim."""
        return bool(self.value["holds"])

    @property
    def p_value(self) -> float:
        """The p-value of the claim on the fresh runs."""
        return _number(self.value["p_value"])

    def __bool__(self) -> bool:
        raise TypeError("a replay has no truth value: use its `confirmed`")

    def __repr__(self) -> str:
        return "Replay(confirmed=%r, p_value=%g)" % (self.confirmed, self.p_value)


class Certificate:
    """What refutes a claim, for others to check: the pair, the witness, the counts."""

    def __init__(self, text: str, replay: Callable[[str, Optional[Callable[..., Any]], int], Dict[str, Any]]) -> None:
        self._text = text
        self._replay = replay

    def __reduce__(self) -> Tuple[Any, ...]:
        return Certificate, (self._text, _not_here)

    @property
    def value(self) -> Dict[str, Any]:
        """The certificate as a dictionary."""
        value: Dict[str, Any] = json.loads(self._text)
        return value

    def to_json(self) -> str:
        """The certificate as `plaudit replay FILE` reads it, on one line."""
        return self._text

    def replay(self, function: Optional[Callable[..., Any]] = None, *, seed: int = 1) -> Replay:
        """Runs the function again, on the certificate's pair with its witness, the same number of times as in the
        certificate, and tests the claim again.

        `function`: a different function from the audited one, such as a repaired one. `seed`: of the fresh runs; use a
        different one from the audit's.

        Raises RuntimeError where the certificate relies on dependent runs, which cannot be counted again.
        """
        return Replay(self._replay(self._text, function, seed))


class Result:
    """An audit's finding. Each field of the report is in `finding`, a dictionary (docs/report.md names them all)."""

    def __init__(
        self,
        report: str,
        certificate: Optional[str],
        other_leak: Optional[Tuple[str, str]],
        replay: Optional[Callable[[str, Optional[Callable[..., Any]], int], Dict[str, Any]]] = None,
    ) -> None:
        self._report = report
        self._certificate = certificate
        self._other_leak = other_leak
        self._replay = replay or _not_here
        self.finding: Dict[str, Any] = json.loads(report)["audits"][0]

    def __reduce__(self) -> Tuple[Any, ...]:
        # The function stays where it was audited: what is unpickled cannot be replayed without one.
        return Result, (self._report, self._certificate, self._other_leak)

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value: assert `result.as_expected`, or compare `result.verdict`")

    @property
    def name(self) -> str:
        """The name of the audit."""
        return str(self.finding["name"])

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return Verdict(self.finding["verdict"])

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one: not violated, unless `expect="violated"` was given."""
        return bool(self.finding["as_expected"])

    @property
    def reason(self) -> str:
        """The verdict in a sentence."""
        return str(self.finding["reason"])

    @property
    def epsilon_lower(self) -> float:
        """A lower bound on epsilon at the claim's delta, wrong with probability at most `alpha`."""
        return _number(self.finding["epsilon_lower"])

    @property
    def delta_lower(self) -> float:
        """A lower bound on delta at the claim's epsilon, wrong with probability at most `alpha`."""
        return _number(self.finding["delta_lower"])

    @property
    def mu_lower(self) -> Optional[float]:
        """A lower bound on mu, for a claim of Gaussian DP."""
        value = self.finding.get("mu_lower")
        return None if value is None else _number(value)

    @property
    def p_value(self) -> float:
        """The p-value of the claim."""
        return _number(self.finding["p_value"])

    @property
    def alpha(self) -> float:
        """Probability, at most, that a correct claim is called violated, over all looks together."""
        looks = self.finding.get("looks")
        return _number(looks["alpha"] if looks else self.finding["alpha"])

    @property
    def trials(self) -> int:
        """Runs of the function."""
        return int(self.finding["trials"]["total"])

    @property
    def seed(self) -> int:
        """The seed of the audit."""
        return int(self.finding["seed"])

    @property
    def witness(self) -> str:
        """The event that best distinguishes the datasets, in words."""
        return str(self.finding["witness"]["description"])

    @property
    def power(self) -> str:
        """The loss that would have been found, in words."""
        return str(self.finding["power"]["words"])

    @property
    def notes(self) -> List[str]:
        """Facts that a reader must know about how the function was run."""
        return list(self.finding.get("notes", []))

    @property
    def datasets(self) -> Tuple[Any, Any]:
        """D and D' of the pair that was confirmed, as the report shows them."""
        pair = self.finding["pair"]
        return pair["d"], pair["d_prime"]

    @property
    def certificate(self) -> Optional[Certificate]:
        """What refutes the claim, if it is violated."""
        if self._certificate is None:
            return None
        return Certificate(self._certificate, self._replay)

    def telling(self) -> Dict[str, Any]:
        """The report on this audit, in words: `name`, `verdict`, `claim`, `found`, `reason`, `facts`,
        `causes`, `notes`, `scope`, `next`, `replay`, and `lines`, which has the lines below the reason one by one."""
        from . import _native

        telling: Dict[str, Any] = json.loads(_native.telling(self._report))
        return telling

    def to_json(self) -> str:
        """The report on this audit, as in `report.json`."""
        return self._report

    def to_html(self) -> str:
        """The report on this audit as a separate page."""
        from . import _native

        return _native.page(self._report)

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> str:
        """Writes the report as the program does: report.json, index.html, plots and certificates. Returns the path of
        the page. Raises OSError if that fails; an earlier report is then unchanged."""
        return save([self], folder)

    def plot(self, kind: str = "profile") -> Optional["Plot"]:
        """A plot: "outcomes", "loss", "profile", "tradeoff" or "posterior". None if there is nothing to show."""
        from . import _native

        svg = _native.plot(self._report, kind)
        return None if svg is None else Plot(svg, kind, self.finding)

    def _repr_html_(self) -> str:
        page = html.escape(self.to_html(), quote=True)
        return (
            '<iframe sandbox="allow-same-origin" srcdoc="%s" title="%s" '
            'style="width:100%%;height:46rem;border:1px solid #8884"></iframe>'
        ) % (page, html.escape("plaudit: " + self.name, quote=True))

    def __repr__(self) -> str:
        return "<plaudit.Result %s: %s>" % (self.name, self.verdict.value)

    def __str__(self) -> str:
        return "\n".join(["%s: %s" % (self.name, self.verdict.value), self.reason, *self.telling()["lines"]])


def save(results: Iterable[Result], folder: Union[str, "os.PathLike[str]"]) -> str:
    """Writes several audits as one report; see `Result.save`. Raises ValueError for duplicate names."""
    from . import _native

    results = list(results)
    names = [result.name for result in results]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError("these names occur twice, and a report has each but once: %s" % ", ".join(twice))
    finished = [(result._report, result._certificate, result._other_leak) for result in results]
    return str(_native.save(finished, os.fspath(folder)))


class Plot:
    """A plot as SVG; a notebook shows it."""

    def __init__(self, svg: str, kind: str, finding: Dict[str, Any]) -> None:
        self.svg = svg
        self.kind = kind
        self._finding = finding

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the SVG to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def axes(self, axes: Any = None) -> Any:
        """The curves as matplotlib axes, to restyle: for "profile" and "tradeoff". ImportError without matplotlib."""
        from . import _axes

        return _axes.draw(self.kind, self._finding, axes)

    def __repr__(self) -> str:
        return "<plaudit.Plot %s>" % self.kind


def _number(value: Any) -> float:
    """A number of a report: "inf", "-inf" and "nan" are words there."""
    return float(value)


def _not_here(*_: Any) -> Dict[str, Any]:
    raise RuntimeError("this result does not come from an audit in this process: use `plaudit replay`")
