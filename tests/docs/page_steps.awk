# page_steps.awk -v steps=FOLDER PAGE - writes each block of a page to a file of FOLDER. The files
# are numbered in the order of the page, and their endings are the words of the blocks: 01.c, 02.sh,
# 03.text. The text of a workflow's `run: |` is a block of sh, and so is the command of <!-- check:
# COMMAND -->, which readers do not see: it tests that the page's statements about its figures are
# true in each run. If the line before a block is <!-- exactly --> or <!-- figures differ -->, an
# empty file with the block's name and ".exactly" or ".differ" is made.

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
