#include <stddef.h>
#include <string.h>

#define IFBAM_ELEMENTARY static inline

#define IFBAM_INLINE static inline __attribute__ ((always_inline))
#ifdef __clang__
#define IFBAM_VECTOR_LOOP _Pragma ("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define IFBAM_VECTOR_LOOP _Pragma ("GCC ivdep")
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
