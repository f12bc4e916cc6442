# Masks the parts of the output that differ between two equal runs: times, shares, process ids,
# dates, the clock, whether a time is an estimate and its error, and the column widths and tree
# branches that depend on them.
/^to leave out the functions that cost/,/^  EPROF=/d
/^the scopes that cost most/,+1d
s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} UTC/DATE/
s/process [0-9]+/process N/
s/source (rdtsc|cntvct|clock_gettime)/source auto/
s/: [0-9.]+ ticks/: N ticks/
s/<1 probe( ±[0-9.]+ [num]?s)?/TIME/g
s/[0-9]+ x //g
s/[0-9.]+ (ns|us|ms|s)( |,|;|$)/TIME\2/g
s/nearly all of/SHARE of/
s/[0-9.]+ %/SHARE/g
s/~//g
s/ ±([0-9]+%|\?)//g
/(was|were) sampled: /d
/^no interval for /d
# what a reader may want next
/^more: /d
s/[├└│─]+//g
s/ +/ /g
s/^ | $//g
# whether a row shares a line with its only child depends on the processor: the child has its row
s/^([^ ]+ > )+//
# an estimate has no share if it is longer than the region around it
s/TIME -( |$)/TIME SHARE\1/g
