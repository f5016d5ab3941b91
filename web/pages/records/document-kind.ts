import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import { asText, isObject, valueAt } from '../../../formats/text/value.ts'
import type { ObjectValue, Path, Value } from '../../../formats/text/value.ts'
import type { DocumentKind, DocumentTemplate } from '../../documents/document-kind.ts'
import { getRecordPaths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import { createDeletionEffect, TagDeletionEffect } from './deletion-effect.tsx'

/** Converts a kind of record to a kind of document that is edited, compared and deleted. */
export function toDocumentKind(kind: DeclaredKind): DocumentKind {
  const { paths, called, collection, label } = kind
  const { list, page, edit, versions } = getRecordPaths(kind)
  return {
    reader: kind.kind,
    called,
    permissions: kind.permissions,
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
    DeletionEffect: kind.kind === 'tag' ? TagDeletionEffect : createDeletionEffect(kind),
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
  const order = [...shape.fields.keys()]
  const first = [id, name, owner, description]
    .filter((path) => path !== undefined)
    .toSorted((a, b) => order.indexOf(String(a[0])) - order.indexOf(String(b[0])))
  const value: ObjectValue = {}
  for (const path of first) setEmptyText(value, path.map(String))
  return [
    { title: 'YAML', text: toYaml(value), mediaType: 'application/yaml' },
    { title: 'JSON', text: `${JSON.stringify(value, null, 2)}\n`, mediaType: 'application/json' },
  ]
}

function setEmptyText(value: ObjectValue, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    value[name] = ''
    return
  }
  const inner = value[name]
  const part = isObject(inner) ? inner : {}
  value[name] = part
  setEmptyText(part, rest)
}

function toYaml(value: ObjectValue, indent = ''): string {
  return Object.entries(value)
    .map(([name, inner]) =>
      isObject(inner)
        ? `${indent}${name}:\n${toYaml(inner, `${indent}  `)}`
        : `${indent}${name}: ""\n`,
    )
    .join('')
}
