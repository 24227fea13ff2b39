/* compile-names.c: finds the nodes of names, suggestions for wrong names, and domains of nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-names.h"

#include <string.h>

#include "base/compare.h"

/* Faults with a suggestion: each needs a search. */
#define MAX_SUGGESTIONS 100

const IfbamElement *
ifbam_compiler_find_coordinate (const IfbamCompiler *compiler, const char *name, guint *coordinate)
{
  const char *dot = compiler->in_plane ? strrchr (name, '.') : NULL;
  g_autofree char *owner = dot == NULL ? NULL : g_strndup (name, (gsize) (dot - name));
  const IfbamElement *point = owner == NULL ? NULL : g_hash_table_lookup (compiler->by_name, owner);

  *coordinate = dot == NULL ? 0 : g_str_equal (dot, ".x") ? 1 : g_str_equal (dot, ".y") ? 2 : 0;
  return *coordinate > 0 && point != NULL && point->info->form == IFBAM_FORM_POINT ? point : NULL;
}

const GPtrArray *
ifbam_compiler_node_names (IfbamCompiler *compiler)
{
  GHashTableIter iter;
  gpointer key, value;

  if (compiler->node_names != NULL)
    return compiler->node_names;
  compiler->node_names = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, compiler->by_name);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (((IfbamElement *) value)->info->kind <= IFBAM_KIND_GIVEN_NODE
        && !ifbam_element_is_branch (value))
      g_ptr_array_add (compiler->node_names, key);
  g_ptr_array_sort (compiler->node_names, ifbam_compare_strings);
  return compiler->node_names;
}

/* Returns the fault of "a.m13" if a has twelve members (transfer full); NULL: no composite a. */
static char *
no_such_member (const IfbamCompiler *compiler, const char *name)
{
  const GArray *families = compiler->model->node_families;

  for (guint f = 0; f < families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (families, IfbamSpan, f);
      const gsize owner = strlen (span->element->name);

      if (strncmp (name, span->element->name, owner) != 0 || name[owner] != '.' || span->lone)
        continue;
      return g_strdup_printf ("no node \"%s\" in this network (\"%s\" has %s1 to %s%" G_GSIZE_FORMAT
                              ")",
                              name, span->element->name, span->letter, span->letter, span->count);
    }
  return NULL;
}

static char *
no_such_node (IfbamCompiler *compiler, const IfbamElement *owner, const char *name)
{
  const IfbamDomainInfo *words = ifbam_domain_info (owner->info->domain);
  g_autofree char *member = NULL, *given = NULL, *light = NULL;
  const char *nearest = NULL;
  guint coordinate;

  if (g_hash_table_lookup (compiler->by_name, name) != NULL)
    {
      IfbamElement *other = g_hash_table_lookup (compiler->by_name, name);
      const gboolean turns = ifbam_form_turns (ifbam_element_form (other));

      if (ifbam_element_is_branch (other))
        {
          char *const *ends = ifbam_element_slots (other)[IFBAM_SLOT_BETWEEN];

          return g_strdup_printf (
              "\"%s\" is between \"%s\" and \"%s\": links can't join it (name one of these)", name,
              ends[0], ends[0] == NULL ? "" : ends[1]);
        }
      if (other->info->n_coordinates > 0)
        return g_strdup_printf ("\"%s\" is %s %s, not a node (its nodes are %s.x%s %s.y%s%s%s)",
                                name, ifbam_element_article (other->info), other->info->name, name,
                                turns ? "," : " and", name, turns ? " and " : "", turns ? name : "",
                                turns ? ".angle" : "");
      return g_strdup_printf ("\"%s\" is %s %s, not a node", name,
                              ifbam_element_article (other->info), other->info->name);
    }
  if (ifbam_compiler_find_coordinate (compiler, name, &coordinate) != NULL)
    return g_strdup_printf (
        "\"%s\" is a coordinate of a point, not a node (links accept it, %s %s does not)", name,
        ifbam_element_article (owner->info), owner->info->name);
  if (strchr (name, '.') != NULL)
    {
      member = no_such_member (compiler, name);
      return member != NULL ? g_steal_pointer (&member)
                            : g_strdup_printf ("no node \"%s\" in this network", name);
    }
  /* Suggestions only for networks of moderate size. */
  if (g_hash_table_size (compiler->by_name) < 10000 && compiler->n_suggestions++ < MAX_SUGGESTIONS)
    {
      const GPtrArray *names = ifbam_compiler_node_names (compiler);

      nearest = ifbam_nearest_word (name, (const char *const *) names->pdata, names->len);
    }
  given = owner->info->kind != IFBAM_KIND_SOURCE
              ? g_strdup_printf (" or [%s %s]", words->given, name)
              : g_strdup ("");
  light = owner->info->kind == IFBAM_KIND_LINK || owner->info->value != NULL
                  || owner->info->branch_link != NULL
              ? g_strdup_printf ("%s [junction %s]", given[0] != '\0' ? "," : " or", name)
              : g_strdup ("");
  if (owner->info->potential != NULL)
    light[0] = '\0';
  return g_strdup_printf (
      "no node \"%s\" in this network (%s%s%sa group [%s %s]%s%s would make it)", name,
      nearest != NULL ? "did you mean \"" : "", nearest != NULL ? nearest : "",
      nearest != NULL ? "\"? Else " : "", words->node, name, light, given);
}

