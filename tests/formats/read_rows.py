"""read_rows.py - reads formats that have a row for each row of csv, with all its figures"""
import json

from reader import Format, run
from told import Told, kind_of, names_of, read_csv


class Csv(Format):
    def rows(self, text):
        return read_csv(text)

    def read(self, text):
        told = Told(places=set())
        for row in self.rows(text):
            told.add(kind_of(row), row['thread'], names_of(row['path']),
                     **{figure: int(row[figure]) for figure in self.figures})
            if kind_of(row) == 'scope':
                told.places.add((row['name'], row['file'], int(row['line'])))
        return told


class CsvInSqlite(Csv):
    """The rows that a database imports."""
    report = 'csv'
    program = 'sqlite3'

    def rows(self, text):
        return json.loads(run('sqlite3', '-json', ':memory:', '.import --csv report rows',
                              "SELECT * FROM rows WHERE kind != 'diagnostic'", text=text))


class Json(Format):
    def profile(self, text):
        return json.loads(text)

    def read(self, text):
        profile = self.profile(text)
        told = Told(places=set(), command=profile.get('command'))
        for row in profile['rows']:
            told.add(kind_of(row), row['thread'], names_of(row['path']),
                     **{figure: row[figure] for figure in self.figures})
            if kind_of(row) == 'scope':
                told.places.add((row['name'], row['file'], row['line']))
        return told


class JsonByJq(Json):
    report = 'json'
    program = 'jq'

    def profile(self, text):
        return json.loads(run('jq', '.', 'report', text=text))
