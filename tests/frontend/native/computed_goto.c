// Labels as values: tables of addresses, of differences, in static and in automatic storage.
#include <stdio.h>

static int interpret(const unsigned char *code)
{
    static void *const table[] = { &&increment, &&twice, &&negate, &&end };
    static const int differences[] = { &&increment - &&increment, &&twice - &&increment, &&negate - &&increment,
                                       &&end - &&increment };
    int x = 1;
    goto *table[*code++];
increment:
    x++;
    goto *table[*code++];
twice:
    x *= 2;
    goto *(&&increment + differences[*code++]);
negate:
    x = -x;
    goto *table[*code++];
end:
    return x;
}

static int local_table(int n)
{
    void *next = n & 1 ? &&odd : &&even;
    int seen = 0;
    goto *next;
odd:
    seen += 10;
    next = &&even;
    if (n-- > 4)
        goto *next;
even:
    seen += 1;
    if (n-- > 2)
        goto *(n & 1 ? &&odd : &&even);
    return seen;
}

int main(void)
{
    unsigned char code[] = { 0, 1, 2, 1, 0, 3 };
    printf("%d\n", interpret(code));
    for (int n = 0; n < 9; n++)
        printf("%d ", local_table(n));
    printf("\n");
    return 0;
}
