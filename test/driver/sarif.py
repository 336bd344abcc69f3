"""SARIF of coalda-report: what the schema of version 2.1.0 requires of the parts that are written, and what docs/report.md promises.

    sarif.py FILE [RULE:LEVEL:FILE:LINE...]     results that have to be there, in this order, and no others
"""
import json
import sys
import urllib.parse

LEVELS = ("none", "note", "warning", "error")


def need(what, condition):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {what}")


def has(value, where, **kinds):
    """An object with these properties, of these kinds."""
    need(f"{where} is no object", isinstance(value, dict))
    for key, kind in kinds.items():
        need(f"{where} has no {key}, or another kind: {value}", isinstance(value.get(key), kind) and not isinstance(value.get(key), bool))
    return value


def only(value, where, *keys):
    """The schema allows no other properties there."""
    need(f"{where} has more than {keys}: {value}", set(value) <= set(keys))


def check_rule(rule):
    has(rule, "a rule", id=str, name=str, shortDescription=dict, help=dict)
    only(rule, "a rule", "id", "name", "shortDescription", "help")
    need("a rule says nothing", rule["shortDescription"]["text"] and rule["help"]["text"])


def check_place(place, bases):
    only(place, "a place", "artifactLocation", "region")
    artifact = has(place["artifactLocation"], "an artifact", uri=str)
    only(artifact, "an artifact", "uri", "uriBaseId")
    uri = urllib.parse.urlsplit(artifact["uri"])
    need(f"{artifact} is no URI", artifact["uri"].isascii() and not set(artifact["uri"]) & set(' "<>\\^`{|}') and uri.scheme in ("", "file"))
    need(f"{artifact} starts nowhere", uri.scheme == "file" or "uriBaseId" not in artifact or artifact["uriBaseId"] in bases)
    region = has(place["region"], "a region", startLine=int)
    only(region, "a region", "startLine", "startColumn")
    need(f"{region} is nowhere", region["startLine"] >= 1 and region.get("startColumn", 1) >= 1)


def check_result(result, rules, bases):
    has(result, "a result", ruleId=str, ruleIndex=int, level=str, message=dict, locations=list, properties=dict)
    only(result, "a result", "ruleId", "ruleIndex", "level", "message", "locations", "properties")
    need(f"{result} has another rule", rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["ruleIndex"] >= 0)
    need(f"{result} has no level", result["level"] in LEVELS)
    need(f"{result} says too much, or nothing", 0 < len(has(result["message"], "a message", text=str)["text"].encode()) <= 200)
    for location in result["locations"]:
        only(location, "a location", "physicalLocation", "logicalLocations")
        for logical in location["logicalLocations"]:
            has(logical, "a name", fullyQualifiedName=str, decoratedName=str, kind=str)
        if "physicalLocation" in location:
            check_place(location["physicalLocation"], bases)


def told(result):
    place = result["locations"][0].get("physicalLocation")
    name = place["artifactLocation"]["uri"].rpartition("/")[2] if place else ""
    return f"{result['ruleId']}:{result['level']}:{name}:{place['region']['startLine'] if place else ''}"


def main(path, *expected):
    log = has(json.load(open(path)), "the log", version=str, runs=list)
    only(log, "the log", "$schema", "version", "runs")
    need("another version", log["version"] == "2.1.0" and len(log["runs"]) == 1)
    run = has(log["runs"][0], "the run", tool=dict, results=list)
    only(run, "the run", "tool", "originalUriBaseIds", "results")
    driver = has(run["tool"]["driver"], "the driver", name=str, version=str, rules=list)
    bases = run.get("originalUriBaseIds", {})
    need(f"a folder ends in '/': {bases}", all(base["uri"].startswith("file:///") and base["uri"].endswith("/") for base in bases.values()))
    for rule in driver["rules"]:
        check_rule(rule)
    need("a rule stands twice", len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"]))
    for result in run["results"]:
        check_result(result, driver["rules"], bases)
    need(f"{[told(r) for r in run['results']]} are not {list(expected)}", [told(r) for r in run["results"]] == list(expected) or not expected)
    lost = [r["properties"]["lost_rewritten"] for r in run["results"]]
    need(f"the most is not the first: {lost}", not expected or lost == sorted(lost, reverse=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
