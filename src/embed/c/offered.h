
enum
{
  IFBAM_UNKNOWN = 1,
  IFBAM_OUT_OF_RANGE,
  IFBAM_OTHER_KIND, /* a law would be of a kind that this file is not written for */
};

void ifbam_network_make (IfbamNetwork *self);
/* 0, or why not; the name has so many characters. Before the start. */
int ifbam_network_set (IfbamNetwork *self, const char *name, size_t length, double value);
void ifbam_network_start (IfbamNetwork *self, double *row);
void ifbam_network_step (IfbamNetwork *self, double *row);
void ifbam_network_run (IfbamNetwork *self, unsigned long n_rows, double *rows);
