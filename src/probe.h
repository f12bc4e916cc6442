/*
 * probe.h - what the probe itself costs, measured in this process
 *
 * The snapshot takes it off (eprof.h: "corrected for the probe's own cost").
 */
#ifndef EP_PROBE_H
#define EP_PROBE_H

/*
 * Measures pairs around some work under the source in use and writes the result into the
 * image, unless that was done. Takes some 400 us with the processor's counter, as much again
 * where there are functions, and some 4,600 reads of any other source, which are 3,100 more with
 * functions. Without memory for it nothing is corrected. The caller holds the process lock.
 */
void ep_probe_calibrate(void);

#endif /* EP_PROBE_H */
