"""`make mutants`: mechanical mutants of the references, and which hidden case is needed for what."""

import yaml

from autograder.strength.items import misconceptions
from autograder.strength.mutations import mutants
from autograder.strength.trials import try_items

HEAD = ["question", "mutants", "killed", "equivalent", "hidden cases", "needed", "stated"]
EXCEPTIONS = "autograder/strength/exceptions.yaml"
ENOUGH = 0.95


def check_mutants(course, stage, jobs, progress, cache_path):
    """Try the mutants of one stage; returns (rows of the table, complaints).

    A hidden case is needed when some misconception or mutant fails it and no other hidden case.
    """
    mechanical, known = mutants(stage), misconceptions(course, stage)
    outcomes = try_items(course.root, stage.name, mechanical + known, jobs, progress, cache_path)
    exceptions = yaml.safe_load((course.root / EXCEPTIONS).read_text(encoding="utf-8"))
    equivalent, stated = exceptions["equivalent_mutants"], exceptions["stated_properties"]
    rows, complaints = [], []
    for question in stage.questions:
        hidden = [f"{stage.name}/{question}/{name}" for name in stage.cases[question][1].names]
        mine = [item for item in mechanical if item.question == question]
        alive = [item.name for item in mine if not set(hidden) & set(outcomes[item.key]["failed"])]
        excused = [name for name in alive if name in equivalent]
        complaints += [f"mutant survives all hidden cases: {name}" for name in alive if name not in equivalent]
        complaints += [f"{EXCEPTIONS}: equivalent_mutants: {item.name}: is killed; remove the entry"
                       for item in mine if item.name in equivalent and item.name not in alive]
        killers = [set(hidden) & set(outcomes[item.key]["failed"]) for item in mechanical + known if item.question == question]
        needed = {case_id for case_id in hidden if {case_id} in killers}
        complaints += [f"{case_id}: nothing needs this hidden case; merge it, or state why it is kept in {EXCEPTIONS}"
                       for case_id in hidden if case_id not in needed and case_id not in stated]
        complaints += [f"{EXCEPTIONS}: stated_properties: {case_id}: is needed; remove the entry"
                       for case_id in needed if case_id in stated]
        rows.append([question, str(len(mine)), str(len(mine) - len(alive)), str(len(excused)), str(len(hidden)), str(len(needed)),
                     str(sum(case_id in stated for case_id in hidden))])
    names = {item.name for item in mechanical}
    complaints += [f"{EXCEPTIONS}: equivalent_mutants: {name}: no such mutant" for name in equivalent
                   if name.split(":")[0] in stage.questions and name not in names]
    ids = {f"{stage.name}/{question}/{name}" for question in stage.questions for name in stage.cases[question][1].names}
    complaints += [f"{EXCEPTIONS}: stated_properties: {case_id}: no such hidden case" for case_id in stated
                   if case_id.startswith(f"{stage.name}/") and case_id not in ids]
    return rows, complaints
