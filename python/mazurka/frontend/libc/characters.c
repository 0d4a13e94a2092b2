// ctype.h in the locale "C". Its macros look into tables, which can be indexed from -128 to 255.
#define __NO_CTYPE
#include <ctype.h>

#define LOWEST (-128)
#define UPPER (_ISupper | _ISalpha | _ISprint | _ISgraph | _ISalnum)
#define LOWER (_ISlower | _ISalpha | _ISprint | _ISgraph | _ISalnum)
#define AT(character) [(character) - LOWEST]
#define FROM_TO(first, last) [(first) - LOWEST ... (last) - LOWEST]

static const unsigned short kinds[384] = {
    FROM_TO(0, 8) = _IScntrl,
    AT('\t') = _IScntrl | _ISspace | _ISblank,
    FROM_TO('\n', '\r') = _IScntrl | _ISspace,
    FROM_TO(14, 31) = _IScntrl,
    AT(' ') = _ISspace | _ISprint | _ISblank,
    FROM_TO('!', '/') = _ISprint | _ISgraph | _ISpunct,
    FROM_TO('0', '9') = _ISdigit | _ISxdigit | _ISprint | _ISgraph | _ISalnum,
    FROM_TO(':', '@') = _ISprint | _ISgraph | _ISpunct,
    FROM_TO('A', 'F') = UPPER | _ISxdigit,
    FROM_TO('G', 'Z') = UPPER,
    FROM_TO('[', '`') = _ISprint | _ISgraph | _ISpunct,
    FROM_TO('a', 'f') = LOWER | _ISxdigit,
    FROM_TO('g', 'z') = LOWER,
    FROM_TO('{', '~') = _ISprint | _ISgraph | _ISpunct,
    AT(127) = _IScntrl,
};
static const unsigned short *const kinds_from_zero = kinds - LOWEST;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&kinds_from_zero; }

#define EIGHT(first) (first), (first) + 1, (first) + 2, (first) + 3, (first) + 4, (first) + 5, (first) + 6, (first) + 7
#define ALL_BUT_LETTERS                                                                                     \
  EIGHT(128), EIGHT(136), EIGHT(144), EIGHT(152), EIGHT(160), EIGHT(168), EIGHT(176), EIGHT(184),           \
      EIGHT(192), EIGHT(200), EIGHT(208), EIGHT(216), EIGHT(224), EIGHT(232), EIGHT(240), EIGHT(248),       \
      EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56), EIGHT(64),      \
      EIGHT(72), EIGHT(80), EIGHT(88), EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120), EIGHT(128),           \
      EIGHT(136), EIGHT(144), EIGHT(152), EIGHT(160), EIGHT(168), EIGHT(176), EIGHT(184), EIGHT(192),       \
      EIGHT(200), EIGHT(208), EIGHT(216), EIGHT(224), EIGHT(232), EIGHT(240), EIGHT(248), AT(-1) = -1
#define LETTERS(a) EIGHT(a), EIGHT((a) + 8), EIGHT((a) + 16), (a) + 24, (a) + 25

// Negative characters are taken for those of 128 to 254, as in the GNU library; -1 is EOF.
static const int lower[384] = {ALL_BUT_LETTERS, AT('A') = LETTERS('a')};
static const int upper[384] = {ALL_BUT_LETTERS, AT('a') = LETTERS('A')};
static const int *const lower_from_zero = lower - LOWEST, *const upper_from_zero = upper - LOWEST;

const int **__ctype_tolower_loc(void) { return (const int **)&lower_from_zero; }

const int **__ctype_toupper_loc(void) { return (const int **)&upper_from_zero; }

static int is_in_table(int character) { return character >= LOWEST && character < 256; }

int tolower(int character) { return is_in_table(character) ? lower_from_zero[character] : character; }

int toupper(int character) { return is_in_table(character) ? upper_from_zero[character] : character; }

int isalnum(int character) { return kinds_from_zero[character] & _ISalnum; }

int isalpha(int character) { return kinds_from_zero[character] & _ISalpha; }

int isblank(int character) { return kinds_from_zero[character] & _ISblank; }

int iscntrl(int character) { return kinds_from_zero[character] & _IScntrl; }

int isdigit(int character) { return kinds_from_zero[character] & _ISdigit; }

int isgraph(int character) { return kinds_from_zero[character] & _ISgraph; }

int islower(int character) { return kinds_from_zero[character] & _ISlower; }

int isprint(int character) { return kinds_from_zero[character] & _ISprint; }

int ispunct(int character) { return kinds_from_zero[character] & _ISpunct; }

int isspace(int character) { return kinds_from_zero[character] & _ISspace; }

int isupper(int character) { return kinds_from_zero[character] & _ISupper; }

int isxdigit(int character) { return kinds_from_zero[character] & _ISxdigit; }

int isascii(int character) { return (character & ~127) == 0; }

int toascii(int character) { return character & 127; }

int _tolower(int character) { return tolower(character); }

int _toupper(int character) { return toupper(character); }
