/*
 * module_names.h - the names of functions as the dynamic loader knows them, until they are looked
 * up in the files of their modules (image_names.h)
 */
#ifndef EP_MODULE_NAMES_H
#define EP_MODULE_NAMES_H

/* Names those that have been entered since the last time. Without memory they stay as they are.
 * Not to be called with the lock: the dynamic loader has one of its own. 0; -1 and errno: the lock
 * could not be had. */
int ep_module_names_find(void);

#endif /* EP_MODULE_NAMES_H */
