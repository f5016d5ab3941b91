/** An organization with a team that owns data, and one that needs it, for the tests of access. */

import type { Browser } from 'playwright-core'
import type { Visitor } from './browser.ts'
import type { Catalog } from './catalog.ts'
import { acceptInvitation, newSignedInVisitor, putTeam } from './people.ts'

/** The people of the tests, each with a browser session of their own. */
interface AccessPeople {
  owner: Visitor
  /** Ada, who decides for the team that owns the data. */
  approver: Visitor
  /** Jonas, a member of the team that needs it. */
  reader: Visitor
}

async function putProduct(
  catalog: Catalog,
  id: string,
  name: string,
  outputPorts: object[],
): Promise<void> {
  await catalog.call('PUT', `/api/dataproducts/${id}`, {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name,
    status: 'active',
    team: { name: 'telematics' },
    outputPorts,
  })
}

/** Writes the contract of the positions; another type of its only field is a breaking change. */
export async function putPositionsContract(catalog: Catalog, logicalType: string): Promise<void> {
  await catalog.call('PUT', '/api/datacontracts/positions', {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'positions',
    name: 'Positions',
    version: '1.0.0',
    status: 'active',
    team: { name: 'telematics' },
    description: { usage: 'Reports by day', limitations: 'No tracking of people' },
    roles: [{ role: 'analyst', description: 'Reads all rows' }, { role: 'auditor' }],
    schema: [
      {
        name: 'positions',
        properties: [{ name: 'wagon', logicalType, classification: 'confidential' }],
      },
    ],
  })
}

/** Fills a catalog with two teams, two data products and a contract, and signs their people in. */
export async function createAccessWorld(browser: Browser, catalog: Catalog): Promise<AccessPeople> {
  const owner = await newSignedInVisitor(browser, catalog, catalog.owner)
  const emails = new Map<string, string>()
  const invite = async (name: string): Promise<Visitor> => {
    const email = `${name}-${Date.now()}@velmora.example`
    const person = await acceptInvitation(owner, catalog, { email, name })
    emails.set(name, person.email)
    return await newSignedInVisitor(browser, catalog, person)
  }
  const approver = await invite('Ada')
  const reader = await invite('Jonas')
  await putTeam(owner, 'telematics', [{ emailAddress: emails.get('Ada') ?? '', role: 'Approver' }])
  await putTeam(owner, 'workshop', [{ emailAddress: emails.get('Jonas') ?? '', role: 'Member' }])
  await putPositionsContract(catalog, 'string')
  await putProduct(catalog, 'positions', 'Wagon positions', [
    { name: 'table', version: '1', contractId: 'positions' },
    { name: 'stream', version: '1' },
  ])
  await putProduct(catalog, 'stations', 'Stations', [
    {
      name: 'list',
      version: '1',
      customProperties: [{ property: 'autoApprove', value: true }],
    },
  ])
  return { owner, approver, reader }
}
