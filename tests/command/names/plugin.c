/* plugin.c - a plug-in that is loaded and unloaded: `visit` calls `look`, which is not exported,
 * twice */
static volatile int looks;

int visit(void);

__attribute__((noinline)) static void look(void)
{
    looks = looks + 1;
}

__attribute__((visibility("default"))) int visit(void)
{
    looks = 0;
    look();
    look();
    return looks != 2;
}
