import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import { asText, valueAt, type Path, type Value } from '../../../formats/text/value.ts'
import type { DocumentKind, DocumentTemplate } from '../../documents/document-kind.ts'
import { getRecordPaths } from '../../paths.ts'
import { lazyPart } from '../../shell/chunks.ts'

/** Converts a kind of record to a kind of document that is edited, compared and deleted. */
export function toDocumentKind(kind: DeclaredKind): DocumentKind {
  const { paths, called, collection, label } = kind
  const { list, page, edit, versions } = getRecordPaths(kind)
  return {
    reader: kind.kind,
    called,
    api: collection,
    list: { title: label, href: list },
    page,
    editPage: edit,
    versionsPage: versions,
    templates: createTemplates(kind),
    getId: (value) => readText(value, paths.id),
    getName: (value) => readText(value, paths.name ?? paths.id),
    getOwner: (value) => (paths.owner === undefined ? null : readText(value, paths.owner)),
    formReason: () => undefined,
    // Only the editor needs the form.
    Form: lazyPart(
      async () => ({ Form: (await import('./record-form.tsx')).createRecordForm(kind) }),
      'Form',
    ),
  }
}

function readText(value: Value, path: Path): string | undefined {
  return asText(valueAt(value, path))?.trim() || undefined
}

// New records have the fields that people fill in first. Their empty texts must be replaced or removed.
function createTemplates({ shape, paths }: RecordKind): DocumentTemplate[] {
  const { id, name, owner, description } = paths
  const first = new Set([id, name, owner, description].map((path) => path?.[0]))
  const fields = [...shape.fields.keys()].filter((field) => first.has(field))
  const yaml = fields.map((field) => `${field}: ""\n`).join('')
  const json = JSON.stringify(Object.fromEntries(fields.map((field) => [field, ''])), null, 2)
  return [
    { title: 'YAML', text: yaml, mediaType: 'application/yaml' },
    { title: 'JSON', text: `${json}\n`, mediaType: 'application/json' },
  ]
}
