"""schema.py - reports in json, and the schemas to which they must conform

A report must be valid, even if names are forbidden that the schema does not list. If a name is
removed, or gets a value of another kind, the report must not be valid. 77: python3-jsonschema is
not installed.
"""
import copy
import json
import sys
from dataclasses import dataclass, field

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print('there is no jsonschema for Python (Debian: python3-jsonschema)')
    sys.exit(77)


@dataclass
class Schema:
    path: str
    closed: tuple                # in $defs: objects that have no other names
    parts: tuple = ()            # objects in a report besides its rows
    optional: frozenset = frozenset()
    may_be_null: frozenset = frozenset()
    may_be_fraction: frozenset = frozenset()
    may_be_negative: frozenset = frozenset()
    may_be_text: frozenset = frozenset()  # any name, if it is not null
    validator: object = field(init=False)

    def __post_init__(self):
        with open(self.path, encoding='utf-8') as file:
            schema = json.load(file)
        Draft202012Validator.check_schema(schema)
        self.validator = Draft202012Validator(self.strict(schema))

    def strict(self, schema):
        """Makes names and kinds that the schema does not list an error."""
        schema['unevaluatedProperties'] = False
        for name in self.closed:
            schema['$defs'][name]['unevaluatedProperties'] = False
        kind = schema['$defs']['row']['properties']['kind']
        kind['enum'] = kind['examples']
        return schema

    def spoiled(self, name, value):
        """Values of other kinds than this one; none of them is ever valid in its place."""
        others = {str: [1, [], True], bool: ['true', 1], int: ['1', 1.5, -1, 2**64, None],
                  float: ['1.5', -1.5], list: [{}, '', None], dict: [[], '', None],
                  type(None): ['\n', {}, -1]}[type(value)]
        right = [(name in self.may_be_null, None), (name in self.may_be_fraction, 1.5),
                 (name in self.may_be_negative, -1), (name in self.may_be_text, '\n')]
        return [other for other in others
                if not any(may and other == that and type(other) is type(that)
                           for may, that in right)]

    def places(self, report):
        """(path, object) of the head, its parts, and the first and the last row."""
        yield (), report
        for part in self.parts:
            yield (part,), report[part]
        for number, row in enumerate(report['rows']):
            yield ('rows', number), row

    def mutations(self, report):
        """(description of the change, the changed report)"""
        report = dict(report, rows=report['rows'][:1] + report['rows'][1:][-1:])
        for where, values in self.places(report):
            for name, value in values.items():
                if name not in self.optional:
                    yield f'{where}: no {name}', changed(report, where, lambda found: found.pop(name))
                for other in self.spoiled(name, value):
                    yield (f'{where}: {name} is {other!r}',
                           changed(report, where, lambda found: found.update({name: other})))
            yield (f'{where}: a name of no schema',
                   changed(report, where, lambda found: found.update({'unheard_of': 1})))

    def check(self, name, text):
        """1 if it fails, otherwise 0."""
        report = json.loads(text, parse_constant=not_of_json)
        failed = 0
        for error in self.validator.iter_errors(report):
            print(f'{name}: {error.message[:200]}')
            failed = 1
        for what, other in self.mutations(report):
            if self.validator.is_valid(other):
                print(f'{name} is still valid with {what}')
                failed = 1
        return failed

    def check_file(self, path):
        with open(path, 'rb') as file:
            return self.check(path, file.read())


def not_of_json(word):
    raise ValueError(f'{word}, which Python reads, is no JSON')


def changed(report, where, change):
    """A copy, in which the object at the end of that path is another one."""
    found = other = copy.deepcopy(report)
    for key in where:
        found = found[key]
    change(found)
    return other
