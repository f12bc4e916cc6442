#!/bin/bash
# check_ranks.sh CASE MPI EPROF FOLDER - tests libeprof-mpi with real ranks under one MPI (openmpi or
# mpich). FOLDER has the library and the programs for that MPI.
set -u
mpi=$2 folder=$4
[ -e "$folder/libeprof-mpi.so" ] || { echo "this MPI is not installed"; exit 77; }
set -- "$1" "$3" none
. "$(dirname "$0")/../command/expect.sh"
library=$folder/libeprof-mpi.so

# ranks N PROGRAM...: runs a program on so many ranks, with the library preloaded. EPROF is that of
# the caller.
ranks() {
    local n=$1 preloaded=${preload-$library}
    shift
    if [ "$mpi" = openmpi ]; then
        try env OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader OMPI_ALLOW_RUN_AS_ROOT=1 \
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none \
            timeout 240 mpirun.openmpi --oversubscribe -n "$n" env LD_PRELOAD="$preloaded" "$@"
    else
        try timeout 240 mpirun.mpich -n "$n" env LD_PRELOAD="$preloaded" "$@"
    fi
}

# column FILE PATH COLUMN: a figure of a row of a csv file, none of whose names needs quotes.
column() {
    awk -F, -v path="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["path"] == path { found = $at[column]; rows++ }
        END { print rows == 1 ? found : rows + 0 " rows" }' "$1"
}

# is FILE PATH COLUMN VALUE
is() {
    local found
    found=$(column "$1" "$2" "$3")
    [ "$found" = "$4" ] || fail "$1: $3 of $2 is $found, not $4"
}

# is_balanced_as N FILE: "work" has the times of N ranks: 1,000 ns to N times that.
is_balanced_as() {
    local n=$1 file=$2
    is "$file" work calls $((n * (n + 1) / 2))
    is "$file" work total_ns $((n * (n + 1) * 500))
    is "$file" work processes "$n"
    is "$file" work process_min_ns 1000
    is "$file" work process_mean_ns $(((n + 1) * 500))
    is "$file" work process_max_ns $((n * 1000))
    is "$file" work process_slowest $((n - 1))
    is "$file" work imbalance "$(printf '0.%06d' $((1000000 * (n - 1) / (n + 1))))"
}

# 4 ranks that could not merge.
has_written_for_each_of_4_ranks() {
    [ ! -e job ] && [ ! -e csv ] || fail "a file of the whole job: $(ls)"
    [ "$(echo job.*)" = "job.0 job.1 job.2 job.3" ] || fail "not a profile of each rank: $(ls)"
    [ "$(echo csv.*)" = "csv.0 csv.1 csv.2 csv.3" ] || fail "not a report of each rank: $(ls)"
    "$eprof" merge -o sum job.* && "$eprof" report -f csv sum >csv
    is_balanced_as 4 csv
}

# The job of `plain` on N ranks.
is_of_plain() {
    local n=$1 file=$2
    is "$file" MPI_Isend calls $((10 * n))
    is "$file" "MPI_Isend;bytes" total_ns $((10 * n * 800))
    is "$file" "MPI_Isend;bytes" file "" # not a location in the library
    is "$file" MPI_Recv calls $((10 * n))
    is "$file" MPI_Wait calls $((10 * n))
    is "$file" MPI_Allreduce processes "$n"
    is "$file" "MPI_Allreduce;bytes" total_ns $((10 * n * 8000))
    is "$file" "MPI_Gather;bytes" calls $((2 * n))
    is "$file" "MPI_Gather;bytes" total_ns $((2 * n * 4))
}

