/** The parts of an asset's document that the page shows; undefined = absent. */
interface AssetInfo {
  description: string | undefined
  ownerId: string | undefined
  source: string | undefined
  sourceUrl: string | undefined
  qualifiedName: string | undefined
  status: string | undefined
  tags: readonly string[]
  /** The ids of the tags that are assigned to it, beside those of its document. */
  assignedTags: readonly string[]
  columnCount: number
  /** Further links and properties with scalar values. */
  links: readonly (readonly [string, string])[]
  properties: readonly (readonly [string, string])[]
}

/** Parses an asset's document; parts of an unexpected shape are left out. Never throws. */
export function readInfo(document: Readonly<Record<string, unknown>>): AssetInfo {
  const { info, columns, tags, assignedTags, links, properties } = document
  const text = (name: string): string | undefined => {
    const value = isRecord(info) ? info[name] : undefined
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return {
    description: text('description'),
    ownerId: text('owner'),
    source: text('source'),
    sourceUrl: text('sourceUrl'),
    qualifiedName: text('qualifiedName'),
    status: text('status'),
    tags: listTexts(tags),
    assignedTags: listTexts(assignedTags),
    columnCount: Array.isArray(columns) ? columns.length : 0,
    links: plainEntries(links),
    properties: plainEntries(properties),
  }
}

function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function plainEntries(value: unknown): [string, string][] {
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, one]): [string, string][] =>
    ['string', 'number', 'boolean'].includes(typeof one) ? [[name, String(one)]] : [],
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Formats the document of an ingested asset, which the catalog writes on one line. Not for a document
 * that a client sent, which is shown byte for byte.
 */
export function formatDocument(text: string): string {
  return JSON.stringify(JSON.parse(text), undefined, 2)
}
