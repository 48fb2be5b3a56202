"""The tape on disk: one JSON line per case, with every call's arguments before and after, its outcome and its time."""

import base64
import json

from autograder.isolation import messages


def tape_bytes(tape):
    """The tape as JSON lines; arrays as dtype, shape and base64 data, as they crossed the border."""
    lines = [json.dumps({"case": entry["case"], "calls": [_call(call) for call in entry["calls"]]}) for entry in tape]
    return ("\n".join(lines) + "\n").encode() if lines else b""


def _call(call):
    packed = dict(call)
    packed["arguments"] = [{"callback": call["callbacks"][i]} if i in call["callbacks"] else value
                           for i, value in enumerate(call["arguments"])]
    del packed["callbacks"]
    for key in ("arguments", "arguments_after", "result"):
        if key in packed:
            buffers = []
            tree = messages.encode(packed[key], buffers)
            packed[key] = {"tree": tree, "data": [base64.b64encode(bytes(part)).decode() for part in buffers]}
    packed["seconds"] = round(packed["seconds"], 6)
    return packed
