import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RECORDS, type DeclaredKind } from '../../formats/record/kinds.ts'
import { readText, type MediaType, type SourceText } from '../../formats/text/text.ts'
import { getField, asText } from '../../formats/text/value.ts'

/** Reads the documents of the example mesh, each with the age at which the demo registers it. */

const MESH = fileURLToPath(new URL('../../examples/mesh', import.meta.url))
const DAY_HOURS = 24

type Folder = 'teams' | 'data-contracts' | 'data-products' | 'assets' | DeclaredKind['pages']

/** A document of the mesh. */
export interface MeshDocument {
  folder: Folder
  id: string
  source: SourceText
  /** Whether a later version replaces it. */
  isEarlier: boolean
}

/** A document of the mesh with its age at the start of the demo. */
export interface DatedDocument extends MeshDocument {
  hoursAgo: number
}

/**
 * Reads all documents, oldest first, so that the feed lists them in order: the teams, their records, then their
 * documents week by week. Documents with an earlier version got their current one in the last days, so that this week has changes.
 */
export function readMesh(): DatedDocument[] {
  const kinds = ['data-contracts', 'data-products'] as const
  const records = RECORDS.filter(({ pages }) => existsSync(join(MESH, pages)))
  const earlier = kinds.flatMap((folder) => readFolder(folder, true))
  const current = kinds.flatMap((folder) => readFolder(folder))
  const changed = new Set(earlier.map(({ folder, id }) => `${folder}/${id}`))
  const isChanged = ({ folder, id }: MeshDocument): boolean => changed.has(`${folder}/${id}`)
  const first = [...earlier, ...current.filter((document) => !isChanged(document))]
  const latest = current.filter(isChanged)
  const dated = [
    ...spread(parentsFirst(readFolder('teams')), 70 * DAY_HOURS, 61 * DAY_HOURS),
    ...spread(
      records.flatMap(({ pages }) => readFolder(pages)),
      60 * DAY_HOURS,
      59 * DAY_HOURS,
    ),
    ...spread(mix(first), 58 * DAY_HOURS, 34 * DAY_HOURS),
    ...spread(readFolder('assets'), 30 * DAY_HOURS, 29 * DAY_HOURS),
    ...spread(mix(latest), 6 * DAY_HOURS, 2),
  ]
  return dated.toSorted((a, b) => b.hoursAgo - a.hoursAgo)
}

/** Replaces parts of the documents' texts; only documents whose text changes are parsed again. */
export function rewriteTexts(
  documents: readonly DatedDocument[],
  rewrite: (text: string) => string,
): DatedDocument[] {
  return documents.map((document) => {
    const text = rewrite(document.source.text)
    if (text === document.source.text) return document
    return { ...document, source: parseExample(text, document.source.mediaType, document.id) }
  })
}

/** Finds the owning team in a document. */
export function findOwner({ source: { value } }: MeshDocument): string | undefined {
  return (
    asText(getField(getField(value, 'team'), 'name')) ??
    asText(getField(getField(value, 'info'), 'owner')) ??
    asText(getField(value, 'owner'))
  )
}

function spread(
  documents: readonly MeshDocument[],
  fromHours: number,
  toHours: number,
): DatedDocument[] {
  const step = (fromHours - toHours) / Math.max(1, documents.length - 1)
  return documents.map((document, at) => ({ ...document, hoursAgo: fromHours - at * step }))
}

// Sorts by the end of the ID, which mixes products and contracts of all teams in a deterministic order.
function mix(documents: readonly MeshDocument[]): MeshDocument[] {
  const ending = ({ id, folder }: MeshDocument): string => `${id.slice(-4)}/${folder}/${id}`
  return documents.toSorted((a, b) => (ending(a) < ending(b) ? -1 : 1))
}

function readFolder(folder: Folder, isEarlier = false): MeshDocument[] {
  const directory = join(MESH, isEarlier ? 'earlier' : '', folder)
  // The slashes of an id are those of folders.
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(?:json|yaml)$/.test(file))
    .toSorted()
    .map((file) => {
      const mediaType: MediaType = file.endsWith('.yaml') ? 'application/yaml' : 'application/json'
      const source = parseExample(readFileSync(join(directory, file), 'utf8'), mediaType, file)
      return { folder, id: file.replace(/\.\w+$/, ''), source, isEarlier }
    })
}

function parseExample(text: string, mediaType: MediaType, name: string): SourceText {
  const source = readText(text, mediaType)
  if (!source.ok) throw new Error(`invalid example: ${name}`)
  return source
}

function parentsFirst(teams: readonly MeshDocument[]): MeshDocument[] {
  const sorted: MeshDocument[] = []
  const placed = new Set<string>()
  while (sorted.length < teams.length) {
    const ready = teams.filter(({ id, source }) => {
      const parent = asText(getField(source.value, 'parent'))
      return !placed.has(id) && (parent === undefined || placed.has(parent))
    })
    if (ready.length === 0) throw new Error('the example teams do not form a tree')
    for (const team of ready) placed.add(team.id)
    sorted.push(...ready)
  }
  return sorted
}
