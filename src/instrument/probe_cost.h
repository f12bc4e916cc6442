/*
 * instrument/probe_cost.h - the cost of the probe itself, measured in this process
 *
 * The snapshot subtracts it (eprof.h: "corrected for the probe's own cost"); nothing else does. The
 * rate of a source is measured elsewhere, in clock/calibrate.h.
 */
#ifndef EP_INSTRUMENT_PROBE_COST_H
#define EP_INSTRUMENT_PROBE_COST_H

/*
 * Measures pairs around some work under the source in use and writes the result into the image,
 * unless it is there. Takes some 400 us with the processor's counter, and as much again where there
 * are functions; with any other source some 4,600 reads, and 3,100 more with functions
 * (2026-11-22). Without memory for it nothing is corrected. For an image with a file it is called
 * when the file is made, and when the first function is entered. The caller holds the process lock.
 */
void ep_probe_calibrate(void);

/* The next calibration measures again, since the budget has changed the probes. Lock. */
void ep_probe_forget(void);

#endif /* EP_INSTRUMENT_PROBE_COST_H */
