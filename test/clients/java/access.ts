/** The calls for access agreements. */

import type { JavaCall } from './java-call.ts'

const AGREEMENT = {
  id: 'r1',
  info: { purpose: 'Reports', startDate: '2026-01-01' },
  provider: { dataProductId: 'orders', outputPortId: 'current' },
  consumer: { teamId: 'a' },
}

const REPORT = {
  platform: 'snowflake',
  executor: 'connector',
  reference: 'SALES_READ',
  diagnostics: null,
  customProperties: [{ property: 'role', value: 'reader' }],
  links: {},
}

/**
 * The calls for access agreements. Connectors grant access when it is activated, report it, and add tags to what they
 * have read.
 */
export const ACCESS_CALLS: readonly JavaCall[] = [
  newAccessCall('getAccess GET /api/access/r1 404'),
  newAccessCall('addAccess PUT /api/access/r1 200', AGREEMENT, {
    info: { status: 'requested', active: false },
  }),
  newAccessCall(
    'getAccessList GET /api/access?p=0&pageSize=1000&consumerType=team 200',
    undefined,
    [AGREEMENT],
  ),
  newAccessCall('approveAccess POST /api/access/r1/approve 200'),
  newAccessCall('getAccess GET /api/access/r1 200', undefined, {
    info: { status: 'approved', active: true },
  }),
  newAccessCall('getAccessProvisioning GET /api/access/r1/provisioning 404'),
  ...(['provisioning', 'deprovisioning'] as const).flatMap((way) =>
    (['started', 'failed', 'succeeded'] as const).map((end) =>
      newAccessCall(
        `report${toName(way)}${toName(end)} POST /api/access/r1/provisioning/${way}-${end} 200`,
        REPORT,
        {
          status: { started: way, failed: `${way}-failed`, succeeded: `${way.slice(0, -3)}ed` }[
            end
          ],
          platform: 'snowflake',
        },
      ),
    ),
  ),
  newAccessCall('putAccessProvisioning PUT /api/access/r1/provisioning 200', {
    status: 'provisioned',
    platform: 'snowflake',
  }),
  newAccessCall('getAccessProvisioning GET /api/access/r1/provisioning 200', undefined, {
    status: 'provisioned',
  }),
  newAccessCall('addAccess PUT /api/access/r1 200', {
    ...AGREEMENT,
    info: { ...AGREEMENT.info, status: 'approved', active: true },
    tags: ['granted'],
    provisioning: { status: 'provisioned' },
  }),
  newAccessCall('cancelAccess POST /api/access/r1/cancel 200'),
  newAccessCall('addAccess PUT /api/access/r2 200', { ...AGREEMENT, id: 'r2' }),
  newAccessCall('rejectAcess POST /api/access/r2/reject 200'),
  newAccessCall('rejectAcess POST /api/access/none/reject 404'),
  newAccessCall('deleteAccess DELETE /api/access/r1 200'),
  newAccessCall('deleteAccess DELETE /api/access/r1 404'),
]

function newAccessCall(line: string, body?: object, answers?: object): JavaCall {
  const [name = '', method, path = '', status] = line.split(' ')
  return {
    name: `AccessApi.${name}`,
    method: method as JavaCall['method'],
    path,
    status: Number(status),
    ...(body === undefined ? {} : { body }),
    ...(answers === undefined ? {} : { answers }),
  }
}

function toName(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
