/* drive.c: a node whose motion is prescribed, by a formula or by a measured course
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/drive-law.h"
#include "element/node.h"

static const IfbamParam drive_params[] = {
  IFBAM_PARAM (DriveLaw, position, "position", "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "where it stands at the start, without its oscillation"),
  IFBAM_PARAM (DriveLaw, velocity, "velocity", "%v", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "its steady velocity"),
  IFBAM_PARAM (DriveLaw, amplitude, "amplitude", "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation"),
  IFBAM_PARAM (DriveLaw, frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0, "of its oscillation"),
  IFBAM_PARAM (DriveLaw, phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its oscillation at the start"),
  IFBAM_PARAM_COURSE ("%x"),
};

static char *
drive_fault (IfbamElement *element, const char **key)
{
  return ifbam_element_course_fault (element, "position, velocity, amplitude, frequency, phase",
                                     key);
}

IFBAM_DEFINE_GIVEN_NODE (Drive, drive, DriveLaw, drive, .name = "drive",
                         .summary = "node whose motion is prescribed",
                         .law = "x = position + velocity * t + amplitude * sin(2 pi frequency * t "
                                "+ phase), or a course",
                         .source = "kinematic excitation; a course is interpolated by cubics, "
                                   "de Boor 1978, chapter IV",
                         .example = "[drive shaker]\namplitude = 2 mm\nfrequency = 12 Hz\n",
                         .symbol = "M0-16h-36v32h36zM-30 0c4-15 8-15 12 0s8 15 12 0",
                         .domain = IFBAM_DOMAIN_ANY, .n_slots = 2, .fault = drive_fault)
