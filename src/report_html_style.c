#include "report_html_style.h"

/* In parts, since a compiler need not take a longer string than 4,095 bytes (C11 5.2.4.1). */
static const char page[] =
    ":root{color-scheme:light dark;--ground:#fbfaf7;--card:#fff;--ink:#23262b;--soft:#63666c;"
    "--line:#e3e0d8;--hover:#f1eee6;--mark:#2f6fbf;--bar:#d9d5ca;--on-hot:#fff;"
    "--h0:#e6e1d4;--h1:#f7e2a0;--h2:#f6c76f;--h3:#f0a04e;--h4:#c24f1c;--h5:#b93222;"
    "--s1:#f8d8cd;--s2:#f3b09c;--s3:#ea8a70;--s4:#b93222;"
    "--f1:#d3e3f4;--f2:#a8cbee;--f3:#7aaee3;--f4:#2563ab;--hatch:#00000024}\n"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--ground:#17191d;--card:#1f2227;--ink:#e4e3df;"
    "--soft:#9b9c9f;--line:#32353b;--hover:#262a30;--mark:#7db2f2;--bar:#42464d;"
    "--h0:#3b3e45;--h1:#57502f;--h2:#755d29;--h3:#865620;--h4:#b9552a;--h5:#d0402d;"
    "--s1:#5e413b;--s2:#74463b;--s3:#8f4433;--s4:#c03a27;"
    "--f1:#2f4862;--f2:#315173;--f3:#2c5c92;--f4:#2566b3;--hatch:#00000048}}\n"
    "*{box-sizing:border-box}\n"
    "html{font:15px/1.45 system-ui,sans-serif;background:var(--ground);color:var(--ink);"
    "scroll-padding:3rem}\n"
    "body{max-width:90rem;margin:0 auto;padding:1.5rem clamp(.75rem,2.5vw,2.5rem)}\n"
    "h1{font-size:1.5rem;margin:0 0 .75rem;overflow-wrap:anywhere;line-height:1.25;"
    "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}\n"
    "h2{font-size:1.05rem;margin:2rem 0 .6rem}\n"
    "small{color:var(--soft);font-size:.85em}\n"
    "nav{display:flex;gap:1.2rem;font-size:.9rem}\n"
    "a{color:var(--mark)}\n"
    "em{font-style:normal;font-size:.8em;padding:0 .4em;border-radius:.6em;"
    "border:1px solid currentColor;color:var(--soft);white-space:nowrap}\n"
    "svg{display:block}\n"
    "dl{display:flex;flex-wrap:wrap;gap:.6rem 2.2rem;margin:0}\n"
    "dt{color:var(--soft);font-size:.85rem}\n"
    "dd{margin:0;font-size:1.1rem;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    "footer{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);"
    "color:var(--soft);font-size:.9rem}\n"
    ".notes{margin:0;padding-left:1.1rem;overflow-wrap:anywhere}\n"
    ".rest{color:var(--soft)}\n"
    ":focus-visible{outline:2px solid var(--mark);outline-offset:-2px}\n";

static const char threads[] =
    ".threads{display:flex;flex-wrap:wrap;gap:.4rem;margin-top:1.5rem}\n"
    ".threads>input{position:absolute;opacity:0;pointer-events:none}\n"
    ".threads>label{padding:.25rem .8rem;border:1px solid var(--line);border-radius:1rem;"
    "background:var(--card);cursor:pointer;max-width:20rem;overflow:hidden;"
    "text-overflow:ellipsis;white-space:nowrap}\n"
    ".threads>label:only-of-type{display:none}\n"
    ".threads>label:hover{background:var(--hover)}\n"
    "input:checked+label{border-color:var(--mark);box-shadow:inset 0 0 0 1px var(--mark)}\n"
    "input:focus-visible+label{outline:2px solid var(--mark);outline-offset:2px}\n"
    ".threads>section{order:1;flex:0 0 100%;min-width:0;display:none}\n"
    "input:checked+label+section{display:block}\n"
    ".threads>section>nav+h2{margin-top:1rem}\n"
    ".threads>.rest{order:2}\n";

