/* odeint.h: chains by Boost.odeint's velocity Verlet
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#ifdef __cplusplus
extern "C"
{
#endif

  /* A chain from a wall; its lists repeat. */
  typedef struct OdeintChain OdeintChain;

  OdeintChain *odeint_chain_new (long n, double step, const double *mass, long n_mass,
                                 const double *stiffness, long n_stiffness, const double *start,
                                 long n_start);
  void odeint_chain_free (OdeintChain *chain);
  /* Records the first mass after each step. */
  void odeint_chain_run (OdeintChain *chain, long steps, double *position, double *rate);
  /* The same for two masses, known to the compiler. */
  void odeint_two_run (OdeintChain *chain, long steps, double *position, double *rate);

#ifdef __cplusplus
}
#endif
