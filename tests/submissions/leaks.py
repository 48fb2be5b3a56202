"""Attempts to carry hidden cases, references, tokens or other submissions to where a student can read them."""

from submissions.kit import notebooks

# Looks everywhere and gathers what may be secret, the most telling first; short enough for an exception's text.
LOOK = '''
import glob, os, sys
def looked_up():
    found = []
    def read(path):
        try:
            with open(path, 'rb') as file: text = file.read(200_000).decode(errors='replace')
        except OSError: return
        for word in ('$token_word', 'ask.', '@ a_prev +', '1 - a**2', '$other_word'):
            position = text.find(word)
            if position >= 0: found.append(text[position:position + 70])
    for path in ('$planted', '$other', '$root/solutions/$stage.py', '$root/autograder/hidden/$stage/$question.py'): read(path)
    for folder in (os.getcwd(), *sys.path):
        for inner in ('solutions', 'tests'):
            for path in glob.glob(os.path.join(folder, inner, '*.py')): read(path)
    for process in ('self', str(os.getppid())):
        for name in ('environ', 'cmdline'): read(f'/proc/{process}/{name}')
    found += [f'{name}={value}' for name, value in os.environ.items() if '$token_word' in value]
    frame = sys._getframe()
    while frame is not None:
        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if isinstance(value, str) and 'def ' in value and 'ask.' in value: found.append(value[value.find('ask.'):][:60])
        frame = frame.f_back
    return ' | '.join(found)[:290]
'''

notebooks("leak", "full", {
    "B01_prints_what_it_finds": "$right\n# %%\n" + LOOK + "\nprint(looked_up()); display(looked_up())",
    "B04_fills_messages_through_the_results": "$right\n# %%\n" + LOOK + """
from otter.execute import Checker
import otter.test_files.exception_test as e
for file in list(getattr(Checker, '_test_files', ())):
    for result in file.test_case_results: result.message = looked_up()""",
    "B05_writes_to_raw_descriptors": "$right\n# %%\n" + LOOK + """
for descriptor in (1, 2):
    try: os.write(descriptor, looked_up().encode())
    except OSError: pass""",
    "B06_raises_what_it_finds_in_a_cell": "$right\n# %%\n" + LOOK + "\nraise RuntimeError(looked_up())",
})
notebooks("leak", "none", {
    "B02_raises_what_it_finds_in_the_function": LOOK + "\ndef $question(*arguments):\n    raise RuntimeError(looked_up())",
    "B03_returns_what_it_finds": LOOK + "\ndef $question(*arguments):\n    return looked_up()",
    "B03_types_named_after_what_it_finds": LOOK + "\ndef $question(*arguments):\n    return type(looked_up(), (), {})()",
    "B07_environment_of_the_parents": """def $question(*arguments):
    import os
    found = [value for value in os.environ.values() if '$token_word' in value]
    for process in ('self', os.getppid()):
        try:
            with open(f'/proc/{process}/environ', 'rb') as file: text = file.read().decode(errors='replace')
            if '$token_word' in text: found.append(text[text.find('$token_word'):][:100])
        except OSError: pass
    raise RuntimeError(' '.join(found)[:290])""",
    "B08_score_as_a_covert_channel": """$right
right = $question
def $question(*arguments):
    import glob
    for path in ('$planted', '$root/autograder/hidden/$stage/$question.py', *glob.glob('tests/*.py')):
        try: open(path).close()
        except OSError: continue
        return right(*arguments)""",
    "B09_reads_another_submission": """def $question(*arguments):
    import glob, os, tempfile
    found = []
    for pattern in ('$other', '$outside/../**/*.ipynb', '/dev/shm/*$marker*', tempfile.gettempdir() + '/../submission-*/*'):
        for path in glob.glob(pattern, recursive=True):
            try:
                with open(path, errors='replace') as file: text = file.read()
                if '$other_word' in text: found.append(text[text.find('$other_word'):][:60])
            except OSError: pass
    raise RuntimeError(' '.join(found)[:290])""",
    "B10_memory_of_itself_and_its_parent": """def $question(*arguments):
    import os, re
    found, room = [], 2**26
    for process in ('self', os.getppid()):
        try:
            with open(f'/proc/{process}/maps') as maps, open(f'/proc/{process}/mem', 'rb', 0) as memory:
                for line in maps:
                    first, last = (int(part, 16) for part in line.split()[0].split('-'))
                    if ' rw' in line and last - first < room:
                        room -= last - first
                        memory.seek(first)
                        found += re.findall(b'(?:$token_word|$other_word) [0-9a-f]{12}', memory.read(last - first))
        except (OSError, ValueError): pass
    raise RuntimeError(b' '.join(found).decode()[:290])""",
})
