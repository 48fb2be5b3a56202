"""The command line: one verb per step, each says what it reads and writes. Exit 0 done, 1 a proof failed, 2 wrong usage."""

import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
SECRETS = [ROOT / name for name in ("solutions", "autograder/hidden", "dist", "grading_config.yaml")]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main():
    """Build, prove and grade the assignments on sequence models before attention."""


@main.command()
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for student_release/ and dist/.")
def release(out):
    """Build every notebook and zip and prove them.

    Reads assignments/, solutions/, autograder/hidden/ and grading_config.yaml; writes student_release/ and dist/. A failed
    proof leaves the old release in place.
    """
    from autograder.release.release import release_course

    try:
        sys.exit(release_course(ROOT, out or ROOT, click.echo))
    except OSError as error:
        click.echo(f"release: {_named(error)}; mend that and run it again, whatever was released before is still whole", err=True)
        sys.exit(2)


@main.command()
@click.argument("stage")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for results and grades.csv.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Worker processes.")
@click.option("--isolation", type=click.Choice(["files", "process"]), help="Override isolation.minimum of the configuration.")
def grade(stage, paths, out, jobs, isolation):
    """Grade notebooks, zips and folders of one STAGE.

    Reads dist/STAGE.zip and the submissions at PATHS; writes OUT/<submission>/result.json, the tape beside it, and
    OUT/grades.csv. Exit 0 when every submission has a result, whatever its score.
    """
    from autograder.files import sources_digest
    from autograder.grading.batch import grade_batch
    from autograder.grading.bundle import Bundle, BundleError
    from autograder.isolation.border import IsolationError

    bundle_path = ROOT / "dist" / f"{stage}.zip"
    try:
        if not bundle_path.is_file():
            known = sorted(path.stem for path in (ROOT / "dist").glob("*.zip"))
            raise BundleError(f"there is no dist/{stage}.zip; run `make release`"
                              + (f" or name one of {', '.join(known)}" if known else ""))
        if Bundle(bundle_path).data["sources_sha256"] != sources_digest(ROOT):
            raise BundleError(f"dist/{stage}.zip was built from other sources than these; run `make release`")
        results = grade_batch(bundle_path, paths, out, jobs, SECRETS, isolation, _progress)
    except (BundleError, IsolationError) as error:
        click.echo(f"grade: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        click.echo(f"grade: {_named(error)}; mend that and run it again, every result that is there is whole", err=True)
        sys.exit(2)
    graded = sum(result["status"] == "graded" for result in results)
    click.echo(f"grade: {len(results)} submissions of {stage}, {graded} graded, {len(results) - graded} ungradable; "
               f"see {out}/grades.csv")


@main.command()
def doctor():
    """Say what this machine can do to keep submissions apart, and what is missing.

    Writes nothing. Exit 1 when a submission could read the pack's files.
    """
    from autograder.doctor import examine

    lines, closed = examine(SECRETS)
    click.echo("\n".join(lines))
    sys.exit(not closed)


@main.command()
@click.option("--root", default="/autograder", show_default=True, type=click.Path(file_okay=False, path_type=Path))
def gradescope(root):
    """Grade one submission where Gradescope puts it.

    Reads ROOT/source (the unpacked zip) and ROOT/submission; writes ROOT/results/results.json, whatever happens.
    """
    from autograder.grading.gradescope import run

    run(root)


@main.command()
@click.option("--stage", "stages", multiple=True, help="Only these stages (repeatable); without it all.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Worker processes.")
def check(stages, jobs):
    """Test the cases: misconceptions must lose points, right styles keep them, doing nothing earns nothing.

    Reads autograder/misconceptions/, tests/alternatives/ and the release in dist/; keeps outcomes in .cache/.
    """
    from autograder.strength.check import HEAD, check_stage

    _try_stages("check", stages, jobs, HEAD, check_stage)


@main.command()
@click.option("--stage", "stages", multiple=True, help="Only these stages (repeatable); without it all.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Worker processes.")
def mutants(stages, jobs):
    """Test the cases on mechanical mutants of the references, and find hidden cases that nothing needs.

    Reads solutions/ and autograder/strength/exceptions.yaml and the release in dist/; keeps outcomes in .cache/.
    """
    from autograder.strength.survivors import HEAD, check_mutants

    _try_stages("mutants", stages, jobs, HEAD, check_mutants)


def _try_stages(verb, stages, jobs, head, judge):
    """Judge each stage, print its table and complaints, and exit 1 if there are any."""
    from autograder.config import ConfigError
    from autograder.course import load_course
    from autograder.files import table

    try:
        course = load_course(ROOT)
        unknown = [name for name in stages if name not in course.stages]
        if unknown:
            raise ConfigError([f"no stage {unknown[0]!r}; there are {', '.join(course.stages)}"])
        complaints = []
        for stage in [course.stages[name] for name in stages] or course.stages.values():
            rows, found = judge(course, stage, jobs, _progress, ROOT / ".cache" / "outcomes.json")
            click.echo(f"{stage.name}\n{table([head, *rows])}\n")
            complaints += found
    except ConfigError as error:
        click.echo(f"{verb}: {error}", err=True)
        sys.exit(2)
    for complaint in complaints:
        click.echo(complaint)
    click.echo(f"{verb}: {len(complaints)} complaints" if complaints else f"{verb}: all as it should be")
    sys.exit(bool(complaints))


def _named(error):
    """One line that names the file and the reason of an OSError."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def _progress(results, count):
    """Show a bar on a terminal while results come in."""
    with click.progressbar(results, length=count, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar
