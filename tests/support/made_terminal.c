#include "made_terminal.h"

void terminal_open(struct terminal *terminal, unsigned short columns)
{
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    struct termios mode;
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_return_code(terminal->master, errno);
    assert_return_code(grantpt(terminal->master), errno);
    assert_return_code(unlockpt(terminal->master), errno);
    int slave = open(ptsname(terminal->master), O_RDWR | O_NOCTTY);
    assert_return_code(slave, errno);
    assert_return_code(ioctl(slave, TIOCSWINSZ, &size), errno);
    assert_return_code(tcgetattr(slave, &mode), errno);
    mode.c_oflag &= ~(tcflag_t)OPOST; /* the terminal does not change the output */
    assert_return_code(tcsetattr(slave, TCSANOW, &mode), errno);
    terminal->stream = fdopen(slave, "w");
    assert_non_null(terminal->stream);
}

void terminal_close(struct terminal *terminal)
{
    fclose(terminal->stream);
    close(terminal->master);
}

void terminal_read(struct terminal *terminal, char *text, size_t room)
{
    size_t bytes = 0;
    ssize_t count = 1;
    assert_int_equal(fflush(terminal->stream), 0);
    assert_return_code(fcntl(terminal->master, F_SETFL, O_NONBLOCK), errno);
    while (count > 0 && bytes < room - 1) {
        count = read(terminal->master, text + bytes, room - 1 - bytes);
        bytes += count > 0 ? (size_t)count : 0;
    }
    text[bytes] = '\0';
}

/* Runs `write_to` in a process of its own, then writes the byte that ends the text. */
static int write_and_end(void (*write_to)(const void *context, FILE *stream), const void *context,
                         FILE *stream)
{
    int status = 1;
    pid_t writer = fork();
    if (writer == 0) {
        write_to(context, stream);
        _exit(fclose(stream) == 0 ? 0 : 1);
    }
    bool has_ended = writer > 0 && waitpid(writer, &status, 0) == writer;
    /* cppcheck-suppress deallocret; only the other process has closed it */
    return fputc('\0', stream) == 0 && fflush(stream) == 0 && has_ended && status == 0 ? 0 : 1;
}

/*
 * The text ends with a byte 0, and this process keeps its end open until it has read it: when the
 * last end is closed between two looks of n_tty_read() (Linux 6.18), the reader gets EIO and
 * loses what was written just before.
 */
char *terminal_catch(void (*write_to)(const void *context, FILE *stream), const void *context)
{
    struct terminal terminal;
    struct test_text text;
    char part[4096];
    terminal_open(&terminal, 80);
    pid_t child = fork();
    if (child == 0)
        _exit(write_and_end(write_to, context, terminal.stream));
    assert_return_code(child, errno);
    FILE *caught = test_text_begin(&text);
    for (bool has_ended = false; !has_ended;) {
        ssize_t count = read(terminal.master, part, sizeof part);
        assert_true(count > 0);
        has_ended = part[count - 1] == '\0';
        size_t bytes = (size_t)count - has_ended;
        assert_int_equal(fwrite(part, 1, bytes, caught), bytes);
    }
    terminal_close(&terminal);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return test_text_end(&text);
}

void assert_is_harmless(const char *format, const char *text, bool is_ascii)
{
    assert_true(*text);
    for (const char *at = text; *at;) {
        size_t length = *at == '\n' ? 1 : ep_escape_name_plain(at);
        if (length == 0 || (is_ascii && length > 1)) {
            print_error("%s: the byte 0x%02x after %.40s\n", format, (unsigned char)*at,
                        at - text > 40 ? at - 40 : text);
            fail();
        }
        at += length;
    }
}

void use_terminal_without_utf8(void)
{
    setenv("LC_ALL", "C", 1);
    setenv("NO_COLOR", "1", 1);
}

void use_terminal_with_utf8(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("NO_COLOR", "1", 1);
}

int clear_settings(void **state)
{
    static const char *const settings[] = {
        "COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL", "LC_CTYPE", "LANG"};
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        unsetenv(settings[i]);
    return setlocale(LC_ALL, "C") ? 0 : -1;
}
