/* odeint.cpp: chains by Boost.odeint's velocity Verlet, right-hand sides by hand
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "odeint.h"

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include <boost/numeric/odeint.hpp>

namespace odeint = boost::numeric::odeint;

typedef std::vector<double> Vector;
typedef std::array<double, 2> Pair;

struct OdeintChain
{
  double step, time;
  Vector inverse_mass, stiffness, position, rate;
  Pair position_two, rate_two;
  odeint::velocity_verlet<Vector> stepper;
  odeint::velocity_verlet<Pair> stepper_two;
};

OdeintChain *
odeint_chain_new (long n, double step, const double *mass, long n_mass, const double *stiffness,
                  long n_stiffness, const double *start, long n_start)
{
  OdeintChain *chain = new OdeintChain ();

  chain->step = step;
  for (long i = 0; i < n; i++)
    {
      chain->inverse_mass.push_back (1.0 / mass[i % n_mass]);
      chain->stiffness.push_back (stiffness[i % n_stiffness]);
      chain->position.push_back (start[i % n_start]);
      chain->rate.push_back (0.0);
      if (i < 2)
        {
          chain->position_two[i] = start[i % n_start];
          chain->rate_two[i] = 0.0;
        }
    }
  return chain;
}

void
odeint_chain_free (OdeintChain *chain)
{
  delete chain;
}

void
odeint_chain_run (OdeintChain *chain, long steps, double *position, double *rate)
{
  const long n = (long) chain->position.size ();
  const double *__restrict k = chain->stiffness.data ();
  const double *__restrict w = chain->inverse_mass.data ();
  const auto system = [n, k, w] (const Vector &q, const Vector &, Vector &a, double) {
    const double *__restrict x = q.data ();
    double *__restrict out = a.data ();

    out[0] = w[0] * (k[0] * (0.0 - x[0]) - k[1] * (x[0] - x[1]));
    for (long i = 1; i + 1 < n; i++)
      out[i] = w[i] * (k[i] * (x[i - 1] - x[i]) - k[i + 1] * (x[i] - x[i + 1]));
    out[n - 1] = w[n - 1] * (k[n - 1] * (x[n - 2] - x[n - 1]));
  };

  for (long t = 0; t < steps; t++, chain->time += chain->step)
    {
      chain->stepper.do_step (system,
                              std::make_pair (std::ref (chain->position), std::ref (chain->rate)),
                              chain->time, chain->step);
      position[t] = chain->position[0];
      rate[t] = chain->rate[0];
    }
}

void
odeint_two_run (OdeintChain *chain, long steps, double *position, double *rate)
{
  const double k1 = chain->stiffness[0], k2 = chain->stiffness[1];
  const double w1 = chain->inverse_mass[0], w2 = chain->inverse_mass[1];
  const auto system = [k1, k2, w1, w2] (const Pair &q, const Pair &, Pair &a, double) {
    const double force = k2 * (q[0] - q[1]);

    a[0] = w1 * (k1 * (0.0 - q[0]) - force);
    a[1] = w2 * force;
  };

  for (long t = 0; t < steps; t++, chain->time += chain->step)
    {
      chain->stepper_two.do_step (
          system, std::make_pair (std::ref (chain->position_two), std::ref (chain->rate_two)),
          chain->time, chain->step);
      position[t] = chain->position_two[0];
      rate[t] = chain->rate_two[0];
    }
}
