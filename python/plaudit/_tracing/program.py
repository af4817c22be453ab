"""A program that serves a function traces it, if the environment asks: the variable PLAUDIT_TRACE is JSON.

It has `d` and `d_prime`, or `domain` and `relation` as of `plaudit.trace`; and of `epsilon`, `delta`, `mu`, `rho`,
`seed`, `most` and `name` those that are wanted.
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional, Sequence, Union

from .. import _outcome

_NAMED = ("epsilon", "delta", "mu", "rho", "seed", "name", "domain", "relation", "most")


def answer(
    text: str,
    function: Optional[Union[Callable[..., Any], Sequence[str]]],
    batch: Optional[Callable[..., Any]],
    read: Callable[[Any], Any],
    output: Any,
    timeout: float = 30.0,
) -> None:
    """Writes the trace as one line of JSON: {"trace": ..}, or {"error": ".."}."""
    from . import trace

    try:
        request = json.loads(text)
        named = {key: request[key] for key in _NAMED if key in request}
        if "domain" not in request:
            named.update(d=read(request["d"]), d_prime=read(request["d_prime"]))
        found = trace(function, batch=batch, timeout=timeout, **named)
        reply: Dict[str, Any] = {"trace": {**found.to_json(), "words": str(found)}}
    except Exception as error:
        reply = {"error": _outcome.Error(error).message}
    output.write((json.dumps(reply) + "\n").encode())
    output.flush()
