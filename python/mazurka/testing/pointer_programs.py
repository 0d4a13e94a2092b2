"""Random C programs with pointers between threads, which test what counts as private to a thread.

Addresses of locals and of heap objects travel through globals, shared and private objects, threads'
arguments and results, functions with one or two names or called by address, integers, copies and arrays
of structs, and from a member to the struct around it; some lifetimes end early, and some indices leave their
array. Every scalar is an initialised word of 8 bytes, so that a program means the same whether an object is
treated as private or as shared (sizes never mix).

Global names start with a prefix, so that one call of the compiler can take many programs.
"""

from __future__ import annotations

from random import Random

_HELPERS = """
struct @node { long v; struct @node *next; struct @node **cell; };
static struct @node *@slot[2];
static long @flag;
static struct @node *@plain;
static struct @node @pool[2];
static _Thread_local struct @node *@mine;
static void @keep(struct @node *p) { __atomic_store_n(&@slot[0], p, __ATOMIC_RELEASE); }
void @keep_too(struct @node *p) __attribute__((alias("@keep")));
static struct @node *@same(struct @node *p) { return p; }
static void @link(struct @node *p, struct @node *q) { if (p) p->next = q; }
static void @swap(struct @node **p, struct @node **q) { struct @node *r = *p; *p = *q; *q = r; }
static struct @node *@fresh(long v) {
    struct @node *p = malloc(sizeof *p);
    p->v = v; p->next = 0; p->cell = 0;
    return p;
}
static void @dangle(long v) { struct @node gone = {v, 0, 0}; @keep(&gone); }
static void @leave(struct @node *p) { pthread_exit(p); }
struct @wide { long pad[15]; struct @node in; long rest[40]; };
static struct @wide @wides[2];
static struct @node *@in(struct @wide *p) { return &p->in; }
static struct @wide *@around(struct @node *p) {
    return (struct @wide *)((char *)p - offsetof(struct @wide, in));
}
static void @put(long *p, long n) { p[n] = 1; }
static void @fill(struct @wide *p, long n) { @put(p->rest, n); }
static void (*@by_address)(struct @node *) = @keep_too;
"""
_LOCALS = """
    struct @node a = {%d, 0, 0}, b = {%d, 0, 0}, c[2] = {{1, 0, 0}, {2, 0, 0}};
    struct { struct @node *one, *two; } h = {0, 0}, k = {0, 0};
    struct @node *p = %s, *q = 0;
    void *r = 0;
    pthread_t t = 0;
    long n = 0;
"""
# Statements, and how often they are drawn. $ is a pointer of the thread, # a pointer that it may store.
_STEPS = (
    (4, "__atomic_store_n(&@slot[{0}], #, {store});"),
    (4, "$ = __atomic_load_n(&@slot[{0}], {load});"),
    (2, "$ = __atomic_exchange_n(&@slot[{0}], #, __ATOMIC_ACQ_REL);"),
    (3, "if ($) $->v = {1};"),
    (3, "if ($) n += $->v;"),
    (3, "if ($) $->next = #;"),
    (2, "if (p) q = p->next;"),
    (1, "if (p && p->next) n += p->next->v;"),
    (2, "@keep(#);"),
    (2, "@keep_too(#);"),
    (2, "@by_address(#);"),
    (2, "$ = @same(#);"),
    (2, "@link($, #);"),
    (1, "@swap(&p, &q);"),
    (3, "$ = #;"),
    (2, "$ = @fresh({1});"),
    (1, "free($); $ = 0;"),
    (1, "h.one = #; k = h; $ = k.one;"),
    (1, "h.two = #; memcpy(&k, &h, sizeof h); $ = k.two;"),
    (1, "$ = (struct @node *)((uintptr_t)# ^ 0);"),
    (1, "c[{0}].next = #; $ = c[{0}].next;"),
    (1, "$ = &c[__atomic_load_n(&@flag, __ATOMIC_RELAXED) & 1];"),
    (1, "@pool[{0}].next = #;"),
    (1, "$ = @pool[{0}].next;"),
    (2, "a.cell = &b.next; *a.cell = #; $ = b.next;"),
    (2, "if (p) p->cell = &q;"),
    (2, "if (p && p->cell) *p->cell = #;"),
    (1, "@mine = #; $ = @mine;"),
    (1, "@plain = #;"),
    (1, "__atomic_store_n(&@flag, {1}, __ATOMIC_RELAXED);"),
    (1, "n += __atomic_load_n(&@flag, __ATOMIC_RELAXED);"),
    (1, "$ = @in(&@wides[{0}]);"),
    (1, "$ = @in(@around(#));"),
    (1, "@fill(&@wides[{0}], {1});"),
)
_RARE = (
    "@dangle({1});",
    "@leave(#);",
    "c[{1} + n * 40].v = 1;",
    "(&a)[{1}].v = 2;",
    "free(&a);",
    "@fill(&@wides[2], {1});",
    "@in(&@wides[2])->v = 1;",
)
_STORED = ("&a", "&b", "&c[1]", "p", "q", "&@pool[1]", "h.one", "@fresh(3)", "(struct @node *)0")


