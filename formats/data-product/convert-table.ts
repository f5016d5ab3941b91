// The mapping of DPS and ODPS fields, which is used to convert documents in both directions.

import { any, flag, list, map, set, type Shape, text } from '../shape/shape.ts'

/** ODPS v1.0.0 requires a status; if a DPS document has none, the catalog treats it as absent. */
const UNKNOWN_STATUS = 'unknown'

export interface Row {
  /** The fields in DPS: the usual one, then older ones. Empty: DPS has no equivalent. */
  dps: readonly string[]
  /** The location in ODPS: a field, or (`custom`) a custom property. */
  odps: string
  custom?: true
  shape: Shape
  /** The value in ODPS if DPS has none. */
  otherwise?: string
  /** Whether the field is the name, which ODPS requires and DPS has too. */
  isName?: true
  /** Whether DPS requires the field, which defaults to the name if ODPS has no value. */
  sameAsName?: true
}

export interface Table {
  rows: readonly Row[]
  /** Constant fields of every document of a format. */
  dpsFixed: ReadonlyMap<string, string>
  odpsFixed: ReadonlyMap<string, string>
  /** Objects whose fields are mapped separately. */
  dpsOpened: readonly string[]
  odpsOpened: readonly string[]
  /** Lists of ports, with the mapping of their ports. */
  ports: ReadonlyMap<string, Table>
}

/** Custom properties that contain a whole document that the table cannot convert without loss. */
export const WHOLE_DPS = 'dpsDocument'
export const WHOLE_ODPS = 'odpsDocument'

/**
 * Returns whether the conversion interprets a custom property, so that other properties with its name must be
 * renamed.
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

/** A whole document. The table has both notations of DPS; the first one is written. */
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
