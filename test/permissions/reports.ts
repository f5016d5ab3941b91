/** The rows of the permission matrix for what pipelines report: test results, lineage events, usage. */

import { randomUUID } from 'node:crypto'
import { addDifferingTable, addFinding, addPromise } from '../drift.ts'
import {
  ACKNOWLEDGE,
  BRANCH_RESULTS,
  CHECKS,
  INCIDENT,
  INCIDENTS,
  LINEAGE,
  LINEAGE_BATCH,
  RESULT,
  RESULT_CHECKS,
  RESULTS,
  TRACES,
  atMissing,
  atPath,
  existingOne,
  existingChecks,
  existingResultChecks,
  existingIncident,
  existingResult,
  existingUsage,
  newBranchResult,
  newLineageBatch,
  newLineageEvent,
  newResult,
  newUsage,
  type PermissionRow,
  type RequestMaker,
} from './requests.ts'
import { row } from './row.ts'
import {
  EVENT_OF_A,
  EVENT_OF_B,
  OF_B,
  POSTED,
  READ,
  RESOURCE_OF_A,
  UNKNOWN,
  UNKNOWN_READ,
} from './statuses.ts'

const DRIFT = '/api/drift'
const TABLE_SQL = '/api/datacontracts/{id}/drift/sql'
const UNKNOWN_TABLE = '/api/datacontracts/unknown/drift/sql?server=production&model=orders'
const CONTRACT_DRIFT = '/api/datacontracts/{id}/drift'
const PROPOSAL = `${CONTRACT_DRIFT}/proposal`
const FRESHNESS = '/api/datacontracts/{id}/freshness'
const FINDING = `${DRIFT}/{id}`
const ACCEPTANCE = `${FINDING}/acceptance`
const ACCEPTED = { reason: 'Planned' }

// A difference between a contract of a team and its asset; `more` is the end of the path.
function existingFinding(owner: string, more = '', body?: object): RequestMaker {
  return async (world) => {
    const { path } = await existingOne('datacontracts', owner)(world)
    const id = await addFinding(world, path.slice(path.lastIndexOf('/') + 1))
    return { path: `${DRIFT}/${id}${more}`, ...(body && { body }) }
  }
}

const LINK = '/api/datacontracts/{id}/links/{server}/{model}'
const EXCLUDED = { assetId: null, reason: 'No table' }

function existingLink(owner: string): RequestMaker {
  return async (world) => {
    const { path } = await existingOne('datacontracts', owner)(world)
    await addPromise(world, path.slice(path.lastIndexOf('/') + 1))
    return { path: `${path}/links/production/orders`, body: EXCLUDED }
  }
}

function unknownFinding(more = '', body?: object): RequestMaker {
  return async () => ({ path: `${DRIFT}/${randomUUID()}${more}`, ...(body && { body }) })
}

