import { sql, type RawBuilder } from 'kysely'
import type { LinkOrigin, LinkState } from './link.ts'
import { CANDIDATE_PLATFORMS } from './platform-assets.ts'

/**
 * The outcomes of a decision, in the order in which they are tried. The conditions read the rows `requested` (the promise), `choice`,
 * `chosen`, `port`, `located` and `evidence` of the decision.
 */
interface Outcome {
  when: RawBuilder<unknown>
  state: LinkState
  origin?: LinkOrigin
  asset?: RawBuilder<unknown>
  /** A JSON list of `{part, promised, actual, rule}`. */
  explanation: RawBuilder<unknown>
  candidates?: RawBuilder<unknown>
}

const NULL = sql`null::text`

function explain(
  part: string,
  rule: RawBuilder<unknown>,
  promised: RawBuilder<unknown>,
  actual: RawBuilder<unknown> = NULL,
): RawBuilder<unknown> {
  return sql`jsonb_build_object('part', ${sql.lit(part)}::text, 'promised', ${promised}, 'actual', ${actual}, 'rule', ${rule})`
}

function list(...entries: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`jsonb_build_array(${sql.join(entries)})`
}

const rule = (name: string): RawBuilder<unknown> => sql`${sql.lit(name)}::text`

const PATH = explain(
  'path',
  sql`case when located.exact_count > 0 then 'equal' else 'any_case' end`,
  sql`requested.path`,
  sql`located.best_path`,
)
const ADDRESS = explain(
  'address',
  sql`case located.best when 0 then 'equal' else 'unknown' end`,
  sql`requested.address`,
  // The addresses of a source are visible only to those who may see its integration.
  sql`case located.best when 0 then requested.address end`,
)
const PROOF = list(
  explain('source', sql`evidence.verdict`, sql`requested.address`, sql`evidence.name`),
  explain('scope', sql`evidence.verdict`, sql`requested.path`, sql`evidence.scope`),
)

const OUTCOMES: readonly Outcome[] = [
  {
    when: sql`choice.contract_id is not null and choice.asset_id is null`,
    state: 'excluded',
    origin: 'hand',
    explanation: list(explain('choice', rule('excluded'), sql`choice.reason`)),
  },
  {
    when: sql`chosen.external_id is not null`,
    state: 'linked',
    origin: 'hand',
    asset: sql`choice.asset_id`,
    explanation: list(explain('choice', rule('chosen'), sql`choice.reason`, sql`choice.asset_id`)),
  },
  {
    when: sql`choice.contract_id is not null`,
    state: 'not_found',
    origin: 'hand',
    explanation: list(explain('choice', rule('gone'), sql`choice.reason`, sql`choice.asset_id`)),
  },
  {
    when: sql`requested.platform is null`,
    state: 'not_applicable',
    explanation: list(explain('server', rule('not_applicable'), sql`requested.unplaced_because`)),
  },
  {
    when: sql`port.asset_id is not null`,
    state: 'linked',
    origin: 'port',
    asset: sql`port.asset_id`,
    explanation: list(
      explain('port', rule('named'), sql`requested.object_name`, sql`port.asset_id`),
    ),
  },
  {
    when: sql`requested.path is null`,
    state: 'unplaced',
    explanation: list(explain('server', rule('unplaced'), sql`requested.unplaced_because`)),
  },
  {
    when: sql`requested.platform = any(${CANDIDATE_PLATFORMS}) and located.count > 0`,
    state: 'ambiguous',
    explanation: list(
      explain('path', rule('candidate_only'), sql`requested.path`, sql`located.best_path`),
    ),
    candidates: sql`located.ids`,
  },
  {
    when: sql`located.best < 2
            and (located.exact_count = 1 or (located.exact_count = 0 and located.best_count = 1))`,
    state: 'linked',
    origin: 'location',
    asset: sql`case when located.exact_count = 1 then located.exact_id else located.best_id end`,
    explanation: list(PATH, ADDRESS),
  },
  {
    when: sql`located.best < 2`,
    state: 'ambiguous',
    explanation: list(
      explain('path', rule('several'), sql`requested.path`, sql`located.best_count::text`),
    ),
    candidates: sql`located.ids`,
  },
  {
    when: sql`located.best = 2`,
    state: 'other_address',
    explanation: list(explain('address', rule('different'), sql`requested.address`)),
    candidates: sql`located.ids`,
  },
  { when: sql`evidence.verdict = 'read'`, state: 'not_found', explanation: PROOF },
  {
    when: sql`evidence.verdict is null`,
    state: 'no_source',
    explanation: list(explain('source', rule('none'), sql`requested.address`)),
  },
  { when: sql`evidence.verdict = 'not_listed'`, state: 'no_source', explanation: PROOF },
  { when: sql`true`, state: 'not_read', explanation: PROOF },
]

/** SQL fragment, `(select …)` without the parentheses: state, asset, origin, explanation and candidates of the first outcome that holds. */
export function selectOutcome(): RawBuilder<unknown> {
  const cases = OUTCOMES.map(
    ({ when }, at) => sql`
            when ${when} then ${sql.lit(at)}`,
  )
  return sql`
        select
          ${choose(({ state }) => sql`${sql.lit(state)}`)}::text as state,
          ${choose(({ asset }) => asset)}::text as asset_id,
          ${choose(({ origin }) => origin && sql`${sql.lit(origin)}`)}::text as origin,
          ${choose(({ explanation }) => explanation)} as explanation,
          coalesce(${choose(({ candidates }) => candidates)}, '{}') as candidates
        from (
          select case${sql.join(cases, sql``)}
          end as at
          -- Evaluated once, not once for each column.
          offset 0
        ) as outcome`
}

function choose(get: (outcome: Outcome) => RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  const cases = OUTCOMES.flatMap((outcome, at) => {
    const value = get(outcome)
    return value === undefined ? [] : [sql` when ${sql.lit(at)} then ${value}`]
  })
  return sql`case outcome.at${sql.join(cases, sql``)} end`
}
