#ifndef UNLOAD_PLUGIN_H
#define UNLOAD_PLUGIN_H

/* Has the library keep as much as it can. */
typedef void plugin_work(void);

#endif /* UNLOAD_PLUGIN_H */