static const char rows[] =
    ".row{display:grid;grid-template-columns:minmax(9rem,1fr) 11rem 5rem 5rem 5.5rem "
    "repeat(4,4.7rem)"
    " 3.4rem;gap:0 .6rem;align-items:center;position:relative;padding:.1rem .4rem;"
    "border-radius:.25rem;text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap;min-height:1.65rem}\n"
    ".cells{display:contents}\n"
    ".row>.name{text-align:left;overflow:hidden;text-overflow:ellipsis;"
    "font-family:ui-monospace,monospace;font-size:.92em}\n"
    ".row .share{display:flex;align-items:center;gap:.5rem;justify-content:flex-end}\n"
    ".titles{position:sticky;top:0;z-index:2;background:var(--ground);color:var(--soft);"
    "font-size:.85rem;border-bottom:1px solid var(--line);border-radius:0}\n"
    ".titles>.name{font:inherit}\n"
    ".share>b{font-weight:400;width:3.1rem}\n"
    ".titles .share{display:block}\n"
    "summary{list-style:none;cursor:pointer}\n"
    "summary::-webkit-details-marker{display:none}\n"
    ".tree "
    "summary>.name::before{content:\"\\25B8\";content:\"\\25B8\"/"
    "\"\";display:inline-block;width:1.1em;"
    "color:var(--soft)}\n"
    ".tree details[open]>summary>.name::before{content:\"\\25BE\";content:\"\\25BE\"/\"\"}\n"
    ".tree div.row>.name{padding-left:1.1em}\n"
    ".tree details>:not(summary){margin-left:1.05rem}\n"
    /* from level 20 on names have no room to lose */
    "details details details details details details details details details details details "
    "details details details details details details details details details>:not(summary)"
    "{margin-left:0!important}\n"
    ".row:not(.titles):hover{background:var(--hover)}\n"
    ".tree details:hover>summary{box-shadow:inset 3px 0 var(--mark)}\n"
    ".row:target{outline:2px solid var(--mark)}\n"
    ".row.rest>.name{font-style:italic}\n"
    ".all>bdi{font-weight:600}\n"
    ".all{display:none;position:absolute;left:2.5rem;top:100%;z-index:3;max-width:min(46rem,80vw);"
    "padding:.5rem .75rem;background:var(--card);border:1px solid var(--line);"
    "border-radius:.4rem;box-shadow:0 4px 16px #0003;text-align:left;white-space:normal;"
    "overflow-wrap:anywhere;font-size:.88rem;pointer-events:none}\n"
    ".row:hover>.all,.row:focus-visible>.all{display:block}\n"
    ".bar{flex:1;height:.75rem;min-width:2rem;background:none;fill:var(--bar);"
    "border-radius:.15rem}\n"
    ".h0 .own{fill:var(--h0)}.h1 .own{fill:var(--h1)}.h2 .own{fill:var(--h2)}"
    ".h3 .own{fill:var(--h3)}.h4 .own{fill:var(--h4)}.h5 .own{fill:var(--h5)}\n"
    ".h3>.name bdi,.h4>.name bdi,.h5>.name bdi{font-weight:600}\n"
    ".spread{width:3rem;height:.75rem;margin-left:auto;fill:var(--soft)}\n";

static const char tables[] =
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "thead th{color:var(--soft);font-weight:400;font-size:.85rem;"
    "border-bottom:1px solid var(--line)}\n"
    "td,th{padding:.15rem .5rem;text-align:right;white-space:nowrap}\n"
    "tbody th,thead th:nth-child(2){text-align:left;width:99%;min-width:8rem;white-space:normal;"
    "overflow-wrap:anywhere;font-weight:400}\n"
    "tbody th{font-family:ui-monospace,monospace;font-size:.92em}\n"
    "tbody tr:hover{background:var(--hover)}\n"
    "td.share{display:flex;justify-content:flex-end;align-items:center;gap:.5rem;width:9rem;"
    "padding-left:.4rem}\n";

static const char flame[] =
    ".flame{margin:0}\n"
    ".flame svg svg{cursor:default}\n"
    ".flame a svg{cursor:pointer}\n"
    ".flame text{fill:var(--ink);font-size:12px;white-space:pre;pointer-events:none}\n"
    ".flame .h0{fill:var(--h0)}.flame .h1{fill:var(--h1)}.flame .h2{fill:var(--h2)}.flame "
    ".h3{fill:var(--h3)}.flame .h4{fill:var(--h4)}.flame .h5{fill:var(--h5)}\n"
    ".flame .h4 text,.flame .h5 text{fill:var(--on-hot)}\n"
    /* a gap between boxes, but some of each box */
    ".flame rect{width:max(60%,calc(100% - 1px))}\n"
    ".flame a:hover rect,.flame a:focus-visible rect{stroke:var(--ink);stroke-width:3px}\n"
    ".flame a:focus-visible{outline:none}\n"
    "@media(max-width:38rem){.flame .small{display:none}}\n"
    ".flame figcaption{color:var(--soft);font-size:.85rem;margin-top:.35rem}\n"
    "@media(forced-colors:active){.flame rect{fill:Canvas;stroke:CanvasText}.flame "
    "text{fill:CanvasText!important}}\n";