/* A node missing in a subnetwork is in another one. */
static guint32
here_or_elsewhere (const IfbamCompiler *compiler, guint32 node)
{
  return node == IFBAM_NO_NODE && ifbam_model_subnetwork (compiler->model) != NULL ? IFBAM_ELSEWHERE
                                                                                   : node;
}

guint32
ifbam_compiler_find_node (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                          const char *name)
{
  IfbamElement *element = name == NULL ? NULL : g_hash_table_lookup (compiler->by_name, name);
  guint64 node;

  if (name == NULL)
    return IFBAM_NO_NODE; /* reported already */
  if (element != NULL && element->info->kind <= IFBAM_KIND_GIVEN_NODE
      && element->info->form == IFBAM_FORM_NODE && !ifbam_element_is_branch (element))
    return here_or_elsewhere (compiler, ifbam_compiler_element_index (compiler, element)->index);
  if (element == NULL && ifbam_member_find (compiler->model->node_families, name, &node) != NULL)
    return here_or_elsewhere (compiler, ifbam_model_file_node (compiler->model, node));
  if (compiler->unknown == NULL || !g_hash_table_contains (compiler->unknown, name))
    ifbam_compiler_add_issue (compiler, owner, key, no_such_node (compiler, owner, name));
  return IFBAM_NO_NODE;
}

void
ifbam_compiler_claim_end (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                          guint32 node, const IfbamElementInfo *info, IfbamDomain domain)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (compiler->model, node, &member);
  const IfbamDomainInfo *words = ifbam_domain_info (domain);
  g_autofree char *name = NULL;

  if (compiler->domains[node] >> domain & 1)
    {
      compiler->domains[node] = 1u << domain;
      if (span->info->domain == IFBAM_DOMAIN_ANY)
        ifbam_compiler_element_index (compiler, span->element)->domain = (guint16) (1u << domain);
      return;
    }
  name = ifbam_span_name (span, member);
  if (span->info->domain != IFBAM_DOMAIN_ANY)
    ifbam_compiler_add_issue (compiler, owner, key,
                              g_strdup_printf ("\"%s\" is of %s (%s), %s %s is for %s", name,
                                               ifbam_domain_info (span->info->domain)->name,
                                               span->info->name, ifbam_element_article (info),
                                               info->name, words->name));
  else
    ifbam_compiler_add_issue (
        compiler, owner, key,
        g_strdup_printf ("\"%s\" is of %s already, by its units or another link; %s %s is for %s "
                         "(use a second %s)",
                         name,
                         ifbam_domain_info (ifbam_model_node_domain (compiler->model, node))->name,
                         ifbam_element_article (info), info->name, words->name, span->info->name));
}

void
ifbam_compiler_claim_domain (IfbamCompiler *compiler, IfbamElement *owner, const char *key,
                             guint32 node, const IfbamElementInfo *info)
{
  ifbam_compiler_claim_end (compiler, owner, key, node, info, info->domain);
}

guint32
ifbam_compiler_find_free_node (IfbamCompiler *compiler, IfbamElement *element, const char *name)
{
  const guint32 node = ifbam_compiler_find_node (compiler, element, "on", name);
  const IfbamElementInfo *info;
  gsize member;

  if (node >= IFBAM_ELSEWHERE || node < compiler->model->n_free)
    return node;
  info = ifbam_model_node_span (compiler->model, node, &member)->info;
  ifbam_compiler_add_issue (
      compiler, element, "on",
      g_strdup_printf ("\"%s\" is %s %s, with a given motion: %s %s acts on free nodes", name,
                       ifbam_element_article (info), info->name,
                       ifbam_element_article (element->info), element->info->name));
  return IFBAM_NO_NODE;
}