def pointer_program(random: Random, prefix: str) -> str:
    """A program; the name of its main is the prefix and ``main``."""
    text = _HELPERS
    threads = random.choice((1, 2, 2))
    for number in range(threads):
        body = _locals(random, "arg") + _steps(random, random.randint(2, 4))
        returned = random.choice(("0", "0", "p", "&@pool[0]", "@fresh(4)"))
        text += f"static void *@thread{number}(void *arg) {{{body}    return {returned};\n}}\n"
    text += f"int @main(void) {{{_main(random, threads)}    return 0;\n}}\n"
    return text.replace("@", prefix)


def _main(random: Random, threads: int) -> str:
    body = _locals(random, "0") + _steps(random, random.randint(0, 2))
    body += "    pthread_t ts[2] = {0, 0};\n"
    for number in range(threads):
        argument = random.choice(("0", "&a", "&b", "p", "&c[0]", "@fresh(5)"))
        body += f"    pthread_create(&ts[{number}], 0, @thread{number}, {argument});\n"
    body += _steps(random, random.randint(0, 2))
    for number in range(threads):
        body += f"    pthread_join(ts[{number}], &r);\n"
        if random.random() < 0.4:
            body += "    q = r;\n" + _step(
                random, random.choice(("if (q) q->next = #;", "if (q) n += q->v;"))
            )
    body += _steps(random, random.randint(0, 2))
    if random.random() < 0.3:
        body += "    pthread_create(&t, 0, @thread0, #);\n    pthread_join(t, &r);\n".replace(
            "#", random.choice(_STORED)
        )
    return body


def _locals(random: Random, argument: str) -> str:
    return _LOCALS % (random.randint(1, 3), random.randint(1, 3), random.choice(("0", argument, "&a")))


def _steps(random: Random, count: int) -> str:
    chosen = random.choices([step for _, step in _STEPS], [often for often, _ in _STEPS], k=count)
    if random.random() < 0.04:
        chosen.append(random.choice(_RARE))
    return "".join(_step(random, step) for step in chosen)


def _step(random: Random, step: str) -> str:
    step = step.replace("$", random.choice("pq")).replace("#", random.choice(_STORED), 1)
    orders = {"store": random.choice(("RELAXED", "RELEASE", "RELEASE", "SEQ_CST"))}
    orders["load"] = random.choice(("RELAXED", "ACQUIRE", "ACQUIRE", "SEQ_CST"))
    numbers = (str(random.randint(0, 1)), str(random.randint(1, 3)))
    for name, value in {"0": numbers[0], "1": numbers[1]}.items():
        step = step.replace("{" + name + "}", value)
    for name, order in orders.items():
        step = step.replace("{" + name + "}", f"__ATOMIC_{order}")
    return f"    {step}\n"
