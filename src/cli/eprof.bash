# Completion of eprof(1) for bash: commands, options, formats, sort keys, sources, programs, files.

# Sets `words` to the words up to the cursor. bash cuts them at `=` and `:` as well, as
# COMP_WORDBREAKS says: "--format=csv:raw" arrives as --format = csv : raw.
_eprof_join() {
    local i is_joined=
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        = | :)
            words[-1]+=${COMP_WORDS[i]} is_joined=1
            continue
            ;;
        esac
        if [[ $is_joined ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
        is_joined=
    done
}

# Offers the given words that begin with $current, without the part that bash does not replace.
_eprof_offer() {
    local kept=${current##*["=:"]} word
    local fixed=${current%"$kept"}
    [[ $COMP_WORDBREAKS == *=*:* || $COMP_WORDBREAKS == *:*=* ]] || fixed=
    for word; do
        if [[ $word == "$current"* ]]; then
            COMPREPLY+=("${word#"$fixed"}")
        fi
    done
}

# Offers names of files that compgen finds by these arguments.
_eprof_offer_files() {
    compopt -o filenames 2>/dev/null # fails where no completion is under way
    local name
    while IFS= read -r name; do
        COMPREPLY+=("$name")
    done < <(compgen "$@" -- "${current#--*=}" | sort -u)
}

# Profiles, and folders that they may be in.
_eprof_offer_profiles() {
    _eprof_offer_files -f -X '!*.eprof'
    _eprof_offer_files -d
}

# Offers arguments of the option $1; $2 is the text before the argument in $current.
_eprof_offer_arguments() {
    local value=${current#"$2"} before=$2
    case $1 in
    -f | --format)
        case ${words[1]}$value in
        diff*) _eprof_offer "$before"{table,csv,json,html} ;;
        *openmetrics:*) _eprof_offer "$before${value%:*}":{threads,raw,ticks,summary} ;;
        reporttable:* | reporttree:*)
            _eprof_offer "$before${value%:*}":{threads,raw,ticks,where,columns=}
            ;;
        *:*) _eprof_offer "$before${value%:*}":{threads,raw,ticks} ;;
        *) _eprof_offer "$before"{table,tree,csv,json,html,folded,speedscope,callgrind,openmetrics,pprof} ;;
        esac
        ;;
    --sort)
        if [[ ${words[1]} == top ]]; then
            _eprof_offer "$before"{self/s,total/s,calls/s,now,mean,p99,self,total,calls,cpu,wait,name}
            return
        fi
        _eprof_offer "$before"{calls,timed,errors,open,total,self,mean,stddev} \
            "$before"{min,p50,p90,p99,p999,max,outermost,estimated,mean_error} \
            "$before"{total_error,cpu,wait,kind,name,thread,file,line,unit,id}
        ;;
    --columns)
        _eprof_offer "$before"{calls,timed,outermost,errors,open,total,%total,%parent,self,self%} \
            "$before"{cpu,wait,mean,stddev,min,p50,p90,p99,p99.9,max} \
            "$before"{processes,process_min,process_mean,process_max,process_stddev} \
            "$before"{process_slowest,imbalance}
        ;;
    --by) _eprof_offer "$before"{total,self,mean,p99} ;;
    --before | --after) _eprof_offer_profiles ;;
    --unit) _eprof_offer "$before"{ns,ticks} ;;
    --color) _eprof_offer "$before"{auto,always,never} ;;
    --source)
        _eprof_offer "$before"{auto,rdtsc,rdtsc_ordered,clock_gettime,gettimeofday,thread_cputime}
        ;;
    -o | --output) _eprof_offer_files -f ;;
    --debug-directory) _eprof_offer_files -d ;;
    -l | --listen) _eprof_offer "$before"{127.0.0.1:,0.0.0.0:} ;;
    esac
}

# Whether the option $1 takes an argument.
_eprof_takes_argument() {
    case $1 in
    -o | -f | --output | --repeat | --source | --format | --sort | --top | --thread | --filter | \
        --focus | --depth | --callers | --histogram | --columns | --unit | --color | --debug-directory | --by | --fail-above | --confidence | \
        --interval | --count | -l | --listen | --ended | --memory) return 0 ;;
    *) return 1 ;;
    esac
}

# Whether the program of `eprof run` is before the cursor: words after it are its own.
_eprof_has_program() {
    local i
    for ((i = 2; i < ${#words[@]} - 1; i++)); do
        case ${words[i]} in
        --) ((i + 1 < ${#words[@]} - 1)) && return 0 ;;
        -*) _eprof_takes_argument "${words[i]}" && ((i++)) ;;
        *) return 0 ;;
        esac
    done
    return 1
}

_eprof_offer_options() {
    case ${words[1]} in
    run) _eprof_offer --output= --repeat= --quiet --source= --auto --help ;;
    report)
        _eprof_offer --format= --output= --sort= --top= --thread= --filter= --focus= --depth= \
            --callers= --histogram= --columns= --by-process --where --unit= --raw --color= --debug-directory= --help
        ;;
    merge) _eprof_offer --output= --debug-directory= --help ;;
    diff)
        _eprof_offer --before= --after= --by= --fail-above= --confidence= --format= --output= \
            --top= --filter= --raw --color= --debug-directory= --help
        ;;
    top)
        _eprof_offer --interval= --sort= --filter= --paths --top= --count= --raw --color= \
            --debug-directory= --help
        ;;
    serve) _eprof_offer --listen= --ended= --memory= --debug-directory= --help ;;
    esac
}

_eprof() {
    local words current previous
    COMPREPLY=()
    _eprof_join
    current=${words[-1]} previous=${words[-2]}
    if ((${#words[@]} == 2)); then
        _eprof_offer run report merge diff top serve --help --version
    elif [[ ${words[1]} == run ]] && _eprof_has_program; then
        return # files, which bash offers where there is nothing else
    elif [[ $current == --*=* ]]; then
        _eprof_offer_arguments "${current%%=*}" "${current%%=*}="
    elif _eprof_takes_argument "$previous"; then
        _eprof_offer_arguments "$previous" ''
    elif [[ $current == -* ]]; then
        _eprof_offer_options
    elif [[ ${words[1]} == run ]]; then
        _eprof_offer_files -c
    elif [[ ${words[1]} =~ ^(report|merge|diff|top|serve)$ ]]; then
        _eprof_offer_profiles
    fi
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == --*= ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -o bashdefault -o default -F _eprof eprof
