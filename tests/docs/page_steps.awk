# page_steps.awk -v steps=FOLDER PAGE - each block of a page becomes a file of FOLDER, numbered in
# the order of the page, its ending the block's word: 01.c, 02.sh, 03.text. What a workflow's
# `run: |` holds is a block of sh, and so is what <!-- check: COMMAND --> asks, of which readers see
# nothing: that what the page says of its figures holds each time. Where the line before a block is
# <!-- exactly --> or <!-- figures differ -->, a file of the block's name and ".exactly" or ".differ"
# says so.

function begin(word) {
    file = sprintf("%s/%02d.%s", steps, ++count, word)
    printf "" >file
    if (before == "<!-- figures differ -->")
        printf "" >(file ".differ")
    if (before == "<!-- exactly -->")
        printf "" >(file ".exactly")
    before = ""
}

/^```/ && inside {
    inside = is_run = 0
    next
}
/^```/ {
    inside = 1
    is_workflow = $0 == "```yaml"
    if (!is_workflow)
        begin(substr($0, 4))
    next
}
inside && is_workflow && /run: \|$/ {
    is_run = 1
    indent = match($0, /[^ -]/) + 1 # deeper than `run`, by two
    begin("sh")
    next
}
inside && is_workflow && is_run && match($0, /[^ ]/) <= indent - 1 {
    is_run = 0
}
inside && (!is_workflow || is_run) {
    print is_run ? substr($0, indent + 1) : $0 >file
}
!inside && /^<!-- check: .* -->$/ {
    begin("sh")
    print substr($0, 13, length($0) - 16) >file
    next
}
!inside && NF {
    before = $0
}