case $case in
rank_0_writes_the_whole_job)
    for n in 2 3 7; do
        EPROF=quiet ranks $n "$folder/ranks"
        status_is 0
        is_empty out
        is_empty err
        [ "$(ls)" = "err
out
ranks.mpi.eprof" ] || fail "other files: $(ls)"
        "$eprof" report -f csv ranks.mpi.eprof >csv || fail "no report"
        is_balanced_as $n csv
        is csv MPI_Barrier calls $n
        rm csv ranks.mpi.eprof
    done
    EPROF=quiet,mpi=other.eprof ranks 2 "$folder/ranks"
    [ -e other.eprof ] && [ ! -e ranks.mpi.eprof ] || fail "mpi=PATH is not the file"
    "$eprof" report --by-process other.eprof >out || fail "no report by process"
    says out '^work +3 +3\.00 us .* 2 +1\.00 us +1\.50 us +2\.00 us +500 ns +0\.33 +1$'
    says out '^work +3 +3\.00 us +[0-9.]+ %$' # how the sum over all paths is spread is not known
    says out '^of .*ranks, 2 ranks'
    says out '^wall time .* of all ranks together'
    says_not out 'thread'
    "$eprof" report -f html other.eprof >out
    says out 'in 2 ranks: min 1000 ns, mean 1500 ns, max 2000 ns, slowest 1, imbalance 0.333333'
    ;;
each_report_is_of_the_job_and_written_once)
    EPROF=csv=job.csv,tree=tree.%p,json=- ranks 3 "$folder/ranks"
    status_is 0
    is_balanced_as 3 job.csv
    [ "$(ls tree.* | wc -l)" = 1 ] || fail "trees: $(ls)"
    [ "$(grep -c '"format":1' out)" = 1 ] || fail "not one report in json"
    says out '"name":"work".*"processes":3,"process_min_ns":1000,'
    is_empty err
    ;;
counts_and_bytes_of_calls_are_right)
    for n in 2 3; do
        EPROF=csv=csv ranks $n "$folder/plain"
        status_is 0
        is_of_plain $n csv
    done
    ;;
bytes_are_those_that_each_rank_gives)
    EPROF=csv=csv ranks 3 "$folder/bytes"
    status_is 0
    more=0
    [ "$mpi" = mpich ] && more=144 # two starts of a collective of 24 bytes
    while read -r call calls total; do
        is csv "$call;bytes" calls "$calls"
        is csv "$call;bytes" total_ns "$total"
    done <<BYTES
MPI_Gatherv 6 48
MPI_Scatterv 1 24
MPI_Scatter 1 24
MPI_Bcast 1 20
MPI_Reduce 3 36
MPI_Allgather 6 48
MPI_Allgatherv 6 48
MPI_Alltoall 6 144
MPI_Alltoallv 6 144
MPI_Alltoallw 6 144
MPI_Reduce_scatter 3 72
MPI_Reduce_scatter_block 3 72
MPI_Neighbor_allgather 3 36
MPI_Neighbor_alltoall 3 72
MPI_Neighbor_alltoallv 3 36
MPI_Neighbor_alltoallw 3 36
MPI_Start $((12 + more / 24)) $((360 + more))
MPI_Startall 12 360
MPI_Fetch_and_op 3 12
MPI_Compare_and_swap 3 12
MPI_File_write_at 3 12
MPI_Bsend 3 48
BYTES
    is csv MPI_Start calls $((24 + more / 24))
    for call in Buffer_detach File_set_view File_seek_shared Send_init Win_flush_all; do
        [ "$(column csv MPI_$call processes)" = 3 ] || fail "MPI_$call is no scope"
    done
    [ "$mpi" = mpich ] || exit 0 # the rest is MPI 4
    is csv "MPI_Isendrecv;bytes" total_ns 12
    is csv "MPI_Bcast_c;bytes" total_ns 20
    is csv "MPI_Allgatherv_c;bytes" total_ns 24
    ;;
counts_of_two_groups_are_those_of_the_own_group)
    EPROF=csv=csv ranks 3 "$folder/corners" groups
    status_is 0
    is csv "MPI_Reduce_scatter;bytes" total_ns 48
    is csv "MPI_Ireduce_scatter;bytes" total_ns 48
    ;;
attributes_are_not_copied)
    EPROF=csv=csv ranks 2 "$folder/corners" attribute
    status_is 0
    is_empty err
    is csv MPI_Barrier processes 2
    ;;
failed_calls_have_no_bytes)
    EPROF=csv=csv ranks 2 "$folder/corners" errors
    status_is 0
    is csv MPI_Barrier processes 2
    [ "$(column csv MPI_Send calls)" -ge 2 ] || fail "no calls that fail"
    is csv "MPI_Send;bytes" calls "0 rows"
    ;;
messages_to_nobody_have_no_bytes)
    EPROF=csv=csv ranks 3 "$folder/corners" nobody
    status_is 0
    is csv MPI_Send calls 3
    is csv "MPI_Send;bytes" calls "0 rows"
    is csv "MPI_Sendrecv;bytes" calls "0 rows"
    is csv "MPI_Put;bytes" calls "0 rows"
    is csv MPI_Bcast calls 3
    is csv "MPI_Bcast;bytes" total_ns 4
    is csv "MPI_Reduce;bytes" total_ns 4
    ;;
