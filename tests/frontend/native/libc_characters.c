// ctype.h, as macros and as functions.
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int (*const tests[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower,
                               isprint, ispunct, isspace, isupper, isxdigit, isascii};
  for (int c = -1; c < 256; c++) {
    int found = 0, again = 0;
    for (int i = 0; i < 13; i++)
      found |= (tests[i](c) != 0) << i;
    again |= (isalnum(c) != 0) << 0 | (isalpha(c) != 0) << 1 | (isblank(c) != 0) << 2 | (iscntrl(c) != 0) << 3;
    again |= (isdigit(c) != 0) << 4 | (isgraph(c) != 0) << 5 | (islower(c) != 0) << 6 | (isprint(c) != 0) << 7;
    again |= (ispunct(c) != 0) << 8 | (isspace(c) != 0) << 9 | (isupper(c) != 0) << 10 | (isxdigit(c) != 0) << 11;
    char small = c;
    if (c >= 'A' && c <= 'Z')
      printf("%d %d\n", _tolower(c), _toupper(c + 32));
    printf("%d %d %d %d %d %d %d\n", c, found, again, tolower(c), toupper(c), toascii(c), tolower((unsigned char)small));
  }
}
