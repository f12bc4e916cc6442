# What two runs have not in common that do the same: times, shares, process ids, dates, the clock;
# whether a time is an estimate; and the widths and branches that those make.
s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}/DATE/
s/process [0-9]+/process N/
s/source (rdtsc|cntvct|clock_gettime)/source auto/
s/: [0-9.]+ ticks/: N ticks/
s/[0-9.]+ (ns|us|ms|s)( |,|;|$)/TIME\2/g
s/[0-9.]+ %/SHARE/g
s/~//g
/(was|were) throttled: /d
s/[├└│─]+//g
s/ +/ /g
s/^ | $//g
# no share: an estimate that is longer than what it is in
s/TIME -( |$)/TIME SHARE\1/g
