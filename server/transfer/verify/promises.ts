import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { ContractPromise } from '../../../formats/reality/promise.ts'
import { readText } from '../../../formats/text/text.ts'
import { readAsset } from '../../../formats/asset/read.ts'
import { toAssetRow } from '../../catalog/assets/asset.ts'
import { CONTRACT_READER } from '../../catalog/data-contracts/data-contract.ts'
import { PRODUCT_READER } from '../../catalog/data-products/data-product.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { selectDifferences } from '../../reality/links/decision.ts'
import { readInBatches, type RunQuery } from '../cursor.ts'
import { RESTORE, type Check, type Rule } from './check.ts'

const REFILL =
  'run "delete from reality_build" on its database: Portbook fills it again within minutes.'

const PROMISE_RULE: Rule = {
  name: 'promises, named assets and described paths are those of the documents',
  repair: REFILL,
}

const LINK_RULE: Rule = {
  name: 'links are those that the rules decide',
  repair: `${REFILL} If it stays, ${RESTORE}`,
}

/** A document with what is derived from it for links. Documents that are still to be filled are left out. */
interface FilledRow {
  kind: 'data contract' | 'data product' | 'asset'
  id: string
  organization: string
  document: string
  mediaType: string
  /** Promises as `server/model digest`, pairs of contract and asset, or a path. */
  derived: string[] | null
}

const SOURCES: Readonly<
  Record<FilledRow['kind'], { table: string; derived: string; where: string }>
> = {
  'data contract': {
    table: 'data_contract',
    derived: `array(
        select server || '/' || model || ' ' || digest
        from contract_promise as promise
        where promise.organization_id = stored.organization_id
          and promise.contract_id = stored.external_id
      )`,
    where: 'true',
  },
  'data product': { table: 'data_product', derived: 'stored.output_assets', where: 'true' },
  asset: {
    table: 'asset',
    derived: 'array_remove(array[stored.described_path], null)',
    where: 'stored.integration_id is null',
  },
}

const FILLED_KINDS = ['data contract', 'data product', 'asset'] as const

/** Reads the documents again and compares what links depend on. */
export const PROMISE_CHECK: Check = {
  rules: [PROMISE_RULE],
  async *findings(run) {
    for (const kind of FILLED_KINDS) {
      for await (const rows of readInBatches<FilledRow>(run, newFilledQuery(kind))) {
        for (const text of rows.flatMap((row) => examine(row) ?? []))
          yield { rule: PROMISE_RULE, text }
      }
    }
  },
}

function newFilledQuery(kind: FilledRow['kind']) {
  const { table, derived, where } = SOURCES[kind]
  return {
    name: 'filled',
    select: `'${kind}' as kind, stored.external_id as id, organization.name as organization, stored.document,
      stored.media_type as "mediaType", ${derived} as derived`,
    from: `${table} as stored
      join organization on organization.id = stored.organization_id
      where stored.reality_version = stored.version and ${where}`,
    bytes: 'octet_length(stored.document) * 2 + 1000',
  }
}

function examine(row: FilledRow): string | undefined {
  const { kind, id, organization, derived } = row
  const expected = JSON.stringify(deriveAgain(row).toSorted())
  if (expected === JSON.stringify((derived ?? []).toSorted())) return undefined
  return `${kind} "${id}" (organization ${organization}): links depend on other values than the document has`
}

function deriveAgain({ kind, id, document, mediaType }: FilledRow): string[] {
  const type = mediaType === 'application/yaml' ? mediaType : 'application/json'
  const source = readText(document, type, { nodesMax: Number.POSITIVE_INFINITY })
  if (!source.ok) return []
  const options = { id, strict: false, isAccepted: true, owner: '' }
  if (kind === 'asset') {
    const reading = readAsset(source, options)
    const path = reading.ok ? toAssetRow(source, reading).describedPath : null
    return path === null ? [] : [path]
  }
  if (kind === 'data product') {
    const reading = PRODUCT_READER.read(source, options)
    const pairs = reading.ok ? PRODUCT_READER.buildColumns(reading.read)['output_assets'] : []
    return Array.isArray(pairs) ? pairs.map(String) : []
  }
  const reading = CONTRACT_READER.read(source, options)
  const promises = reading.ok ? (CONTRACT_READER.listPromises?.(reading.read) ?? []) : []
  return promises.map(toText)
}

function toText({ server, model, digest }: ContractPromise): string {
  return `${server}/${model} ${digest}`
}

const KEYS_AT_ONCE = 2000

// Only compiles statements.
const COMPILER = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Decides about every link again. */
export const LINK_CHECK: Check = {
  rules: [LINK_RULE],
  async *findings(run) {
    const organizations = await run<{ id: string; name: string }>(
      'select id, name from organization order by id',
    )
    for (const { id, name } of organizations) {
      for await (const keys of listKeys(run, id)) {
        const { sql, parameters } = selectDifferences(storeClock, id, keys).compile(COMPILER)
        const rows = await run<PromiseKey & { actual: string | null; expected: string }>(
          sql,
          parameters,
        )
        for (const { contractId, server, model, actual, expected } of rows) {
          const text = `data contract "${contractId}" (organization ${name}): ${model} on ${server} is ${actual ?? 'missing'}, but the rules decide ${expected}`
          yield { rule: LINK_RULE, text }
        }
      }
    }
  },
}

async function* listKeys(run: RunQuery, organizationId: string): AsyncGenerator<PromiseKey[]> {
  let after: PromiseKey = { contractId: '', server: '', model: '' }
  for (;;) {
    const { contractId, server, model } = after
    const keys = await run<PromiseKey>(
      `select contract_id as "contractId", server, model
       from contract_promise
       where organization_id = $1 and (contract_id, server, model) > ($2, $3, $4)
       order by contract_id, server, model
       limit ${KEYS_AT_ONCE}`,
      [organizationId, contractId, server, model],
    )
    const last = keys.at(-1)
    if (last === undefined) return
    yield keys
    after = last
  }
}
