/** The permission matrix: every action of the API, and its status for each of nine kinds of callers. */

import { randomUUID } from 'node:crypto'
import { RECORDS } from '../../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../../formats/record/plain-kinds.ts'
import { ORGANIZATION_DOCUMENTS } from '../../server/people/organization-documents/kinds.ts'
import { readJson } from '../answers.ts'
import { hasOwner } from '../records.ts'
import { listAgreementRows, listPortAccessRows } from './agreements.ts'
import { listAssetRows } from './assets.ts'
import { CLIENT_ROWS } from './clients.ts'
import { DIRECTORY_ROWS } from './directory.ts'
import { listDocumentRows, listOwnerlessRows, listUnownedRows } from './documents.ts'
import { listAccessFindingRows, listGrantSettingRows } from './access-findings.ts'
import { listAddressRows, listForeignIntegrationRows, listIntegrationRows } from './integrations.ts'
import { listPlainRows } from './plain-records.ts'
import { REPORT_ROWS } from './reports.ts'
import {
  CONTRACT,
  KEY,
  PRODUCT,
  atMissing,
  atPath,
  changedOne,
  existingKey,
  existingOne,
  existingSeal,
  newKey,
  newOne,
  organizationKey,
  type PermissionRow,
} from './requests.ts'
import { row } from './row.ts'
import {
  KEY_OF_A,
  KEY_OF_B,
  NEW_KEY,
  NEW_OF_A_TEAM_KEY,
  NEW_WITHOUT_OWNER,
  NOT_A_TEAM_KEY,
  NO_KEY,
  OF_B,
  ORGANIZATION_KEY_READ,
  OWNER_READ,
  READ,
  UNKNOWN,
  UNKNOWN_READ,
  UNKNOWN_TEAM,
  WRONG_KEY,
} from './statuses.ts'
import { TEAM_ROWS } from './teams.ts'
import { WEBHOOK_ROWS } from './webhooks.ts'

const MEMBERS = '/api/organization/members'

const STATUSES_OF_READERS = {
  'any key': READ,
  'an organization key or a session': ORGANIZATION_KEY_READ,
  'an owner of the organization': OWNER_READ,
} as const

/** One row for each action and each kind of resource on which it has another result. */
export const ROWS: readonly PermissionRow[] = [
  ...listDocumentRows('dataproducts', PRODUCT),
  ...listOwnerlessRows('dataproducts', PRODUCT, NEW_OF_A_TEAM_KEY),
  row('GET', `${PRODUCT}/contracts`, 'of B', READ, existingOne('dataproducts', 'b', '/contracts')),
  row('GET', `${PRODUCT}/lineage`, 'of B', READ, existingOne('dataproducts', 'b', '/lineage')),
  row('GET', `${PRODUCT}/usage`, 'of B', READ, existingOne('dataproducts', 'b', '/usage')),

  ...CLIENT_ROWS,
  ...DIRECTORY_ROWS,
  ...listDocumentRows('datacontracts', CONTRACT),
  ...listOwnerlessRows('datacontracts', CONTRACT, NEW_WITHOUT_OWNER),
  ...['model', 'ports', 'datacontract.yaml'].map((part) =>
    row('GET', `${CONTRACT}/${part}`, 'of B', READ, existingOne('datacontracts', 'b', `/${part}`)),
  ),
  row(
    'GET',
    `${CONTRACT}/export`,
    'of B',
    READ,
    existingOne('datacontracts', 'b', '/export?format=odcs'),
  ),

  row('GET', CONTRACT, 'without an owner', READ, existingOne('datacontracts', '')),
  row('PUT', CONTRACT, 'one without an owner', OF_B, changedOne('datacontracts', '', '')),
  row('PUT', CONTRACT, 'from no owner to A', OF_B, changedOne('datacontracts', '', 'a')),
  row(
    'PUT',
    CONTRACT,
    'from no owner to A by ?owner=',
    OF_B,
    changedOne('datacontracts', '', '', '?owner=a'),
  ),
  row('DELETE', CONTRACT, 'without an owner', OF_B, existingOne('datacontracts', '')),

  ...RECORDS.flatMap((kind) => {
    const { collection } = kind
    const [room, one] = [collection.slice('/api/'.length), `${collection}/{id}`]
    if (!hasOwner(kind)) return listUnownedRows(room, one)
    const statuses = kind.mayBeUnowned === true ? OF_B : UNKNOWN_TEAM
    const ownerless = row('PUT', one, 'without an owner', statuses, newOne(room, ''))
    return [...listDocumentRows(room, one), ownerless]
  }),

  ...PLAIN_RECORDS.flatMap(listPlainRows),

  ...listAssetRows(),

  ...listIntegrationRows('/api/integrations'),
  ...listGrantSettingRows(),
  ...listAccessFindingRows(),
  ...listAddressRows(),
  ...listForeignIntegrationRows('/api/integrations/ingest'),

  ...TEAM_ROWS,

  ...REPORT_ROWS,

  ...WEBHOOK_ROWS,

  ...listPortAccessRows(),
  ...listAgreementRows('/api/access'),
  ...listAgreementRows('/api/datausageagreements'),

  row('GET', '/api/search', 'what there is', READ, atPath('/api/search?query=team')),

  row('GET', '/api/events', 'the feed', READ, atPath('/api/events')),
  row('GET', '/api/activity', 'the entries', READ, atPath('/api/activity')),
  row('GET', '/api/activity', 'an export', READ, atPath('/api/activity?format=csv')),
  row('GET', '/api/activity/seal', 'a seal', READ, existingSeal()),

  row('POST', '/api/api-keys', 'scope team of A', NEW_KEY, newKey({ scope: 'team' })),
  row('POST', '/api/api-keys', 'scope team_read of A', NEW_KEY, newKey({ scope: 'team_read' })),
  row('POST', '/api/api-keys', 'of an unknown team', NO_KEY, newKey({ teamId: 'nobody' })),
  row('POST', '/api/api-keys', 'scope organization', WRONG_KEY, newKey({ scope: 'organization' })),
  row('DELETE', KEY, 'of A', KEY_OF_A, existingKey('a')),
  row('DELETE', KEY, 'of B', KEY_OF_B, existingKey('b')),
  row('DELETE', KEY, 'an unknown id', UNKNOWN, async () => ({
    path: `/api/api-keys/${randomUUID()}`,
  })),
  row('DELETE', KEY, 'not of a team', NOT_A_TEAM_KEY, organizationKey),

  row('GET', '/api/organization/settings', 'read', READ, atPath('/api/organization/settings')),
  row('GET', MEMBERS, 'list', READ, atPath(MEMBERS)),
  row('GET', `${MEMBERS}/{email}`, 'an owner', READ, async (world) => {
    const [member] = await readJson<{ emailAddress: string }[]>(world.as('O', 'GET', MEMBERS))
    return { path: `${MEMBERS}/${member?.emailAddress ?? ''}` }
  }),
  row('GET', `${MEMBERS}/{email}`, 'an unknown address', UNKNOWN_READ, atMissing(MEMBERS)),
  ...ORGANIZATION_DOCUMENTS.flatMap(({ address, readers, initial }) => [
    row('GET', address, 'read', STATUSES_OF_READERS[readers], atPath(address)),
    row('PUT', address, 'replace', OF_B, async () => ({ path: address, body: initial })),
  ]),
]
