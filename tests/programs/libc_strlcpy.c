// strlcpy and strlcat, which older C libraries lack, cut what does not fit and return how long it would have been.
// expect[sc,rc11]: verified complete=1
#include <assert.h>
#include <string.h>

size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);

int main(void) {
    char text[6];
    assert(strlcpy(text, "abc", sizeof text) == 3 && strcmp(text, "abc") == 0);
    assert(strlcat(text, "defgh", sizeof text) == 8 && strcmp(text, "abcde") == 0);
    assert(strlcpy(text, "0123456789", sizeof text) == 10 && strcmp(text, "01234") == 0);
    assert(strlcpy(text, "zzz", 0) == 3 && text[0] == '0');
    assert(strlcat(text, "zz", 3) == 5 && strcmp(text, "01234") == 0);
}
