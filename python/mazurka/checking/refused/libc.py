"""Functions of the C library that programs may not call: why, and what to do instead.

``docs/reference/libc.md`` has the same list, and those that are supported.
"""

from __future__ import annotations

_WITHOUT = "leave it out for checking, behind '#ifndef __MAZURKA__'"
_ALLOCATOR = ("its result depends on the allocator", "remember the size that malloc was asked for")
_SETTINGS = ("it is specific to one allocator", _WITHOUT)
_LOCALE = ('there is only the locale "C"', "call the function of the same name without '_l'")
_MULTIBYTE = ("there are only characters of one byte", "use char and the functions of string.h")
_FILES = ("there are no files", "keep the data in arrays, or leave the call out behind '#ifndef __MAZURKA__'")
_SCANNING = ("formats for reading are not supported", "use strtol, strtod or strtok_r")
_STREAM_LOCKS = ("streams cannot be locked", "use a mutex of the program's own")
_LONG_DOUBLE = ("there is no 'long double'", "use double, and strtod")
_MATHS = (
    "its last digits differ from one machine to another",
    "compute the value beforehand, and write it as a constant",
)
_EXACT = ("it is not implemented", "write it out with fmod, floor, ldexp or the operators of C")
_PROCESSES = ("there is only this process", _WITHOUT)
_SIGNALS = (
    "there are no signals",
    "call the handler in a thread of its own, or leave the call out behind '#ifndef __MAZURKA__'",
)
_MAPPINGS = ("memory comes from malloc alone", "use malloc, or aligned_alloc for whole pages")
_NAMES = ("it is not implemented", "write it as a function of the program")


def _each(names: str, why: tuple[str, str]) -> dict[str, tuple[str, str]]:
    return dict.fromkeys(names.split(), why)


def _both(names: str) -> str:
    """The names for double and for float."""
    return " ".join(f"{name} {name}f" for name in names.split())


REFUSED_OF_LIBC: dict[str, tuple[str, str]] = {
    "malloc_usable_size": _ALLOCATOR,
    **_each("mallinfo mallinfo2 malloc_info malloc_stats malloc_trim mallopt pvalloc valloc", _SETTINGS),
    **_each("free_sized free_aligned_sized memalignment", _NAMES),
    **_each("strcasecmp_l strncasecmp_l strcoll_l strxfrm_l strerror_l setlocale localeconv", _LOCALE),
    **_each("isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l", _LOCALE),
    **_each("ispunct_l isspace_l isupper_l isxdigit_l tolower_l toupper_l", _LOCALE),
    **_each("strtod_l strtof_l strtol_l strtold_l strtoll_l strtoul_l strtoull_l", _LOCALE),
    **_each("mblen mbstowcs mbtowc wcstombs wctomb wcstoimax wcstoumax", _MULTIBYTE),
    **_each("basename memfrob strfry strverscmp strsignal sigabbrev_np sigdescr_np strerror_r", _NAMES),
    **_each("strerrordesc_np strerrorname_np isctype memset_explicit a64l l64a getsubopt rpmatch", _NAMES),
    **_each("ecvt ecvt_r fcvt fcvt_r gcvt strfromd strfromf imaxdiv umaxabs uabs ulabs ullabs", _NAMES),
    **_each("on_exit", _NAMES),
    **_each("strtold strfroml qecvt qecvt_r qfcvt qfcvt_r qgcvt", _LONG_DOUBLE),
    **_each(
        "fopen fopen64 fdopen freopen freopen64 fmemopen fopencookie open_memstream tmpfile tmpfile64", _FILES
    ),
    **_each(
        "fclose fcloseall fread fread_unlocked fseek fseeko fseeko64 ftell ftello ftello64 rewind", _FILES
    ),
    **_each(
        "fgetpos fgetpos64 fsetpos fsetpos64 ungetc fileno fileno_unlocked remove rename renameat", _FILES
    ),
    **_each(
        "renameat2 tempnam tmpnam tmpnam_r mkdtemp mkostemp mkostemp64 mkostemps mkostemps64 mkstemp", _FILES
    ),
    **_each("mkstemp64 mkstemps mkstemps64 mktemp realpath canonicalize_file_name putw getw", _FILES),
    **_each("__isoc23_sscanf __isoc23_vsscanf", _SCANNING),
    **_each("obstack_printf obstack_vprintf", _NAMES),
    **_each("flockfile ftrylockfile funlockfile", _STREAM_LOCKS),
    **_each("popen pclose system ctermid cuserid getloadavg getpt grantpt posix_openpt ptsname", _PROCESSES),
    **_each("ptsname_r unlockpt clearenv putenv setenv unsetenv select pselect", _PROCESSES),
    **_each(
        "fork vfork execl execle execlp execv execve execvp execvpe posix_spawn posix_spawnp", _PROCESSES
    ),
    **_each("wait waitpid waitid wait3 wait4 daemon", _PROCESSES),
    **_each(
        "signal sigaction raise kill killpg pthread_kill pthread_sigqueue sigqueue pause alarm setitimer",
        _SIGNALS,
    ),
    **_each("pthread_sigmask sigprocmask sigpending sigsuspend sigwait sigwaitinfo sigtimedwait", _SIGNALS),
    **_each("mmap mmap64 munmap mremap mprotect shm_open shm_unlink sbrk", _MAPPINGS),
    **_each(
        _both("acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 hypot"), _MATHS
    ),
    **_each(_both("lgamma log log10 log1p log2 sin sinh tan tanh tgamma"), _MATHS),
    **_each(_both("fma remainder remquo logb ilogb nexttoward"), _EXACT),
}
# What functions of frontend/libc call where they cannot go on: what is reached, and what to do instead.
UNSUPPORTED_CALLS: dict[str, tuple[str, str]] = {
    "__mazurka_printf_directive": (
        "a printf with '%n', a long double, wide characters, or a directive that C does not have",
        "print it another way",
    ),
    "__mazurka_scanf_directive": (
        "a sscanf with '%p', wide characters or a long double, or input on which C and libraries disagree",
        _SCANNING[1],
    ),
    "__mazurka_other_file": ("output to a file other than standard output and standard error", _FILES[1]),
    "__mazurka_pow_exponent": (
        "'pow' with an exponent that is neither a whole number up to 2^20 nor 0.5",
        _MATHS[1],
    ),
    "__mazurka_getopt_arguments": (
        "a getopt of arguments that are not main's",
        "read them with strcmp",
    ),
    "__mazurka_too_many_endings": (
        "a 257th function to be called at the end of the program",
        "register fewer of them",
    ),
}
