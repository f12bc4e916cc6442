/*
 * exit_names.h - the names of functions in the reports that are written when the program ends
 *
 * A program is started that looks them up, as the sanitizers start their symbolizer; in this one
 * there is no reader of debug information.
 */
#ifndef EP_EXIT_NAMES_H
#define EP_EXIT_NAMES_H

/* Before the reports: looks them up, if functions were recorded. */
void ep_exit_names_find(void);

/* Behind a report on stderr: says there why functions in it have no names. */
void ep_exit_names_explain(void);

#endif /* EP_EXIT_NAMES_H */
