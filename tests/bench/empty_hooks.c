/* empty_hooks.c - hooks that do nothing, to measure the cost of -finstrument-functions itself */

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
    (void)function, (void)call_site;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    (void)function, (void)call_site;
}
