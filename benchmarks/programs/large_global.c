// Arrays of N bytes of which next to nothing is used: what they cost before anything runs.
#ifndef N
#define N 64
#endif

char zeros[N];
char text[N] = {'a', 'b', 'c'};
int last[N / 4];

int main(void)
{
    zeros[5] = 1;
    last[N / 4 - 1] = text[2];
    return 0;
}
