"""readers.py - the formats, each with a reader that follows the rules of the format"""
from read_metrics import OpenMetrics
from read_pprof import Pprof
from read_rows import Csv, CsvInSqlite, Json, JsonByJq
from read_stacks import Callgrind, Folded, Speedscope
from read_text import Html, Table, Tree

FORMATS = {'csv': Csv, 'csv_in_sqlite': CsvInSqlite, 'json': Json, 'json_by_jq': JsonByJq,
           'table': Table, 'tree': Tree, 'html': Html,
           'folded': Folded, 'speedscope': Speedscope, 'callgrind': Callgrind,
           'openmetrics': OpenMetrics, 'pprof': Pprof}
