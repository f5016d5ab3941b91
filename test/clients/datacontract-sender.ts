/** A contract whose rules `datacontract-cli` tests twice, and the rule on which each outcome must land. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { odcs } from '../world.ts'

const SQL = 'select count(*) from orders where total < 0'
const library = (metric: string, limit: object): object => ({ type: 'library', metric, ...limit })
const isSql = (query: string, limit: object): object => ({ type: 'sql', query, ...limit })

/** The contract. Several rules have one key in the results of the client, and equal queries. */
export const SENT = odcs('sent', {
  servers: [
    {
      server: 'production',
      type: 'local',
      path: './sent/{model}.csv',
      format: 'csv',
      environment: 'prod',
    },
  ],
  schema: [
    {
      name: 'orders',
      physicalName: 'orders',
      physicalType: 'table',
      quality: [
        library('rowCount', { mustBeGreaterThan: 1 }),
        isSql(SQL, { mustBe: 0 }),
        isSql(SQL, { mustBeLessThan: 5 }),
        library('duplicateValues', { arguments: { properties: ['id', 'total'] }, mustBe: 0 }),
        isSql('select broken from nowhere', { mustBe: 0 }),
      ],
      properties: [
        {
          name: 'id',
          logicalType: 'integer',
          quality: [
            library('duplicateValues', { mustBe: 0 }),
            library('duplicateValues', { mustBeLessThan: 5 }),
          ],
        },
        {
          name: 'email',
          logicalType: 'string',
          quality: [
            library('nullValues', { mustBe: 0 }),
            library('missingValues', { id: 'some', mustBeLessThan: 5 }),
          ],
        },
        {
          name: 'total',
          logicalType: 'integer',
          quality: [
            isSql('select min(${property}) from ${object}', { mustBeGreaterOrEqualTo: 0 }),
            isSql('select max(${property}) from ${object}', { mustBeLessThan: 100 }),
          ],
        },
        {
          name: 'status',
          logicalType: 'string',
          quality: [
            library('invalidValues', { arguments: { validValues: ['open', 'closed'] }, mustBe: 0 }),
          ],
        },
      ],
    },
  ],
})

const RUNS = [
  ['1,a@example.test,10,open', '2,,-3,odd', '2,b@example.test,5,closed'],
  ['1,a@example.test,10,open', '2,c@example.test,3,open', '2,b@example.test,5,closed'],
] as const

/** Writes the data of a run into the folder of the client. */
export function writeSentData(folder: string, run: 0 | 1): void {
  mkdirSync(join(folder, 'sent'), { recursive: true })
  writeFileSync(
    join(folder, 'sent', 'orders.csv'),
    `${['id,email,total,status', ...RUNS[run]].join('\n')}\n`,
  )
}

/**
 * The first letters of the outcomes of both runs, by the JSON pointers of the rules. The client writes the outcomes of rules with one
 * key into the first of them, so that they are unknown.
 */
export const SENT_OUTCOMES: Readonly<Record<string, string>> = {
  '/schema/0/quality/0': 'pp',
  '/schema/0/quality/1': 'fp',
  '/schema/0/quality/2': 'pp',
  '/schema/0/quality/3': 'pp',
  '/schema/0/quality/4': 'ee',
  '/schema/0/properties/0/quality/0': 'uu',
  '/schema/0/properties/0/quality/1': 'uu',
  '/schema/0/properties/1/quality/0': 'fp',
  '/schema/0/properties/1/quality/1': 'pp',
  '/schema/0/properties/2/quality/0': 'fp',
  '/schema/0/properties/2/quality/1': 'pp',
  '/schema/0/properties/3/quality/0': 'fp',
}
