import type { DocumentTemplate } from '../../documents/document-kind.ts'

/** The version of ODPS in which new data products are written. */
export const NEWEST_ODPS = 'v1.1.0'

const YAML_NEWEST = `apiVersion: ${NEWEST_ODPS}
kind: DataProduct
id: ""
name: ""
version: 0.1.0
status: draft
description:
  purpose: ""
team:
  name: ""
`

const JSON_NEWEST = `{
  "apiVersion": "${NEWEST_ODPS}",
  "kind": "DataProduct",
  "id": "",
  "name": "",
  "version": "0.1.0",
  "status": "draft",
  "description": {
    "purpose": ""
  },
  "team": {
    "name": ""
  }
}
`

/** The templates of a new data product; empty texts must be filled in. */
export const PRODUCT_TEMPLATES: readonly DocumentTemplate[] = [
  { title: 'ODPS 1.1 as YAML', text: YAML_NEWEST, mediaType: 'application/yaml' },
  { title: 'ODPS 1.1 as JSON', text: JSON_NEWEST, mediaType: 'application/json' },
  {
    title: 'ODPS 1.0 as YAML',
    text: YAML_NEWEST.replace(NEWEST_ODPS, 'v1.0.0'),
    mediaType: 'application/yaml',
  },
]

/** Returns the templates with a team as the owner. */
export function getTemplatesOwnedBy(teamId: string): DocumentTemplate[] {
  const name = JSON.stringify(teamId)
  return PRODUCT_TEMPLATES.map((template) => ({
    ...template,
    text: template.text
      .replace('team:\n  name: ""', () => `team:\n  name: ${name}`)
      .replace('"team": {\n    "name": ""', () => `"team": {\n    "name": ${name}`),
  }))
}
