// The levels of the tables of RFC 0039, which differ from those of Portbook: docs/guides/bitol-drafts.md.

import type { Change } from '../../diff/level.ts'
import { asText, type Path } from '../../text/value.ts'

type Kind = 'add' | 'remove' | 'change'

/** A difference by its place. */
interface Place {
  kind: Kind
  section: string
  /** The leaf field, or the list of an added or removed member. */
  field: string
  /** Whether it is a member of a list directly in the section. */
  isMember: boolean
  change: Change
}

const SCHEMA_MAJOR = new Set([
  'name',
  'physicalName',
  'logicalType',
  'physicalType',
  'required',
  'unique',
  'criticalDataElement',
])
const SCHEMA_ADDITIONS = new Set([...SCHEMA_MAJOR, 'properties', 'quality'])
const PORT_MAJOR = new Set(['contractId', 'name', 'type'])
const ODPS_PATCH = new Set(['productCreatedTs', 'description', 'tags'])

/** Returns the level of a change by the tables of the RFC. */
export function levelByRfc(
  change: Change,
  steps: Path,
  { field, isProduct }: { field: string; isProduct: boolean },
): Change['level'] {
  const kinds = { added: 'add', removed: 'remove', changed: 'change', renamed: 'change' } as const
  const section = String(steps[0] ?? '')
  const place = { kind: kinds[change.kind], section, field, isMember: steps.length === 2, change }
  if (isProduct) return ofProduct(place)
  return section === 'schema' ? ofSchema(place) : ofOthers(place, 'contractCreatedTs')
}

function ofSchema({ kind, field }: Place): Change['level'] {
  if (kind === 'remove') return 'breaking'
  if (kind === 'add') return SCHEMA_ADDITIONS.has(field) ? 'additive' : 'wording'
  if (SCHEMA_MAJOR.has(field)) return 'breaking'
  return field === 'quality' ? 'additive' : 'wording'
}

function ofOthers({ kind, field }: Place, createdField: string): Change['level'] {
  if (kind === 'add') return 'wording'
  return kind === 'change' && field === createdField ? 'wording' : 'additive'
}

function ofProduct(place: Place): Change['level'] {
  const { kind, section, field, isMember, change } = place
  if (section === 'outputPorts') {
    if (isMember && kind === 'remove') return 'breaking'
    if (isMember && kind === 'add') return 'additive'
    if (kind === 'change' && PORT_MAJOR.has(field)) return 'breaking'
    if (field === 'inputContracts' || kind === 'remove') return 'additive'
    return 'wording'
  }
  if (section === 'status' && kind === 'change') {
    const isEnd = ['deprecated', 'retired'].includes(asText(change.after) ?? '')
    return isEnd ? 'breaking' : 'additive'
  }
  if (kind === 'change' && (ODPS_PATCH.has(field) || ODPS_PATCH.has(section))) return 'wording'
  return ofOthers(place, 'productCreatedTs')
}
