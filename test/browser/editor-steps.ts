/** The documents of the journey that edits a data contract, and its view of the editor. */

import type { Locator } from 'playwright-core'

export const TEAM = 'yard'
export const READERS = 'planning'
export const CONTRACT = 'brake-tests'
export const MAKER = 'brakes'
export const READER = 'departures'

/** The contract as it was first saved. */
export const TEXT = `# Agreed with the yard masters on 3 March.
apiVersion: v3.1.0
kind: DataContract
id: ${CONTRACT}
name: Brake tests   # as the workshop calls it
version: 1.0.0
status: active
team:
  name: ${TEAM}
description:
  purpose: Every brake test before a train departs.
schema:
  - name: brake_test
    properties:
      # Counted up by the workshop.
      - name: test_id
        logicalType: integer
        required: true
        primaryKey: true
      - name: passed   # yes or no
        logicalType: boolean
        required: true
      - name: remark
        logicalType: string
`

/** Returns the document of a data product with ports. */
export const product = (id: string, team: string, ports: object): object => ({
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  id,
  name: id,
  status: 'active',
  team: { name: team },
  ...ports,
})

/** The id of a contract with many models and fields. */
export const LONG_CONTRACT = 'wagons'

const MODELS = 40
const FIELDS = 12

/** Returns the JSON of a contract whose form is long. */
export function writeLongContract(): string {
  return JSON.stringify(createLongContract(), undefined, 2)
}

function createLongContract(): object {
  const properties = Array.from({ length: FIELDS }, (_, at) => ({
    name: `field_${at}`,
    logicalType: 'string',
  }))
  return {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: LONG_CONTRACT,
    name: 'Wagons',
    version: '1.0.0',
    status: 'active',
    team: { name: TEAM },
    tenant: 'velmora',
    schema: Array.from({ length: MODELS }, (_, at) => ({ name: `model_${at}`, properties })),
    slaProperties: [{ property: 'latency', value: 4, unit: 'h' }],
    roles: [{ role: 'reader' }, { role: 'writer' }],
  }
}

/** Returns the text of an editor whose lines are all rendered, as it would be saved. */
export async function readEditor(editor: Locator): Promise<string> {
  const lines = await editor.evaluate((element) =>
    [...element.querySelectorAll('.cm-line')].map((line) => line.textContent),
  )
  return lines.join('\n')
}
