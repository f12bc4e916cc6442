# Behind mask_times.sed: all other numbers, also where there is none, and what is judged by them.
s/[-+]?(TIME|SHARE)|([-+]|\<x)?[0-9]+(\.[0-9]+)?/N/g
s/ -( |$)/ N\1/g
s/ -( |$)/ N\1/g
s/(slower|faster|no evidence)$/verdict/
/^N regions? (slower|faster|without evidence)/d
