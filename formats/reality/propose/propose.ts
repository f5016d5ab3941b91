// Proposes the text of a contract that promises what its tables are. Only the parts that differ are written; the rest of
// the text stays byte for byte. The proposal is compared again, so that no difference is left without a reason.

import type { DataContract } from '../../data-contract/data-contract.ts'
import { readDataContract } from '../../data-contract/read.ts'
import { editTextAtOnce } from '../../text/edit/text-edit.ts'
import { type MediaType, readText, withoutByteOrderMark } from '../../text/text.ts'
import type { Value } from '../../text/value.ts'
import type { ActualModel } from '../actual.ts'
import { comparePromise } from '../compare.ts'
import type { DriftDifference } from '../difference.ts'
import { listPromises, type PromisedModel } from '../promise.ts'
import type { ClassificationTiers } from '../tiers.ts'
import { EditList } from './edit-list.ts'
import { ModelChange } from './model-change.ts'

/** A difference that the contract is to adopt. */
interface ProposedFinding {
  id: string
  field: string
  aspect: string
}

/** A table that differs from a model of a contract. */
interface ProposedTable {
  server: string
  model: string
  actual: ActualModel
  findings: readonly ProposedFinding[]
}

/** The text of a contract. */
interface ContractText {
  id: string
  text: string
  mediaType: MediaType
}

/** The text that a contract would have; or the finding that cannot be written, with a sentence. */
export type Proposal = { ok: true; text: string } | { ok: false; findingId: string; reason: string }

/** A removed key leaves a column that promised to be unique: what a change reveals is changed, too. */
const ROUNDS_MAX = 3

/**
 * Edits the text of a contract so that it promises what its tables are in the given respects. Findings that the tables do
 * not have any more change nothing.
 */
export function proposeChange(
  { id, text, mediaType }: ContractText,
  tables: readonly ProposedTable[],
  tiers: ClassificationTiers = [],
): Proposal {
  const bare = withoutByteOrderMark(text)
  const mark = text.slice(0, text.length - bare.length)
  const first = readContract({ id, text: bare, mediaType })
  if (first === undefined) return refuse(tables[0]?.findings[0], 'The contract has errors.')
  const before = tables.map((table) => compare(first, table, tiers))
  const wanted = tables.map(({ findings }, at) =>
    (before[at] ?? []).flatMap((difference) => {
      const finding = findings.find((one) => isSame(one, difference))
      return finding === undefined ? [] : [{ ...difference, id: finding.id }]
    }),
  )
  let proposed = bare
  let changes: readonly (readonly Wanted[])[] = wanted
  for (let round = 0; round < ROUNDS_MAX && changes.some(({ length }) => length > 0); round += 1) {
    const edited = editContract({ id, text: proposed, mediaType }, tables, changes)
    if (!edited.ok) {
      if (round === 0) return edited
      break
    }
    const read = readContract({ id, text: edited.text, mediaType })
    if (read === undefined) {
      return refuse(changes.flat()[0], 'The contract would have errors. Change it by hand.')
    }
    proposed = edited.text
    const after = tables.map((table) => compare(read, table, tiers))
    const left = wanted.flatMap((list, at) =>
      list.filter((one) => (after[at] ?? []).some((difference) => isSame(one, difference))),
    )
    if (left[0] !== undefined) {
      return refuse(left[0], 'The contract cannot promise this in its format. Change it by hand.')
    }
    changes = after.map((differences, at) =>
      differences
        .filter(({ level }) => level === 'breaking')
        .filter((one) => !(before[at] ?? []).some((other) => isSame(one, other)))
        .map((one) => ({ ...one, id: '' })),
    )
  }
  return { ok: true, text: `${mark}${proposed}` }
}

/** A difference that is to be adopted; one that an edit revealed has no id. */
type Wanted = DriftDifference & { id: string }

interface ReadContract {
  contract: DataContract
  value: Value
  promises: readonly { server: string; model: string; promise: PromisedModel }[]
}

function readContract({ id, text, mediaType }: ContractText): ReadContract | undefined {
  const source = readText(text, mediaType)
  if (!source.ok) return undefined
  const read = readDataContract(source, { id, strict: false, isAccepted: true, owner: '' })
  if (!read.ok) return undefined
  return { contract: read.contract, value: read.value, promises: listPromises(read) }
}

function findPromise({ promises }: ReadContract, { server, model }: ProposedTable) {
  return promises.find((one) => one.server === server && one.model === model)?.promise
}

function compare(
  contract: ReadContract,
  table: ProposedTable,
  tiers: ClassificationTiers,
): DriftDifference[] {
  const promise = findPromise(contract, table)
  return promise === undefined ? [] : comparePromise(promise, table.actual, tiers).findings
}

function editContract(
  source: ContractText,
  tables: readonly ProposedTable[],
  changes: readonly (readonly Wanted[])[],
): Proposal {
  const read = readContract(source)
  const edits = new EditList()
  for (const [at, table] of tables.entries()) {
    const wanted = changes[at] ?? []
    const promise = read && findPromise(read, table)
    if (read === undefined || promise === undefined || wanted.length === 0) continue
    const change = ModelChange.find(read, promise, table)
    if (typeof change === 'string') return refuse(wanted[0], change)
    for (const difference of wanted) {
      const result = change.adopt(difference, wanted)
      if (typeof result === 'string') return refuse(difference, result)
      if (!edits.add(result)) {
        return refuse(difference, 'Tables of several servers differ here. No contract keeps both.')
      }
    }
  }
  const edited = editTextAtOnce(source.text, source.mediaType, edits.getSorted())
  return edited.ok ? edited : refuse(changes.flat()[0], edited.reason)
}

function isSame(
  one: { field: string; aspect: string },
  other: { field: string; aspect: string },
): boolean {
  return one.field === other.field && one.aspect === other.aspect
}

function refuse(finding: { id: string } | undefined, reason: string): Proposal {
  return { ok: false, findingId: finding?.id ?? '', reason }
}
