/* A program that does nothing: a library that it is linked with makes all calls. */
int main(void)
{
    return 0;
}
