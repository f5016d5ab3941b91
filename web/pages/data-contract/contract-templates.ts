import type { DocumentStart, DocumentTemplate } from '../../documents/document-kind.ts'

/** The version of ODCS in which new contracts are written. */
export const NEWEST_ODCS = 'v3.2.0'

const YAML = `apiVersion: ${NEWEST_ODCS}
kind: DataContract
id: ""
name: ""
version: 1.0.0
status: draft
team:
  name: ""
description:
  purpose: ""
schema:
  - name: orders
    physicalType: table
    description: ""
    properties:
      - name: order_id
        logicalType: string
        required: true
        primaryKey: true
        primaryKeyPosition: 1
        description: ""
`

/** Texts with which a new contract begins. */
export const CONTRACT_TEMPLATES: readonly DocumentTemplate[] = [
  { title: 'ODCS 3.2 as YAML', text: YAML, mediaType: 'application/yaml' },
  {
    title: 'ODCS 3.2 as JSON',
    mediaType: 'application/json',
    text: `${JSON.stringify(
      {
        apiVersion: NEWEST_ODCS,
        kind: 'DataContract',
        id: '',
        name: '',
        version: '1.0.0',
        status: 'draft',
        team: { name: '' },
        description: { purpose: '' },
        schema: [
          {
            name: 'orders',
            physicalType: 'table',
            description: '',
            properties: [
              {
                name: 'order_id',
                logicalType: 'string',
                required: true,
                primaryKey: true,
                primaryKeyPosition: 1,
                description: '',
              },
            ],
          },
        ],
      },
      undefined,
      2,
    )}\n`,
  },
  {
    title: 'ODCS 3.1 as YAML',
    text: YAML.replace(NEWEST_ODCS, 'v3.1.0'),
    mediaType: 'application/yaml',
  },
]

/** Returns the start of a contract that a port names already, owned by a team. */
export function startNamed(id: string, team: string): DocumentStart {
  const named = YAML.replace('id: ""', () => `id: ${JSON.stringify(id)}`)
  const text = named.replace('team:\n  name: ""', () => `team:\n  name: ${JSON.stringify(team)}`)
  return { text, mediaType: 'application/yaml', key: `id:${id} ${team}` }
}
