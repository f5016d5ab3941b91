import { sql } from 'kysely'
import { RECORDS } from '../../formats/record/kinds.ts'
import type { SourceText } from '../../formats/text/text.ts'
import { getField } from '../../formats/text/value.ts'
import type { Caller } from '../requests/access/caller.ts'
import { ASSETS } from '../catalog/assets/service.ts'
import { CONTRACTS } from '../catalog/data-contracts/service.ts'
import { PRODUCTS } from '../catalog/data-products/service.ts'
import { newDocumentResource } from '../documents/service.ts'
import { refuseEndedFormat } from '../documents/sunset.ts'
import { writeDocument } from '../documents/write-service.ts'
import { ApiError } from '../platform/errors.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { readTime } from '../platform/kit/clock.ts'
import type { Clock } from '../platform/kit/clock.ts'
import { newRecordType } from '../catalog/records/service.ts'
import { TEAMS } from '../catalog/teams/service.ts'
import type { MeshDocument } from './mesh.ts'

/** The organization of the demo. */
export const ORGANIZATION = 'Velmora Rail Cargo'

const PLAIN = {
  conditions: { ifMatch: undefined, ifNoneMatch: undefined },
  strict: false,
  dryRun: false,
  requestId: 'demo',
}

/** Registers a document of the mesh with an age. */
export async function registerDocument(
  services: Services,
  caller: Caller,
  document: MeshDocument,
  ageMs: number,
): Promise<void> {
  const { folder, id, source } = document
  const dated = { ...services, clock: setBack(services.clock, ageMs) }
  const put = { ...PLAIN, id, body: source }
  const record = RECORDS.find(({ pages }) => pages === folder)
  if (folder === 'teams') {
    await writeDocument(dated, caller, TEAMS, { ...put, source })
  } else if (folder === 'assets') {
    await writeDocument(dated, caller, ASSETS, put)
  } else if (record !== undefined) {
    await writeDocument(dated, caller, newDocumentResource(newRecordType(record)), put)
  } else if (await isAccepted(services, document)) {
    const type = folder === 'data-contracts' ? CONTRACTS : PRODUCTS
    await writeDocument(dated, caller, newDocumentResource<unknown>(type), put)
  }
}

/** Returns a clock that is behind another clock. */
export function setBack(clock: Clock, ageMs: number): Clock {
  return { now: sql`(${clock.now} - make_interval(secs => ${ageMs / 1000}))` }
}

/** Returns a caller with all permissions of the organization; a person if the principal is one. */
export function newOwnerCaller(organizationId: string, principal: string): Caller {
  const [, userId] = /^user:(.+)$/.exec(principal) ?? []
  return {
    organizationId,
    organizationName: ORGANIZATION,
    vanityUrl: '',
    principal,
    keyId: undefined,
    userId,
    responsibleId: userId,
    keyName: '',
    scope: 'organization',
    team: undefined,
    readOnly: false,
    allowed: undefined,
    organizationOwner: true,
    customRoles: undefined,
    hasOnlyManagedTags: false,
    roles: new Map(),
  }
}

// After the end of DPS or DCS, the mesh loads without documents in those formats, regardless of their age.
async function isAccepted(
  services: Services,
  { folder, id, source }: MeshDocument,
): Promise<boolean> {
  try {
    refuseEndedFormat(detectFormat(source), await readTime(services.db, services.clock), services)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    services.log.warn({ [folder]: id }, 'skipped in the demo: its format has ended')
    return false
  }
}

function detectFormat({ value }: SourceText): string {
  if (getField(value, 'dataContractSpecification') !== undefined) return 'dcs'
  const isDps = getField(value, 'dataProductSpecification') ?? getField(value, 'info')
  return isDps === undefined ? 'current' : 'dps'
}
