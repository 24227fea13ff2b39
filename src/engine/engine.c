/* engine.c: what the compiled engine and the dialogue of the objects do alike
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/engine.h"

void
ifbam_engine_free (IfbamEngine *engine)
{
  if (engine != NULL)
    engine->free (engine);
}

gboolean
ifbam_probes_row (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps, guint64 now,
                  gsize *row)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);
  guint64 before = 0;

  if (now < lookahead || (now - lookahead) % probes->stride != 0)
    return FALSE;
  /* Rows up to and including the one that the start of the advance tells are not part of it. */
  if (steps >= lookahead)
    before = (steps - lookahead) / probes->stride + 1;
  *row = (gsize) ((now - lookahead) / probes->stride - before);
  return TRUE;
}
