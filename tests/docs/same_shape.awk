# same_shape.awk SAID PRINTED - tests that SAID has the lines of PRINTED, in any order. If one line
# of SAID is "...", PRINTED may have further lines. Missing and additional lines are printed.

$0 == "..." {
    may_have_more = 1
    next
}
FNR == NR {
    said[$0]++
    next
}
said[$0] > 0 {
    said[$0]--
    next
}
!may_have_more {
    print "printed, and not said: " $0
    is_other = 1
}
END {
    for (line in said)
        if (said[line] > 0) {
            print "said, and not printed: " line
            is_other = 1
        }
    exit is_other
}
