# After mask_times.sed: all other numbers, also where there is none, and the verdicts, which depend
# on the processor too. The line that counts the verdicts goes before its last word becomes one.
s/[-+]?(TIME|SHARE)|([-+]|\<x)?[0-9]+(\.[0-9]+)?/N/g
s/ -( |$)/ N\1/g
s/ -( |$)/ N\1/g
/^N regions? (slower|faster|without evidence)/d
s/(slower|faster|no evidence)$/verdict/
