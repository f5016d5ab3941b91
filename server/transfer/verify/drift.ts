import type { DriftDifference } from '../../../formats/reality/difference.ts'
import {
  comparePairs,
  TOO_COSTLY,
  type ComparedTexts,
} from '../../reality/drift/comparison-task.ts'
import { readInBatches, type CursorQuery } from '../cursor.ts'
import { RESTORE, type Check, type Rule, type RuleViolation } from './check.ts'

const REPAIR = `run "update asset_link set promise_digest = null, comparing_since = now() where state = 'linked'" on its database: Portbook compares again within minutes. If it stays, ${RESTORE}`

const FINDING_RULE: Rule = {
  name: 'open findings of drift are the differences between promises and assets',
  repair: REPAIR,
}

const COMPARISON_RULE: Rule = {
  name: 'promises are compared with the current version of their asset, or are due to be',
  repair: REPAIR,
}

type StoredFinding = DriftDifference & { assetId: string | null; isProduction: boolean }

/** A promise with a link or with open findings. Those of a table that was not read keep what was compared before. */
interface PromiseRow {
  organization: string
  contractId: string
  server: string
  model: string
  /** Null = neither linked with an asset of the catalog nor missing: nothing is compared. */
  state: 'linked' | 'not_found' | null
  isProduction: boolean | null
  place: string | null
  assetId: string | null
  isDue: boolean
  isComparing: boolean
  isCut: boolean
  texts: ComparedTexts | null
  found: StoredFinding[] | null
  unverifiable: { field: string; reason: string }[]
}

const PROMISES: CursorQuery = {
  name: 'compared_promises',
  select: `organization.name as organization, contract_id as "contractId", server, model,
      case
        when link.state = 'linked' and asset.external_id is not null
          or link.state = 'not_found' then link.state
      end as state,
      promise.is_production as "isProduction", link.asset_id as "assetId",
      case when link.state = 'not_found' then (
        select left(string_agg(part, '.' order by ordinal), 500)
        from jsonb_array_elements_text(promise.path::jsonb) with ordinality as item (part, ordinal)
      ) end as place,
      (link.promise_digest, link.asset_version)
        is distinct from (promise.digest || ' ' || link.asset_id, asset.version) as "isDue",
      link.comparing_since is not null as "isComparing",
      coalesce(link.omitted_count, 0) > 0 as "isCut",
      case when asset.external_id is not null then json_build_object(
        'promise', promise.promise::text,
        'document', coalesce(asset.document_json, asset.document),
        'mediaType', case when asset.document_json is null then asset.media_type
          else 'application/json' end
      ) end as texts,
      open.found, coalesce(link.unverifiable, '[]') as unverifiable`,
  from: `(
      select organization_id, contract_id, server, model, json_agg(json_build_object(
        'field', field, 'aspect', aspect, 'level', level, 'promised', promised, 'actual', actual,
        'assetId', asset_id, 'isProduction', is_production
      )) as found
      from drift_finding
      where resolved_at is null
      group by organization_id, contract_id, server, model
    ) as open
    full join asset_link as link using (organization_id, contract_id, server, model)
    left join contract_promise as promise using (organization_id, contract_id, server, model)
    join organization on organization.id = organization_id
    left join asset on asset.organization_id = promise.organization_id
      and asset.external_id = link.asset_id
      and link.state = 'linked'
    where link.state is distinct from 'not_read'
      and (open.found is not null or link.state in ('linked', 'not_found'))`,
  bytes: `coalesce(octet_length(coalesce(asset.document_json, asset.document)), 0) * 2
      + coalesce(octet_length(promise.promise::text), 0) + coalesce(octet_length(open.found::text), 0)
      + coalesce(octet_length(link.unverifiable::text), 0) + 1000`,
}

/**
 * Compares every promise with its asset again. Tags of columns and classification schemes are left out: findings of tiers follow
 * from schemes as they were when the promise or the asset last changed.
 */
export const DRIFT_CHECK: Check = {
  rules: [FINDING_RULE, COMPARISON_RULE],
  async *findings(run) {
    for await (const rows of readInBatches<PromiseRow>(run, PROMISES)) {
      for (const row of rows) yield* examine(row)
    }
  },
}

function* examine(row: PromiseRow): Generator<RuleViolation> {
  if (row.isComparing) return
  if (row.state === 'linked' && row.isDue) {
    yield { rule: COMPARISON_RULE, text: describe(row, 'its comparison is of another version') }
    return
  }
  const expected = compareAgain(row)
  if (expected === undefined) return
  const stored = {
    findings: new Set((row.found ?? []).filter(isExamined(row)).map(toText)),
    unverifiable: new Set(row.unverifiable.map(toReason)),
  }
  for (const part of ['findings', 'unverifiable'] as const) {
    for (const text of stored[part].difference(expected[part]))
      yield { rule: FINDING_RULE, text: describe(row, `${text}, which is not the case`) }
    for (const text of expected[part].difference(stored[part]))
      yield { rule: FINDING_RULE, text: describe(row, `${text} is missing`) }
  }
}

function describe({ organization, contractId, server, model }: PromiseRow, text: string): string {
  return `data contract "${contractId}" (organization ${organization}): ${model} on ${server}: ${text}`
}

interface ComparedTextsOfPromise {
  findings: Set<string>
  unverifiable: Set<string>
}

// Undefined if the comparison was given up for its cost.
function compareAgain(row: PromiseRow): ComparedTextsOfPromise | undefined {
  const { state, texts, place } = row
  if (state === 'linked' && texts !== null) {
    if (isTooCostly(row)) return undefined
    const [compared] = comparePairs.run({ pairs: [texts], tiers: [] })
    if (compared === undefined) return undefined
    return {
      findings: new Set(compared.differences.filter(isExamined(row)).map(newWriter(row))),
      unverifiable: new Set(compared.unverifiable.map(toReason)),
    }
  }
  const missing: DriftDifference[] =
    state === 'not_found'
      ? [{ field: '', aspect: 'object', level: 'breaking', promised: place, actual: null }]
      : []
  const findings = new Set(missing.map(newWriter({ ...row, assetId: null })))
  return { findings, unverifiable: new Set() }
}

function isTooCostly({ unverifiable }: PromiseRow): boolean {
  const costly = new Set(TOO_COSTLY.unverifiable.map(toReason))
  return unverifiable.some((one) => costly.has(toReason(one)))
}

// Of a list that was cut the breaking ones are first, and all there as far as the list goes.
function isExamined({ isCut }: PromiseRow): (one: DriftDifference) => boolean {
  return ({ aspect, level }) => aspect !== 'classification' && (!isCut || level === 'breaking')
}

function newWriter({ assetId, isProduction }: PromiseRow): (one: DriftDifference) => string {
  return (one) => toText({ ...one, assetId, isProduction: isProduction ?? false })
}

function toText(one: StoredFinding): string {
  const { field, aspect, level, promised, actual, assetId, isProduction } = one
  const place = `asset ${assetId ?? 'none'}, production ${isProduction}`
  const sides = `${JSON.stringify(promised)} is ${JSON.stringify(actual)}`
  return `the ${level} finding ${aspect} of ${JSON.stringify(field)}: ${sides} (${place})`
}

function toReason({ field, reason }: { field: string; reason: string }): string {
  return `the part ${JSON.stringify(field)} that cannot be compared: ${reason}`
}
