void plugin_work(void);

void plugin_work(void)
{
    __asm__ volatile("");
}
