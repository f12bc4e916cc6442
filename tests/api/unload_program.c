/* A program that does nothing: what is recorded comes from a library that it starts with. */
int main(void)
{
    return 0;
}