/* Of a comparison: s1 to s4 are slower, f1 to f4 faster. */
static const char changes[] =
    ".s1{--change:var(--s1)}.s2{--change:var(--s2)}.s3{--change:var(--s3)}.s4{--change:var(--s4)}\n"
    ".f1{--change:var(--f1)}.f2{--change:var(--f2)}.f3{--change:var(--f3)}.f4{--change:var(--f4)}\n"
    ".flame .s1,.flame .s2,.flame .s3,.flame .s4,.flame .f1,.flame .f2,.flame .f3,.flame .f4"
    "{fill:var(--change)}\n"
    ".flame .s4 text,.flame .f4 text{fill:var(--on-hot)}\n"
    ".flame .hatch{fill:url(#hatch)}\n"
    ".flame .edge{stroke:var(--ink);stroke-width:2px;stroke-dasharray:5 3}\n"
    "#hatch path{stroke:var(--hatch);stroke-width:6px}\n"
    ".flame svg:target>rect{stroke:var(--ink);stroke-width:6px;stroke-dasharray:none}\n"
    ".key{display:flex;flex-wrap:wrap;gap:.2rem .5rem;align-items:center;color:var(--soft);"
    "font-size:.85rem}\n"
    ".key svg{width:1.3rem;height:.9rem}.key rect{height:100%}\n"
    ".key span{display:flex}\n";

static const char comparison[] =
    ".found{font-size:1.1rem;font-weight:600;margin:1rem 0 0}.found+p{margin:0 0 "
    "1rem;color:var(--soft)}\n"
    "h2>small,h3>small{font-weight:400;margin-left:.5em}h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
    ".diff{table-layout:fixed}\n"
    ".diff thead th{width:5.6rem;min-width:0;text-align:right}\n"
    ".diff thead th:nth-child(1){width:auto;text-align:left}\n"
    ".diff thead th:nth-child(2){width:7.5rem}.diff thead th:nth-child(3){width:10.5rem}\n"
    ".diff tbody tr{border-bottom:1px solid var(--line)}\n"
    ".diff td,.diff tbody th{padding:.3rem .5rem;vertical-align:top}\n"
    ".diff tbody th{border-left:.4rem solid var(--change,transparent)}\n"
    ".diff td>*{display:block}\n"
    ".diff td>:first-child,.diff td>span{color:var(--soft)}\n"
    ".diff .change>b,.diff .by>data{color:var(--ink)}\n"
    ".diff .judged>:last-child{font-weight:600}\n"
    ".diff th>small{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;"
    "overflow:hidden}\n"
    ".diff tr:target{outline:2px solid var(--mark);outline-offset:-2px}\n"
    ".more>summary{color:var(--mark);padding:.3rem .5rem}\n"
    ".more>summary::before{content:\"\\25B8\";content:\"\\25B8\"/\"\";display:inline-block;"
    "width:1.1em}\n"
    ".more[open]>summary::before{content:\"\\25BE\";content:\"\\25BE\"/\"\"}\n";

static const char media[] =
    "@media(max-width:68rem){.wide,.cells>:nth-child(n+5){display:none}"
    ".row{grid-template-columns:minmax(9rem,1fr) 8rem 5rem 5rem 5.5rem}}\n"
    "@media(max-width:38rem){html{font-size:13px}.bar,.cells>:nth-child(4){display:none}"
    "td.share{width:auto}.row{grid-template-columns:minmax(5rem,1fr) 3.1rem 4.6rem 4.6rem;"
    "gap:0 .3rem}.tree details>:not(summary){margin-left:.6rem}}\n"
    "@media print{:root{--ground:#fff;--card:#fff;--ink:#000;--soft:#555;--line:#bbb;"
    "--hover:#fff}"
    "html{font-size:9pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "body{padding:0}.titles{position:static}.row,tr{break-inside:avoid}"
    "input:not(:checked)+label{display:none}.all{display:none!important}}\n"
    "@media(forced-colors:active){.bar,.spread{fill:CanvasText}.own{fill:Highlight}"
    "#hatch path{stroke:GrayText;stroke-width:1px}.key>span{display:none}"
    ".diff tbody th{border-left-color:Canvas}}\n";

void ep_report_html_style_write(struct ep_output *out)
{
    ep_output_text(out, page);
    ep_output_text(out, threads);
    ep_output_text(out, rows);
    ep_output_text(out, tables);
    ep_output_text(out, flame);
    ep_output_text(out, changes);
    ep_output_text(out, comparison);
    ep_output_text(out, media);
}
