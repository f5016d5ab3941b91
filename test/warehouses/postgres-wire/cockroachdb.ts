/** Rules that make PostgreSQL answer like CockroachDB, as far as its documentation describes it. */

import type { Rewrite } from './proxy.ts'
import { failWith } from './redshift.ts'

export const COCKROACHDB_VERSION =
  'CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/09 19:00:00, go1.22.8)'

/** Words of statements that CockroachDB rejects or that are slow in it. */
const UNSUPPORTED = /\b(copy|savepoint|ordinality|lateral|repeatable|pg_control_system|json_agg)\b/i

/** The columns that only CockroachDB has, with what replaces them. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^select version\(\)$/, `select '${COCKROACHDB_VERSION}'::text`],
  [/a\.attishidden/g, `(a.attname in ('rowid', 'crdb_internal_id_shard_16'))`],
]

/** Rewrites the statements for CockroachDB. */
export const asCockroach: Rewrite = (statements) =>
  UNSUPPORTED.test(statements)
    ? failWith('0A000', 'unimplemented: this syntax')
    : REPLACEMENTS.reduce((text, [pattern, by]) => text.replace(pattern, () => by), statements)
