"""The table of audits: decorators for rows, and what a row returns.

A row is a function of a file in rows/. It imports its library itself, so a missing library breaks only its own rows.

    @row(
        about="Laplace on integers: tight.",
        pairs=[([0], [1])],
        relation={"linf": 1.0},
    )
    def laplace_integers(noise=1.0):
        ...
        return Served(function=lambda dataset: ..., claim=pure(library.map(1)))

Each row gives two audits. The right one calls the row with its defaults. The mutant calls it with the arguments in
`wrong`, by default half the noise, and keeps the claim of the right one: plaudit has to refute it.
"""

import importlib
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


class Served:
    """A mechanism and its claim, or a function that computes the claim.

    `function(dataset)` is one run; `batch(dataset, runs, seed)` draws many.
    """

    def __init__(self, claim, function=None, batch=None):
        self.claim = claim
        self.how = {"batch": batch} if function is None else {"function": function}


class Row:
    """One row of the table: the keys of its audit in the spec, and its mutant."""

    def __init__(self, make, about, pairs, relation, trials, expect, wrong, mistake, format, keys, mutant):
        self.make = make
        self.name = make.__name__.strip("_").replace("_", "-")
        self.about = about
        self.pairs = pairs
        self.relation = relation
        self.trials = trials
        self.expect = expect
        self.wrong = wrong
        self.mistake = mistake
        self.format = format
        self.keys = keys
        self.mutant = mutant

    def served(self, mutant=False):
        """The mechanism; `claim` is the right one's only if `mutant` is false."""
        return self.make(**(self.wrong if mutant else {}))


def row(
    *,
    about,
    pairs,
    relation,
    trials=20_000,
    expect="not violated",
    wrong=None,
    mistake="half the noise",
    format="npy",
    mutant=None,
    **keys,
):
    """Adds a row to the table of its file.

    `pairs` holds (d, d_prime), or the name and size of a pattern. `wrong` holds the arguments that break the row, and
    `mistake` describes them. `mutant` holds keys of the mutant's audit that differ, such as its trials or pairs. Other
    keys, such as expect_leak, are copied into the spec. A row with expect="violated" has no mutant.
    """

    def add(make):
        change = None if expect == "violated" else wrong or {"noise": 0.5}
        made = Row(make, about, pairs, relation, trials, expect, change, mistake, format, keys, mutant or {})
        ROWS.setdefault(make.__module__.rpartition(".")[2], []).append(made)
        return make

    return add


# File in rows/ -> its rows, in their order.
ROWS = {}


def libraries():
    """Names of the files in rows/."""
    return sorted(path.stem for path in (HERE / "rows").glob("*.py") if path.stem != "__init__")


def load(library):
    """The module of a library, and its rows by name."""
    module = importlib.import_module("rows." + library)
    rows = {row.name: row for row in ROWS[library]}
    if len(rows) != len(ROWS[library]):
        raise ValueError("rows/%s.py has two rows of one name: rename one" % library)
    return module, rows


# Claims, from what a library's map returns.


def pure(epsilon):
    return {"epsilon": float(epsilon)}


def approximate(loss):
    """(ε, δ), from a pair."""
    epsilon, delta = loss
    return {"epsilon": float(epsilon), "delta": float(delta)}


def concentrated(rho):
    return {"rho": float(rho)}


def gaussian(mu):
    return {"mu": float(mu)}
