// The conversion table between DPS and ODPS, for both directions.

import { any, flag, list, map, set, type Shape, text } from '../shape/shape.ts'

/** ODPS v1.0.0 requires a status; a DPS document without one has this. */
export const UNKNOWN_STATUS = 'unknown'

export interface Row {
  /** The locations in DPS: the usual one, then older ones. Empty if DPS has none. */
  dps: readonly string[]
  /** The location in ODPS: a field, or (`custom`) a custom property. */
  odps: string
  custom?: true
  shape: Shape
  /** The value in ODPS if DPS has none. */
  otherwise?: string
  /** ODPS must have it and DPS has it too: it is what the thing is called. */
  isName?: true
  /** DPS must have it; where ODPS has nothing it is the same as the name. */
  sameAsName?: true
}

export interface Table {
  rows: readonly Row[]
  /** The constant fields of documents in a format. */
  dpsFixed: ReadonlyMap<string, string>
  odpsFixed: ReadonlyMap<string, string>
  /** Objects that are taken apart. */
  dpsOpened: readonly string[]
  odpsOpened: readonly string[]
  /** Lists of ports, and what their ports are converted by. */
  ports: ReadonlyMap<string, Table>
}

/** Custom properties that hold a whole document which the table could not convert without loss. */
export const WHOLE_DPS = 'dpsDocument'
export const WHOLE_ODPS = 'odpsDocument'

/**
 * Returns whether the conversion uses a custom property, so that an author's property of that name must be
 * moved.
 */
export function isReserved(table: Table, property: string): boolean {
  if (property.startsWith('dps.') || property.startsWith('odps.')) return true
  if (property === WHOLE_DPS || property === WHOLE_ODPS) return true
  return table.rows.some((row) => row.custom === true && row.odps === property)
}

const NOTHING = new Map<string, never>()
const OPENED = ['links', 'custom']

const inputPort: Table = {
  rows: [
    { dps: ['id'], odps: 'name', shape: text(), isName: true },
    { dps: ['name'], odps: 'displayName', custom: true, shape: text(), sameAsName: true },
    { dps: ['description'], odps: 'description', custom: true, shape: text() },
    { dps: ['sourceSystemId'], odps: 'sourceSystemId', custom: true, shape: text() },
    { dps: ['type'], odps: 'type', custom: true, shape: text() },
    { dps: ['location'], odps: 'location', custom: true, shape: text() },
    { dps: ['tags'], odps: 'tags', shape: set(text()) },
    { dps: ['dataContractId'], odps: 'contractId', shape: text(), otherwise: '' },
    { dps: [], odps: 'version', shape: text(), otherwise: '' },
  ],
  dpsFixed: NOTHING,
  odpsFixed: NOTHING,
  dpsOpened: OPENED,
  odpsOpened: [],
  ports: NOTHING,
}

const outputPort: Table = {
  rows: [
    { dps: ['id'], odps: 'name', shape: text(), isName: true },
    { dps: ['name'], odps: 'displayName', custom: true, shape: text(), sameAsName: true },
    { dps: ['description'], odps: 'description', shape: text() },
    { dps: ['type'], odps: 'type', shape: text() },
    { dps: ['tags'], odps: 'tags', shape: set(text()) },
    { dps: ['dataContractId'], odps: 'contractId', shape: text() },
    { dps: [], odps: 'version', shape: text(), otherwise: '' },
    { dps: ['status'], odps: 'status', custom: true, shape: text() },
    { dps: ['autoApprove'], odps: 'autoApprove', custom: true, shape: flag },
    { dps: ['containsPii'], odps: 'containsPii', custom: true, shape: flag },
    { dps: ['environment'], odps: 'environment', custom: true, shape: text() },
    { dps: ['server'], odps: 'server', custom: true, shape: map(any) },
    { dps: ['contractServer'], odps: 'contractServer', custom: true, shape: text() },
    { dps: ['location'], odps: 'location', custom: true, shape: text() },
  ],
  dpsFixed: NOTHING,
  odpsFixed: NOTHING,
  dpsOpened: OPENED,
  odpsOpened: [],
  ports: NOTHING,
}

/** A whole document. Both spellings of DPS are in the table; the first is written. */
export const PRODUCT: Table = {
  rows: [
    { dps: ['id', 'info.id'], odps: 'id', shape: text(), isName: true },
    { dps: ['info.title', 'info.name'], odps: 'name', shape: text() },
    { dps: ['info.owner', 'teamId'], odps: 'team.name', shape: text() },
    { dps: ['info.description'], odps: 'description.purpose', shape: text() },
    { dps: ['info.domain'], odps: 'domain', shape: text() },
    { dps: ['info.status'], odps: 'status', shape: text(), otherwise: UNKNOWN_STATUS },
    { dps: ['info.archetype'], odps: 'type', custom: true, shape: text() },
    { dps: ['info.maturity'], odps: 'maturity', custom: true, shape: text() },
    { dps: ['info.icon'], odps: 'icon', custom: true, shape: text() },
    { dps: ['assets'], odps: 'assets', custom: true, shape: list(any) },
    { dps: ['tags'], odps: 'tags', shape: set(text()) },
  ],
  dpsFixed: new Map([['dataProductSpecification', '0.0.1']]),
  odpsFixed: new Map([
    ['apiVersion', 'v1.0.0'],
    ['kind', 'DataProduct'],
  ]),
  dpsOpened: ['info', ...OPENED],
  odpsOpened: ['description', 'team'],
  ports: new Map([
    ['inputPorts', inputPort],
    ['outputPorts', outputPort],
  ]),
}
