/**
 * `node scripts/field-descriptions.ts <odcs-3.2> <odps-1.1> <odps-1.0>`: collects the descriptions of fields from official
 * JSON Schemas and writes them to `web/documents/field-descriptions.json`, from where the editor explains fields.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { collectDescriptions } from '../test/schema-fields.ts'

const FILE = new URL('../web/documents/field-descriptions.json', import.meta.url)

// The official schemas describe these fields only in some parts, or nowhere.
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['id', 'Stable technical identifier for references. Must be unique within its containing array.'],
  ['tags', 'A list of tags, such as `finance` or `sensitive`.'],
  ['customProperties', 'A list of key/value pairs for custom properties.'],
  ['authoritativeDefinitions', 'A list of links to sources that provide more details.'],
  ['synonyms', 'A list of alternative names.'],
  ['context', 'Guidance for people and AI agents: instructions, questions, and what not to do.'],
  ['deprecated', 'Whether it should not be used in new implementations. Default is false.'],
  ['price', 'Subscription price.'],
  ['team', 'Team information, with its members.'],
  ['method', 'Method of the quality check.'],
  ['implementation', 'The check in the language of the engine.'],
])

// What ODPS 1.0 has, but no longer holds.
const OWN_TEXTS: ReadonlyMap<string, string> = new Map([
  ['apiVersion', 'Version of the standard used to build data product. Default value is v1.1.0.'],
  ['inputPorts', 'List of objects describing an input port.'],
  ['outputPorts', 'List of objects describing an output port.'],
  ['type', 'Position in the mesh: `sourceAligned`, `aggregate` or `consumerAligned`.'],
])

/**
 * Shortens paths to their ends, as long as all fields with that end have the same description:
 * `customProperties[].value`. An end has two names at least.
 */
export function shortenPaths(descriptions: ReadonlyMap<string, string>): Record<string, string> {
  const textsByEnd = new Map<string, Set<string>>()
  for (const [path, text] of descriptions) {
    for (const end of listEnds(path)) {
      textsByEnd.set(end, (textsByEnd.get(end) ?? new Set()).add(text))
    }
  }
  const described = [...descriptions].filter(([, text]) => text !== '')
  const entries = described.map(([path, text]) => {
    const end = listEnds(path).find((one) => textsByEnd.get(one)?.size === 1)
    return [end ?? path, text] as const
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

// The shortest first.
function listEnds(path: string): string[] {
  const names = path.split('.')
  return names.slice(0, -1).map((_, at) => names.slice(names.length - 2 - at).join('.'))
}

/** Describes the fields of ODPS 1.1 by its predecessor, by fields of ODCS with the same end, and by own texts. */
function describeOdps(
  paths: Iterable<string>,
  before: ReadonlyMap<string, string>,
  odcs: ReadonlyMap<string, string>,
): Map<string, string> {
  const byEnd = new Map<string, string>()
  for (const [path, text] of [...odcs, ...before]) {
    if (text !== '') for (const end of [path, ...listEnds(path)]) byEnd.set(end, text)
  }
  const describePath = (path: string): string =>
    OWN_TEXTS.get(path) ??
    [path, ...listEnds(path).toReversed()].map((end) => byEnd.get(end)).find(Boolean) ??
    ''
  return new Map([...paths].map((path) => [path, describePath(path)]))
}

function describeRest(descriptions: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...descriptions].map(([path, text]) => {
      const name = path.split('.').at(-1) ?? ''
      return [path, text === '' ? (BY_NAME.get(name) ?? '') : text]
    }),
  )
}

if (import.meta.main) {
  const [odcs, odps, before] = process.argv
    .slice(2)
    .map((file) => collectDescriptions(JSON.parse(readFileSync(file, 'utf8'))))
  if (odcs === undefined || odps === undefined || before === undefined) {
    throw new Error('Name the schemas of ODCS 3.2, ODPS 1.1 and ODPS 1.0.')
  }
  const descriptions = {
    odcs: shortenPaths(describeRest(odcs)),
    odps: shortenPaths(describeRest(describeOdps(odps.keys(), before, odcs))),
  }
  writeFileSync(FILE, `${JSON.stringify(descriptions, undefined, 2)}\n`)
}
