"""What a student's evidence.yaml claims: read without trust, and held against the schema."""

import json
from pathlib import Path

import jsonschema
import yaml

SCHEMA = json.loads(Path(__file__).with_name("learn-llm.evidence.v1.json").read_text(encoding="utf-8"))
METRICS = [item["properties"]["name"]["const"] for item in SCHEMA["properties"]["metrics"]["prefixItems"]]
EXPECTED = {item["properties"]["name"]["const"]: item["properties"]["expected"]["const"]
            for item in SCHEMA["properties"]["metrics"]["prefixItems"]}
MAX_BYTES = 64 * 1024
MAX_PROBLEMS = 12
MAX_NUMBER = 1e300  # larger ones, inf and NaN among them, are reported as text


class _PlainLoader(yaml.SafeLoader):
    """Plain values only: no aliases (a small file could stand for a huge one), and dates stay text."""

    yaml_implicit_resolvers = {first: [(tag, pattern) for tag, pattern in known if not tag.endswith(":timestamp")]
                               for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()}

    def compose_node(self, parent, index):
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not read")
        return super().compose_node(parent, index)


def read_claims(data, texts):
    """(the claimed value by metric, problems) of the bytes of an evidence file.

    Claimed values are bools, finite numbers, short strings or None; what is not there is left out. Problems are sentences.
    """
    try:
        if len(data) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES // 1024} kB")
        record = yaml.load(data.decode("utf-8-sig"), Loader=_PlainLoader)
    except Exception as error:  # whatever a broken file makes the library raise
        return {}, [texts["unreadable"].format(reason=" ".join(str(error).split())[:200] or type(error).__name__)]
    errors = sorted(jsonschema.Draft202012Validator(SCHEMA).iter_errors(record), key=lambda error: str(list(error.absolute_path)))
    listed = record.get("metrics") if isinstance(record, dict) else None
    claims = {}
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and item.get("name") in METRICS and "actual" in item:
            claims.setdefault(item["name"], _as_json(item["actual"]))
    return claims, [_problem(error, texts) for error in errors[:MAX_PROBLEMS]]


def _problem(error, texts):
    path = list(error.absolute_path)
    if len(path) > 1 and path[0] == "metrics" and path[1] < len(METRICS):
        path[1] = METRICS[path[1]]
    found = _short(error.instance)
    what = texts["problems"].get(error.validator, texts["problems"]["other"])
    if error.validator in ("required", "additionalProperties"):
        path.append(error.message.split("'")[1] if "'" in error.message else "")
    elif error.validator == "pattern" and found.startswith("'<"):
        what = texts["problems"]["open"]
    wanted = json.dumps(error.validator_value) if error.validator in ("const", "type", "minimum") else ""
    return what.format(field=".".join(map(str, path))[:120] or texts["problems"]["file"], found=found, wanted=wanted)


def _short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _as_json(value):
    """A claimed value as it may stand in a result."""
    if value is None or isinstance(value, bool) or (isinstance(value, (int, float)) and abs(value) < MAX_NUMBER):
        return value
    return value[:100] if isinstance(value, str) else _short(value)