type_of_no_elements_is_not_asked_for)
    preload="$library:$folder/libfaulty.so"
    FAULT=type EPROF=csv=csv ranks 2 "$folder/corners" nothing
    status_is 0
    is csv "MPI_Sendrecv;bytes" calls 2
    is csv "MPI_Sendrecv;bytes" total_ns 0
    ;;
each_start_has_the_bytes_of_its_request)
    EPROF=csv=csv ranks 2 "$folder/corners" restarts
    status_is 0
    is csv "MPI_Start;bytes" calls 3
    is csv "MPI_Start;bytes" total_ns $((3 * 1048576))
    is csv "MPI_Startall;bytes" calls 3
    is csv "MPI_Startall;bytes" total_ns $((6 * 1048576))
    ;;
writes_a_tree_where_nothing_is_named)
    ranks 2 "$folder/ranks"
    status_is 0
    [ "$(grep -c 'eProf Tree' err)" = 1 ] || fail "not one tree"
    says err '^work +3 '
    ;;
leaves_calls_out)
    EPROF=mpi-calls=off,csv=csv ranks 2 "$folder/ranks"
    status_is 0
    is_balanced_as 2 csv
    grep -q MPI_ csv && fail "calls of MPI are in it"
    EPROF=mpi-calls=off ranks 2 "$folder/plain"
    status_is 0
    is_empty err
    ;;
off_writes_nothing)
    EPROF=off,csv=csv ranks 3 "$folder/ranks"
    status_is 0
    is_empty err
    [ "$(ls)" = "err
out" ] || fail "files: $(ls)"
    ;;
records_fortran)
    for program in fortran fortran08; do
        rm -f csv
        EPROF=csv=csv ranks 3 "$folder/$program"
        status_is 0
        is csv MPI_Isend calls 30
        is csv "MPI_Isend;bytes" total_ns 12000
        is csv MPI_Recv calls 33
        is csv MPI_Wait calls 33
        is csv "MPI_Gatherv;bytes" total_ns 24
        is csv "MPI_Alltoallv;bytes" calls 9
        is csv "MPI_Alltoallv;bytes" total_ns 168
        is csv "MPI_Start;bytes" total_ns 60
        is csv MPI_Allreduce calls 3
        is csv "MPI_Allreduce;bytes" total_ns 1200
        is csv MPI_File_open calls 3
        is csv "MPI_File_write_at_all;bytes" total_ns 1200
        is csv MPI_File_close processes 3
    done
    ;;
records_fortran_in_a_plugin)
    # its libraries are not for the rest of the program
    EPROF=csv=csv ranks 2 python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1]).go()' \
        "$folder/plugin.so"
    status_is 0
    is csv MPI_Allreduce processes 2
    is csv "MPI_Allreduce;bytes" total_ns 8
    is csv "MPI_Sendrecv;bytes" total_ns 8
    is csv "MPI_Alltoallv;bytes" calls 2
    is csv "MPI_Alltoallv;bytes" total_ns 16
    ;;
records_threads_and_communicators)
    EPROF=csv=csv ranks 3 "$folder/ranks" threads
    status_is 0
    is_balanced_as 3 csv
    is csv MPI_Sendrecv calls 600
    is csv MPI_Sendrecv processes 3
    is csv MPI_Comm_split calls 3
    ;;
a_rank_may_record_nothing)
    EPROF=mpi-calls=off,csv=csv ranks 3 "$folder/ranks" silent
    status_is 0
    is csv work calls 4
    is csv work processes 2
    is csv work process_slowest 2
    ;;
calls_after_finalize_do_no_harm)
    EPROF=csv=csv ranks 2 "$folder/ranks" late
    status_is 0
    is_balanced_as 2 csv
    is_empty err
    ;;
finalize_may_come_at_exit)
    EPROF=csv=csv,json=- ranks 3 "$folder/ranks" at-exit
    status_is 0
    [ "$(grep -c '"format":1' out)" = 1 ] || fail "not one report in json"
    is_balanced_as 3 csv
    is_empty err
    ;;
an_aborted_job_leaves_image_files)
    EPROF=quiet,image=image.%p ranks 3 "$folder/ranks" abort
    [ "$status" != 0 ] || fail "the job was not aborted"
    "$eprof" merge -o sum image.* && "$eprof" report -f csv sum >csv
    is_balanced_as 3 csv
    ;;
