# After mask_times.sed: masks all other numbers, missing numbers, and the verdicts, which depend on
# the processor too. The line that counts the verdicts is removed before its last word is masked.
s/[-+]?(TIME|SHARE)|([-+]|\<x)?[0-9]+(\.[0-9]+)?/N/g
s/ -( |$)/ N\1/g
s/ -( |$)/ N\1/g
/^N regions? (slower|faster|without evidence)/d
s/(slower|faster|no evidence)$/verdict/
