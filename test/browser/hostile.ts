/**
 * Hostile texts for every string of a document: documents of the example mesh in which every string is
 * replaced, except those that a format does not read as free text.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { hasFormat } from '../../formats/shape/text-format.ts'
import type { Catalog } from './catalog.ts'

/** Every hostile text starts with this; a page must show it literally. */
export const MARKUP = '<img src=x onerror="window.__hacked=1">'

const LONG_CHARACTERS = 10_000

/** Texts, each with another attack. */
export const POISONS: readonly string[] = [
  `${MARKUP}<script>window.__hacked=2</script>`,
  `"><svg/onload=window.__hacked=3>'\`\${window.__hacked=4}{{constructor.constructor('window.__hacked=5')()}}`,
  'safe\u202Egnp.exe\u2066hidden\u200F\u061C and on',
  'bell\u0007 escape\u001B[31m delete\u007F next\u0085 line\u2028separator',
  'W'.repeat(LONG_CHARACTERS),
  '👩‍👩‍👧‍👦🇩🇪𐍈e\u0301\u0301\u0301\u0301 مرحبا بالعالم שלום עולם',
]

/** Invalid links, each of another kind. */
export const BAD_LINKS: readonly string[] = [
  'javascript:window.__hacked=6',
  'JaVaScRiPt:window.__hacked=7//https://a.example',
  ' \u0001javascript:window.__hacked=8',
  'data:text/html,<script>window.__hacked=9</script>',
  'vbscript:window.__hacked=10',
  '//evil.example/"onmouseover="window.__hacked=11',
  `https://a.example/"><img src=x onerror=window.__hacked=12>${'l'.repeat(LONG_CHARACTERS)}`,
]

/** Those that are accepted where a URI is required. */
export const BAD_URIS = BAD_LINKS.filter((link) => hasFormat(link, 'uri'))

// Strings that a format does not read as free text, or that refer to another document.
const READ_BY_FORMATS =
  /^(apiVersion|kind|id|dataProductSpecification|dataContractSpecification|owner|parent|contractId|dataContractId|sourceSystemId|emailAddress|source|assetId|.*Type|type|role|status|qualifiedName|date\w*|timestamp)$/
const LINK = /(url|uri|href|link|documentation|repository|wiki|runbook|location)/i

/** Replaces every text of a document with a hostile one; `turn` selects the first. */
export function poison(
  document: unknown,
  turn: number,
  unchangedPaths: ReadonlySet<string>,
): unknown {
  let next = turn
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one, at) => walk(one, [...path, String(at)]))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, walk(one, [...path, key])]),
      )
    }
    const key = path.findLast((part) => !/^\d+$/.test(part)) ?? ''
    const isOwner = path.join('.') === 'team.name'
    if (typeof value !== 'string' || READ_BY_FORMATS.test(key) || isOwner) return value
    if (unchangedPaths.has(path.join('.'))) return value
    next += 1
    const isLink = path.some((part) => LINK.test(part))
    const from = isLink ? BAD_LINKS : POISONS
    return from[next % from.length]
  }
  return walk(document, [])
}

/** Reads a document of the example mesh. */
export function readExample(path: string): Record<string, unknown> {
  const file = fileURLToPath(new URL(`../../examples/mesh/${path}`, import.meta.url))
  return parse(readFileSync(file, 'utf8')) as Record<string, unknown>
}

interface Rejection {
  violations?: readonly { field: string }[]
}

const ATTEMPTS_MAX = 12

/**
 * PUTs a document with hostile texts wherever they are accepted: rejected fields get their own text
 * back until the rest is accepted. Returns the number of rejected fields.
 */
export async function putPoisoned(
  catalog: Catalog,
  path: string,
  document: Record<string, unknown>,
  turn: number,
): Promise<number> {
  const unchangedPaths = new Set<string>()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const response = await fetch(`${catalog.url}${path}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/json' },
      body: JSON.stringify(poison(document, turn, unchangedPaths)),
    })
    if (response.ok) return unchangedPaths.size
    const answer = await response.text()
    const { violations = [] } = JSON.parse(answer) as Rejection
    const before = unchangedPaths.size
    for (const { field } of violations) unchangedPaths.add(field.replaceAll(/\[(\d+)\]/g, '.$1'))
    if (response.status !== 422 || unchangedPaths.size === before) {
      throw new Error(`PUT ${path}: ${response.status} ${answer.slice(0, 2000)}`)
    }
  }
  throw new Error(`PUT ${path}: rejected after too many attempts`)
}

/** Adds a connector, costs of a data product and channels of a team, all with hostile texts. */
export async function addPoisonedRecords(
  catalog: Catalog,
  productId: string,
  team: string,
): Promise<void> {
  const health = { status: 'OK', updatedAt: '', errorMessage: 'x' }
  const info = { type: 'x', description: 'x', connectorVersion: 'x' }
  const connector = { info, health, state: { x: ['x', 'y', 'z'] }, custom: { x: 'y', z: 'x' } }
  await putPoisoned(catalog, '/api/connectors/hostile', connector, 0)
  for (const [turn, text] of POISONS.entries()) {
    const cost = { name: text, amount: 1e300, currency: text, category: text, description: text }
    const link = BAD_URIS[turn]
    await catalog.call('POST', '/api/costs', { ...cost, dataProductId: productId, link })
    const channel = { type: 'slack', endpoint: `https://x.example/${turn}`, enabled: true }
    const path = `/api/teams/${team}/notification-channels/${turn}`
    await catalog.call('PUT', path, { ...channel, name: text })
  }
}