a_killed_rank_leaves_an_image_file)
    EPROF=quiet,image=image.%p ranks 3 "$folder/ranks" kill
    [ "$status" != 0 ] || fail "the job did not notice"
    "$eprof" merge -o sum image.* && "$eprof" report -f csv sum >csv
    is_balanced_as 3 csv
    ;;
another_tool_sees_the_same_calls)
    export EPROF=csv=csv
    preload="$library:$folder/libtool.so"
    ranks 2 "$folder/plain"
    status_is 0
    says out '^the tool saw 10 sends$'
    is_of_plain 2 csv
    ;;
each_rank_writes_for_itself_if_a_message_is_lost)
    preload="$library:$folder/libfaulty.so"
    FAULT=message EPROF=quiet,csv=csv,mpi=job ranks 4 "$folder/ranks"
    status_is 0
    says err '^eprof: MPI: messages between the ranks failed'
    has_written_for_each_of_4_ranks
    ;;
each_rank_writes_for_itself_if_mpi_refuses_a_communicator)
    preload="$library:$folder/libfaulty.so"
    for fault in split split-1 agreement; do
        FAULT=$fault EPROF=quiet,csv=csv,mpi=job ranks 4 "$folder/ranks"
        status_is 0
        said='MPI_Comm_split' lines=1
        [ $fault != agreement ] || said='MPI_Allreduce' lines=4
        says err "^eprof: MPI: $said failed \\(.*[Ii]nternal.*\\): no profile of the whole job, but one of each rank$"
        [ "$(wc -l <err)" = $lines ] || fail "$fault: not $lines lines on stderr: $(cat err)"
        has_written_for_each_of_4_ranks
        rm -f job.* csv.* csv sum
    done
    ;;
rank_without_the_outcome_writes_its_own_profile)
    preload="$library:$folder/libfaulty.so"
    FAULT=outcome EPROF=quiet,csv=csv,mpi=job ranks 3 "$folder/ranks"
    status_is 0
    says err '^eprof: MPI: a message from rank 0 is lost: this rank writes its own profile, which may be in that of the job, too$'
    [ "$(wc -l <err)" = 1 ] || fail "more than one line on stderr: $(cat err)"
    [ "$(ls)" = "csv
csv.1
err
job
job.1
out" ] || fail "other files: $(ls)"
    is_balanced_as 3 csv
    is csv.1 work calls 2
    "$eprof" report -f csv job.1 >out
    is out work calls 2
    ;;
profile_may_lack_the_ranks)
    preload="$library:$folder/libfaulty.so"
    FAULT=rank EPROF=quiet,csv=csv,mpi=job ranks 2 "$folder/ranks"
    status_is 0
    [ "$(grep -c '^eprof: MPI: MPI_Comm_rank failed (.*): the profile does not state this process.s rank$' err)" = 2 ] ||
        fail "not a line of each process: $(cat err)"
    is csv work processes 2
    ;;
each_rank_writes_for_itself_if_no_memory_is_left_for_the_sum)
    preload="$library:$folder/libfaulty.so"
    FAULT=memory EPROF=quiet,csv=csv,mpi=job ranks 4 "$folder/ranks"
    status_is 0
    says err '^eprof: MPI: no memory for the profile of the whole job: each rank writes its own$'
    has_written_for_each_of_4_ranks
    ;;
merges_64_ranks)
    for n in 16 64; do
        EPROF=csv=csv ranks $n "$folder/ranks"
        status_is 0
        is_balanced_as $n csv
    done
    ;;
profiles_hpcc)
    [ "$mpi" = openmpi ] || exit 0 # Debian builds it for that one
    command -v hpcc >/dev/null || exit 77
    cat >hpccinf.txt <<'INPUT'
HPLinpack benchmark input file
one process grid, one small matrix
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
200          Ns
1            # of NBs
40           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
0            Number of additional problem sizes for PTRANS
0            values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
INPUT
    EPROF=quiet,csv=csv ranks 4 hpcc
    status_is 0
    grep -q 'Success=1' hpccoutf.txt || fail "hpcc says that it failed"
    for call in MPI_Send MPI_Recv MPI_Allreduce MPI_Bcast MPI_Barrier; do
        is csv $call processes 4
    done
    ;;
*)
    fail "no such case"
    ;;
esac
