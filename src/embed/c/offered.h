
enum
{
  IFBAM_UNKNOWN = 1,
  IFBAM_OUT_OF_RANGE,
  IFBAM_OTHER_KIND, /* a law would need code that this file does not contain */
};

void ifbam_network_make (IfbamNetwork *self);
/* Sets a number before the start; length: of name. Returns 0, or the reason of a refusal. */
int ifbam_network_set (IfbamNetwork *self, const char *name, size_t length, double value);
void ifbam_network_start (IfbamNetwork *self, double *row);
void ifbam_network_step (IfbamNetwork *self, double *row);
void ifbam_network_run (IfbamNetwork *self, unsigned long n_rows, double *rows);
