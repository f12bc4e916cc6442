#!/usr/bin/env python3
"""check_schema.py SCHEMA EPROF PROFILE REPORT... - profiles are as the schema of json says

The reports that are given, and those of the profiles that PROFILE makes, are valid, even where no
name may stand in them that the schema does not tell. A report of which any name is taken away, or
gets a value of another kind, is not. 77: there is no python3-jsonschema.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

from told import report

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print('there is no jsonschema for Python (Debian: python3-jsonschema)')
    sys.exit(77)

# What a report need not have: a living program's is without the first three, most without all.
OPTIONAL = {'command', 'process_id', 'started', 'throttled'}
MAY_BE_NULL = {'command', 'process_id', 'started', 'ticks_per_us', 'resolution_ns', 'pair_ns',
               'inside_ns'}


def strict(schema):
    """Names that it does not tell are errors too, and so are kinds that it gives no example of."""
    schema = copy.deepcopy(schema)
    schema['unevaluatedProperties'] = False
    for name in ('row_in_ns', 'row_in_ticks'):
        schema['$defs'][name]['unevaluatedProperties'] = False
    kind = schema['$defs']['row']['properties']['kind']
    kind['enum'] = kind['examples']
    return schema


def spoiled(name, value):
    """Values of other kinds than this one, none of which is ever right in its place."""
    others = {str: [1, [], True], bool: ['true', 1], int: ['1', 1.5, -1, 2**64, None],
              float: ['1.5', -1.5], list: [{}, '', None], dict: [[], '', None],
              type(None): ['\n', {}, -1]}[type(value)]
    return [other for other in others if name not in MAY_BE_NULL or other is not None]


def changed(profile, where, change):
    """A copy, in which the object at the end of that way is another."""
    found = other = copy.deepcopy(profile)
    for key in where:
        found = found[key]
    change(found)
    return other


def mutations(profile):
    """(what was done, the profile after it): to the head, and to the first and the last row."""
    profile = dict(profile, rows=profile['rows'][:1] + profile['rows'][1:][-1:])
    places = [((), profile)]
    places += [(('rows', number), row) for number, row in enumerate(profile['rows'])]
    for where, values in places:
        for name, value in values.items():
            if name not in OPTIONAL:
                yield f'{where}: no {name}', changed(profile, where, lambda found: found.pop(name))
            for other in spoiled(name, value):
                yield (f'{where}: {name} is {other!r}',
                       changed(profile, where, lambda found: found.update({name: other})))
        yield (f'{where}: a name of no schema',
               changed(profile, where, lambda found: found.update({'unheard_of': 1})))


def check(name, text, validator):
    profile = json.loads(text)
    failed = 0
    for error in validator.iter_errors(profile):
        print(f'{name}: {error.message[:200]}')
        failed = 1
    for what, other in mutations(profile):
        if validator.is_valid(other):
            print(f'{name} is still valid with {what}')
            failed = 1
    return failed


def main():
    schema_path, eprof, profile, *paths = sys.argv[1:]
    with open(schema_path, encoding='utf-8') as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(strict(schema))
    failed = 0
    for path in paths:
        with open(path, 'rb') as file:
            failed |= check(path, file.read(), validator)
    with tempfile.TemporaryDirectory() as folder:
        for mode in ([], ['hostile']):
            image = os.path.join(folder, ''.join(mode) or 'plain')
            subprocess.run([profile, image, *mode], check=True)
            for options in ('', ':threads', ':raw', ':ticks'):
                name = f'{os.path.basename(image)}{options}'
                failed |= check(name, report(eprof, image, 'json' + options), validator)
    return failed


sys.exit(main())
