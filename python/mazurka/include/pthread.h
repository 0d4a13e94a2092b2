/* The system's pthread.h, but pthread_cleanup_push and pthread_cleanup_pop do not jump: they keep a list of functions,
   which pthread_exit calls. */
#ifndef MAZURKA_PTHREAD_H
#define MAZURKA_PTHREAD_H

#include_next <pthread.h>

#ifndef __cplusplus
struct __mazurka_cleanup {
    void (*__function)(void *);
    void *__argument;
    struct __mazurka_cleanup *__older;
};
void __mazurka_cleanup_push(struct __mazurka_cleanup *, void (*)(void *), void *);
void __mazurka_cleanup_pop(struct __mazurka_cleanup *);

#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(function, argument)       \
    do {                                               \
        void (*__function)(void *) = (function);       \
        void *__argument = (argument);                 \
        struct __mazurka_cleanup __record;             \
        __mazurka_cleanup_push(&__record, __function, __argument)
#define pthread_cleanup_pop(execute)                   \
        __mazurka_cleanup_pop(&__record);              \
        if (execute)                                   \
            __function(__argument);                    \
    } while (0)
#endif

#endif
