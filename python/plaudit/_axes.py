"""Curves of a finding as matplotlib axes."""

from __future__ import annotations

from typing import Any, Dict, List


def draw(kind: str, finding: Dict[str, Any], axes: Any) -> Any:
    if kind not in ("profile", "tradeoff"):
        raise ValueError("only the plots 'profile' and 'tradeoff' are curves: use the SVG of %r" % kind)
    if axes is None:
        from matplotlib import pyplot  # type: ignore[import-untyped, import-not-found, unused-ignore]

        _, axes = pyplot.subplots()
    points: List[Dict[str, Any]] = finding[kind]

    def column(name: str) -> List[float]:
        return [float(point[name]) for point in points]

    if kind == "profile":
        epsilon = column("epsilon")
        axes.plot(epsilon, column("delta_claim"), label="claimed")
        axes.plot(epsilon, column("delta_estimate"), linestyle="--", label="estimate")
        axes.plot(epsilon, column("delta_lower"), label="certified lower bound")
        axes.set_xlabel("ε")
        axes.set_ylabel("δ(ε)")
    else:
        type_1 = column("type_1")
        axes.plot(type_1, column("type_2_claim"), label="least that the claim allows")
        axes.plot(type_1, column("type_2"), linestyle="--", label="estimate")
        axes.set_xlabel("type-I error")
        axes.set_ylabel("type-II error")
    axes.set_title(str(finding["name"]))
    axes.legend()
    return axes
