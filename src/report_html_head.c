#include "report_html_head.h"

#include "report_html_style.h"

void ep_report_html_head_begin(struct ep_output *out)
{
    ep_output_text(out,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                   "&#39;none&#39;; style-src &#39;sha256-" EP_REPORT_HTML_STYLE_SHA256 "&#39;\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
}

void ep_report_html_head_end(struct ep_output *out)
{
    ep_output_text(out, "</title>\n<style>");
    ep_report_html_style_write(out);
    ep_output_text(out, "</style>\n</head>\n");
}
