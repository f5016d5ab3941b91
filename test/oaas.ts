/** Access agreements of Bitol (OAAS) for tests. */

import assert from 'node:assert/strict'
import { readOaas } from '../formats/bitol/oaas/read.ts'
import type { OaasMembers } from '../formats/bitol/oaas/write.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type ObjectValue, type Value } from '../formats/text/value.ts'

/** The fields that are required. */
export const MINIMAL: ObjectValue = {
  apiVersion: 'v0.9.0',
  kind: 'AccessAgreement',
  id: 'grant',
  status: 'approved',
  description: { purpose: 'Train the churn model.' },
  startTimestamp: '2026-07-01T00:00:00Z',
  provider: { teamId: 'sales', dataProductId: 'orders', outputPortId: 'snowflake' },
  consumer: { teamId: 'marketing' },
}

/** Every field. */
export const FULL: ObjectValue = {
  ...MINIMAL,
  name: 'Orders for classification',
  version: '1.1.0',
  description: {
    purpose: 'Classify users.',
    usage: 'Read only.',
    limitations: 'No resale.',
    terms: 'Free for three months.',
  },
  endTimestamp: '2027-07-01T00:00:00Z',
  nextReassessmentTimestamp: '2027-01-01T00:00:00Z',
  provider: {
    teamId: 'sales',
    dataProductId: 'orders',
    outputPortId: 'snowflake',
    dataContractId: 'c-1',
    dataContractVersion: '1.0.0',
  },
  consumer: { teamId: 'marketing', dataProductId: 'classification' },
  roles: [{ role: 'analyst.eu', description: 'Reads' }, { role: 'analyst.us' }],
  tags: ['gdpr'],
  authoritativeDefinitions: [
    { type: 'legal', url: 'https://acme.test/dpa.pdf', description: 'Signed.' },
    { type: 'legal', url: 'https://acme.test/annex.pdf' },
    { type: 'ticket', url: 'https://acme.test/4' },
  ],
  customProperties: [
    { property: 'costCenter', value: 'MKT-4711', vendor: 'sap' },
    { property: 'size', value: 3 },
    { property: 'oaas.name', value: 'not the name' },
  ],
}

/** The members of the catalog for `MINIMAL`. */
export const MEMBERS: OaasMembers = {
  id: 'grant',
  status: 'approved',
  isCanceled: false,
  providerTeam: 'sales',
  consumerTeam: null,
  contractId: null,
  contractVersion: null,
  terms: { startOn: '2026-07-01', endOn: null, reassessOn: null, roles: [] },
}

/** The members of the catalog for `FULL`. */
export const FULL_MEMBERS: OaasMembers = {
  ...MEMBERS,
  consumerTeam: 'marketing',
  contractId: 'c-1',
  contractVersion: '1.0.0',
  terms: {
    startOn: '2026-07-01',
    endOn: '2027-07-01',
    reassessOn: '2027-01-01',
    roles: ['analyst.eu', 'analyst.us'],
  },
}

/** Parses an access agreement as JSON, and reads it under an id. */
export function parseOaas(document: Value, id = 'grant') {
  const source = readText(jsonText(document), 'application/json')
  assert.ok(source.ok)
  return { source, reading: readOaas(source, id) }
}

/** Reads an access agreement without problems. */
export function readValid(document: Value) {
  const { reading } = parseOaas(document)
  assert.ok(reading.ok, jsonText('problems' in reading ? reading.problems.map(String) : []))
  return reading
}
