#ifndef UNLOAD_PLUGIN_H
#define UNLOAD_PLUGIN_H

/* Makes the library keep as many resources as it can. */
typedef void plugin_work(void);

#endif /* UNLOAD_PLUGIN_H */
