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

/** Returns the text of an editor whose lines are all rendered, as it would be saved. */
export async function readEditor(editor: Locator): Promise<string> {
  const lines = await editor.evaluate((element) =>
    [...element.querySelectorAll('.cm-line')].map((line) => line.textContent),
  )
  return lines.join('\n')
}
