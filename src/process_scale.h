/*
 * process_scale.h - how long a tick of the source in use is, as far as this process knows
 */
#ifndef EP_PROCESS_SCALE_H
#define EP_PROCESS_SCALE_H

#include "scale.h"

/*
 * For all that is known now. A source of the program's own that tells no rate is measured for 6 ms,
 * once in each use, and from its first use until now: where the two are apart by a hundredth, it
 * was set meanwhile or is no wall clock, and the first counts, unless it saw less than 500 ticks.
 * Of one that is another on each thread it always does. Lock.
 */
struct ep_scale ep_process_scale(void);
/* The same without waiting but for those 6 ms: enough for a time of this process. Lock. */
struct ep_scale ep_process_scale_at_once(void);

/*
 * In an image that has a file, for those who find it when this process is gone. At first, and
 * when the source was changed: it is measured, and the probe's cost too. Lock.
 */
void ep_process_scale_write(void);
/* When the lock is given back: again, when twice as much time has passed. */
void ep_process_scale_refresh(void);

#endif /* EP_PROCESS_SCALE_H */