/** The rows. */
export const REPORT_ROWS: readonly PermissionRow[] = [
  row('GET', RESULTS, 'all', READ, atPath(RESULTS)),
  row('GET', RESULT, 'of a contract of B', READ, existingResult('b')),
  row('GET', RESULT, 'an unknown id', UNKNOWN_READ, atMissing(RESULTS)),
  row('GET', RESULT_CHECKS, 'of a contract of B', READ, existingResultChecks('b')),
  row('GET', RESULT_CHECKS, 'an unknown id', UNKNOWN_READ, atPath('/api/test-results/x/checks')),
  row('GET', CHECKS, 'of a contract of B', READ, existingChecks('b')),
  row('GET', CHECKS, 'an unknown id', UNKNOWN_READ, atPath('/api/datacontracts/missing/checks')),
  row('GET', INCIDENTS, 'all', READ, atPath(INCIDENTS)),
  row('GET', INCIDENT, 'of a contract of B', READ, existingIncident('b')),
  row('GET', INCIDENT, 'an unknown id', UNKNOWN_READ, atMissing(INCIDENTS)),
  row(
    'POST',
    ACKNOWLEDGE,
    'of a contract of A',
    RESOURCE_OF_A,
    existingIncident('a', '/acknowledge'),
  ),
  row('POST', ACKNOWLEDGE, 'of a contract of B', OF_B, existingIncident('b', '/acknowledge')),
  row('POST', RESULTS, 'of no contract', RESOURCE_OF_A, newResult(undefined)),
  row('POST', RESULTS, 'of a contract of A', RESOURCE_OF_A, newResult('a')),
  row('POST', RESULTS, 'of a contract of B', OF_B, newResult('b')),
  row('POST', RESULTS, 'of a contract without an owner', OF_B, newResult('')),
  row('POST', BRANCH_RESULTS, 'of a contract of A', RESOURCE_OF_A, newBranchResult('a')),
  row('POST', BRANCH_RESULTS, 'of a contract of B', OF_B, newBranchResult('b')),
  row('GET', BRANCH_RESULTS, 'all', READ, atPath('/api/datacontracts/c/branches/b/test-results')),
  row('DELETE', RESULT, 'of a contract of A', RESOURCE_OF_A, existingResult('a')),
  row('DELETE', RESULT, 'of a contract of B', OF_B, existingResult('b')),
  row('DELETE', RESULT, 'an unknown id', UNKNOWN, atMissing(RESULTS)),

  row('GET', '/api/trust', 'of any documents', READ, atPath('/api/trust?dataContractId=c')),

  ...(['PUT', 'DELETE'] as const).flatMap((method) => [
    row(method, LINK, 'of a contract of A', RESOURCE_OF_A, existingLink('a')),
    row(method, LINK, 'of a contract of B', OF_B, existingLink('b')),
    row(method, LINK, 'of an unknown contract', UNKNOWN, async () => ({
      path: '/api/datacontracts/unknown/links/production/orders',
      body: EXCLUDED,
    })),
  ]),

  row('GET', DRIFT, 'all', READ, atPath(DRIFT)),
  row('GET', CONTRACT_DRIFT, 'of a contract of B', READ, async (world) => ({
    path: `${(await existingOne('datacontracts', 'b')(world)).path}/drift`,
  })),
  row(
    'GET',
    CONTRACT_DRIFT,
    'of an unknown contract',
    UNKNOWN_READ,
    atPath('/api/datacontracts/unknown/drift'),
  ),
  row('GET', FRESHNESS, 'of a contract of B', READ, async (world) => ({
    path: `${(await existingOne('datacontracts', 'b')(world)).path}/freshness`,
  })),
  row(
    'GET',
    FRESHNESS,
    'of an unknown contract',
    UNKNOWN_READ,
    atPath('/api/datacontracts/unknown/freshness'),
  ),
  row('GET', TABLE_SQL, 'of a contract of B', READ, async (world) => ({
    path: `/api/datacontracts/${await addDifferingTable(world, { owner: 'b' })}/drift/sql?server=production&model=orders`,
  })),
  row('GET', TABLE_SQL, 'of an unknown contract', UNKNOWN_READ, atPath(UNKNOWN_TABLE)),
  row('POST', PROPOSAL, 'of a contract of B', POSTED, async (world) => ({
    path: `${(await existingOne('datacontracts', 'b')(world)).path}/drift/proposal`,
    body: {},
  })),
  row('POST', PROPOSAL, 'of an unknown contract', UNKNOWN, async () => ({
    path: '/api/datacontracts/unknown/drift/proposal',
    body: {},
  })),
  row('GET', FINDING, 'of a contract of B', READ, existingFinding('b')),
  row('GET', FINDING, 'an unknown id', UNKNOWN_READ, unknownFinding()),
  row(
    'PUT',
    ACCEPTANCE,
    'of a contract of A',
    RESOURCE_OF_A,
    existingFinding('a', '/acceptance', ACCEPTED),
  ),
  row('PUT', ACCEPTANCE, 'of a contract of B', OF_B, existingFinding('b', '/acceptance', ACCEPTED)),
  row('PUT', ACCEPTANCE, 'an unknown id', UNKNOWN, unknownFinding('/acceptance', ACCEPTED)),
  row(
    'DELETE',
    ACCEPTANCE,
    'of a contract of A',
    RESOURCE_OF_A,
    existingFinding('a', '/acceptance'),
  ),
  row('DELETE', ACCEPTANCE, 'of a contract of B', OF_B, existingFinding('b', '/acceptance')),
  row('DELETE', ACCEPTANCE, 'an unknown id', UNKNOWN, unknownFinding('/acceptance')),

  row('GET', LINEAGE, 'all events', READ, atPath(LINEAGE)),
  row('POST', LINEAGE, 'of no product', EVENT_OF_A, newLineageEvent(undefined)),
  row('POST', LINEAGE, 'of a product of A', EVENT_OF_A, newLineageEvent('a')),
  row('POST', LINEAGE, 'of a product of B', EVENT_OF_B, newLineageEvent('b')),
  row('POST', LINEAGE_BATCH, 'of no product', RESOURCE_OF_A, newLineageBatch(undefined)),
  row('POST', LINEAGE_BATCH, 'of a product of A', RESOURCE_OF_A, newLineageBatch('a')),
  row('POST', LINEAGE_BATCH, 'of a product of B', OF_B, newLineageBatch('b')),
  row('DELETE', LINEAGE, 'the events of a run', OF_B, atPath(`${LINEAGE}?runId=unknown`)),

  row('GET', TRACES, 'all spans', READ, atPath(`${TRACES}?limit=1`)),
  row('POST', TRACES, 'of a product of A', RESOURCE_OF_A, newUsage('a')),
  row('POST', TRACES, 'of a product of B', OF_B, newUsage('b')),
  row('POST', TRACES, 'of an unknown product', RESOURCE_OF_A, newUsage(undefined)),
  row('DELETE', TRACES, 'of a product of A', RESOURCE_OF_A, existingUsage('a')),
  row('DELETE', TRACES, 'of a product of B', OF_B, existingUsage('b')),
  row('DELETE', TRACES, 'of an unknown product', OF_B, existingUsage(undefined)),
  row('DELETE', TRACES, 'of the organization', OF_B, atPath(`${TRACES}?scopeName=unknown`)),
]
