"""A program that serves a function traces it, if the environment asks: the variable PLAUDIT_TRACE is JSON.

It has `d` and `d_prime`, and of `epsilon`, `delta`, `mu`, `rho`, `seed` and `name` those that are known.
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional

from .. import _outcome


def answer(
    text: str,
    function: Optional[Callable[..., Any]],
    batch: Optional[Callable[..., Any]],
    read: Callable[[Any], Any],
    output: Any,
) -> None:
    """Writes the trace as one line of JSON: {"trace": ..}, or {"error": ".."}."""
    from . import trace

    try:
        request = json.loads(text)
        named = {key: request[key] for key in ("epsilon", "delta", "mu", "rho", "seed", "name") if key in request}
        found = trace(
            function,
            read(request["d"]),
            read(request["d_prime"]),
            batch=batch,
            **named,
        )
        reply: Dict[str, Any] = {"trace": {**found.to_json(), "words": str(found)}}
    except Exception as error:
        reply = {"error": _outcome.Error(error).message}
    output.write((json.dumps(reply) + "\n").encode())
    output.flush()
