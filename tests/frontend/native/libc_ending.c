// Functions for the end of the program, which exit calls as well.
#include <stdio.h>
#include <stdlib.h>

static int count;
static void first(void) { printf("first %d\n", ++count); }
static void late(void) { printf("late %d\n", ++count); }
static void last(void) {
  printf("last %d\n", ++count);
  atexit(late);
}

int main(void) {
  printf("%d %d %d\n", atexit(first), atexit(last), atexit(first));
  exit(0);
}
