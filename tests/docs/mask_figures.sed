# Behind mask_times.sed: all other numbers, and what is judged by them.
s/[-+]?(TIME|SHARE)|([-+]|\<x)?[0-9]+(\.[0-9]+)?/N/g
s/(slower|faster|no evidence)$/verdict/
/^N regions? (slower|faster|without evidence)/d
