import { sql, type RawBuilder } from 'kysely'
import { CHECK_OUTCOMES, FAILING } from '../../../formats/reality/check-outcome.ts'
import type { KeyedCheck } from '../../../formats/reality/checks.ts'

// SQL fragments that follow the outcome of each check over time.

/** The number of outcomes that are kept of a check. */
const OUTCOMES_MAX = 60

/** The maximum number of checks of a contract that are followed. */
const CHECKS_OF_CONTRACT_MAX = 5000

/** The letters of outcomes in the history of a check. */
const OUTCOME_LETTERS = new Map(CHECK_OUTCOMES.map((outcome) => [outcome, outcome.charAt(0)]))

const FAILING_LETTERS = FAILING.map((outcome) => OUTCOME_LETTERS.get(outcome)).join('')

// The outcomes that neither begin nor end a series of failures: info, skipped, unknown.
const NEUTRAL_LETTERS = 'isu'

/** SQL expression: the outcome of a letter. */
export function toOutcomeName(letter: RawBuilder<unknown>): RawBuilder<unknown> {
  const pairs = [...OUTCOME_LETTERS].map(
    ([outcome, one]) => sql`when ${sql.lit(one)} then ${sql.lit(outcome)}`,
  )
  return sql`case ${letter} ${sql.join(pairs, sql` `)} end`
}

/**
 * SQL expression: the time from which a check fails, by its outcomes and their times; null = it does not fail. If it fails
 * since before the first of them, `since` counts.
 */
export function findFailingSince(
  outcomes: RawBuilder<unknown>,
  times: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const pattern = sql.lit(`[${FAILING_LETTERS}][${FAILING_LETTERS}${NEUTRAL_LETTERS}]*$`)
  const series = sql`length(substring(${outcomes} from ${pattern}))`
  return sql`case
            when ${series} = length(${outcomes}) then least(${since}, (${times})[1])
            else (${times})[length(${outcomes}) - ${series} + 1]
          end`
}

/** SQL expression: the output port of a result, as `test_check` has it. */
export function toPortKey(
  product: RawBuilder<unknown>,
  port: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`case
          when ${product} is null and ${port} is null then ''
          else json_build_array(${product}, ${port})::text
        end`
}

/**
 * SQL fragment, `insert into test_check …`, that adds the outcomes of a result to the history of its checks, in the statement that
 * writes the result. It reads the result named `written`, a row of `test_result`. A result that arrives late gets its
 * place by the time of its test; one of the same time replaces an outcome. New checks are followed while the contract
 * has fewer than 5000.
 */
export function appendChecks(
  organizationId: string,
  contractId: string,
  checks: readonly KeyedCheck[],
): RawBuilder<unknown> {
  const rows = checks.map(({ outcome, ...check }) => ({
    ...check,
    letter: OUTCOME_LETTERS.get(outcome),
  }))
  return sql`
    insert into test_check as kept (
      organization_id, contract_id, server, port, check_key, name, model, field, rule_key, outcome, failing_since,
      tested_at, tested_version, outcomes, times, values
    )
    select written.organization_id, written.contract_id, coalesce(written.server, ''),
      ${toPortKey(sql`written.product_id`, sql`written.output_port`)}, sent.key, sent.name, sent.model, sent.field,
      sent."ruleKey", ${toOutcomeName(sql`sent.letter`)},
      case when sent.letter ~ ${sql.lit(`[${FAILING_LETTERS}]`)} then written.tested_at end,
      written.tested_at, written.contract_version, sent.letter, array[written.tested_at], array[sent.value]
    from written
    cross join json_to_recordset(${JSON.stringify(rows)}::json) as sent (
      key text, name text, model text, field text, "ruleKey" text, letter text, value double precision
    )
    where not written.dry_run
      and written.branch is null
      and (
        (${countChecks(organizationId, contractId)}) <= ${CHECKS_OF_CONTRACT_MAX - checks.length}
        or exists (
          select
          from test_check as existing
          where existing.organization_id = ${organizationId}
            and existing.contract_id = ${contractId}
            and existing.server = coalesce(written.server, '')
            and existing.port = ${toPortKey(sql`written.product_id`, sql`written.output_port`)}
            and existing.check_key = sent.key
        )
      )
    -- In one order in all transactions, so that none waits for another that waits for it.
    order by sent.key collate "C"
    ${updateHistory()}`
}

// The entries before the new one, without that of the same time, and those after it.
function updateHistory(): RawBuilder<unknown> {
  const place = sql`width_bucket(excluded.tested_at, kept.times)`
  return sql`
    on conflict (organization_id, contract_id, server, port, check_key) do update
    set (
      name, model, field, rule_key, tested_version, outcome, tested_at, failing_since, outcomes, times, values
    ) = (
      select
        case when latest.is_sent then excluded.name else kept.name end,
        case when latest.is_sent then excluded.model else kept.model end,
        case when latest.is_sent then excluded.field else kept.field end,
        case when latest.is_sent then excluded.rule_key else kept.rule_key end,
        case when latest.is_sent then excluded.tested_version else kept.tested_version end,
        ${toOutcomeName(sql`right(history.outcomes, 1)`)},
        greatest(kept.tested_at, excluded.tested_at),
        ${findFailingSince(sql`history.outcomes`, sql`history.times`, sql`kept.failing_since`)},
        history.outcomes, history.times, history.values
      from (
        select before.place = cardinality(kept.times) as is_sent, before.place,
          before.place - (kept.times[before.place] is not distinct from excluded.tested_at)::integer as until
        from (select ${place} as place) as before
      ) as latest
      cross join lateral (
        select left(kept.outcomes, latest.until) || excluded.outcomes || substr(kept.outcomes, latest.place + 1) as outcomes,
          kept.times[:latest.until] || excluded.times || kept.times[latest.place + 1:] as times,
          kept.values[:latest.until] || excluded.values || kept.values[latest.place + 1:] as values
      ) as whole
      cross join lateral (
        select right(whole.outcomes, ${OUTCOMES_MAX}) as outcomes,
          whole.times[greatest(1, cardinality(whole.times) - ${OUTCOMES_MAX - 1}):] as times,
          whole.values[greatest(1, cardinality(whole.times) - ${OUTCOMES_MAX - 1}):] as values
      ) as history
    )`
}

function countChecks(organizationId: string, contractId: string): RawBuilder<unknown> {
  return sql`
          select count(*)
          from (
            select
            from test_check
            where organization_id = ${organizationId}
              and contract_id = ${contractId}
            limit ${CHECKS_OF_CONTRACT_MAX}
          ) as followed`
}
