/** Visits pages of the demo, and collects empty states and counts that differ from their rows. */

import type { Visitor } from './browser.ts'
import type { Catalog } from './catalog.ts'
import { listPlaces, mainPageNames, type PlaceInMesh } from './mesh.ts'
import { followLink, waitUntilQuiet } from './navigation.ts'

/** The content of a page. */
interface Content {
  /** The titles of the empty states. */
  empty: readonly string[]
  /** The panels whose count is not that of their rows. */
  counts: readonly string[]
}

/** An empty state that belongs to the demo. */
interface ExpectedEmpty {
  /** The name of the page. */
  page: string
  /** Matches the title of the empty state. */
  title: RegExp
  reason: string
}

const EXPECTED: readonly ExpectedEmpty[] = [
  { page: 'e-mail texts', title: /^No e-mail texts/, reason: 'The demo sends the usual texts.' },
  {
    page: 'directory',
    title: /^No rejected requests/,
    reason: 'Every request of the directory was accepted.',
  },
  { page: 'data product without usage', title: /^No usage/, reason: 'Shows the way to send it.' },
  { page: 'data product without costs', title: /^No costs/, reason: 'Shows the way to send them.' },
]

/** Empty states of people without a right to what the page shows; each names who can help. */
const HIDDEN: readonly ExpectedEmpty[] = [
  { page: 'requests', title: /^You decide on no/, reason: 'The person is in no team.' },
  { page: 'integrations', title: /that you can see$/, reason: 'Integrations belong to teams.' },
  { page: 'integration', title: /not found$/, reason: 'It belongs to another team.' },
  { page: 'run', title: /not found$/i, reason: 'It is a run of another team.' },
  { page: 'API keys', title: /that you can see$/, reason: 'Keys belong to teams.' },
  { page: 'directory', title: /^Not visible/, reason: 'Only owners see it.' },
  { page: 'sign-in settings', title: /^Not visible/, reason: 'Only owners see them.' },
  { page: 'SCIM mapping', title: /^Not visible/, reason: 'Only owners see it.' },
  { page: 'e-mail texts', title: /^Not visible/, reason: 'Only owners see them.' },
  { page: 'health', title: /^Not visible/, reason: 'Only owners see it.' },
  { page: 'webhooks', title: /that you can see$/, reason: 'Webhooks belong to owners.' },
  { page: 'webhook', title: /not found$/, reason: 'It belongs to owners.' },
]

// Forms begin empty.
const FORM = /\/(?:new|edit)\b/

/** Lists the places with content: each page once, without forms. */
export async function listContentPlaces(catalog: Catalog): Promise<PlaceInMesh[]> {
  return (await listPlaces(catalog)).filter(hasContent)
}

/** Returns whether a place shows content to everyone who may see it. */
export function hasContent({ name, path }: PlaceInMesh): boolean {
  return mainPageNames.includes(name) && name !== 'no page' && !FORM.test(path)
}

/** Visits places; returns the faults of each. */
export async function walkContents(
  visitor: Visitor,
  places: readonly PlaceInMesh[],
  reader: { isOwner: boolean },
): Promise<string[]> {
  const { page, traffic } = visitor
  const faults: string[] = []
  await page.goto('/settings/profile')
  for (const place of places) {
    await followLink(page, place.path)
    await waitUntilQuiet(page, traffic)
    faults.push(...(await listContentFaults(visitor, place, reader)))
  }
  return faults
}

/**
 * Reads the place that is open; returns a line for each empty state without a reason, and for each count that is not
 * that of its rows. An owner of the organization sees everything.
 */
export async function listContentFaults(
  { page }: Visitor,
  { name, path }: PlaceInMesh,
  { isOwner }: { isOwner: boolean },
): Promise<string[]> {
  const expected = isOwner ? EXPECTED : [...EXPECTED, ...HIDDEN]
  const { empty, counts } = await page.evaluate<Content>(READ_CONTENT)
  const unexpected = empty.filter(
    (title) => !expected.some((one) => one.page === name && one.title.test(title)),
  )
  return [
    ...unexpected.map((title) => `${name} (${path}) is empty: ${title}`),
    ...counts.map((count) => `${name} (${path}): ${count}`),
  ]
}

// A panel whose rows continue on another page, or behind a button, shows fewer rows than it counts.
const READ_CONTENT = `(() => {
  const main = document.querySelector('main') ?? document.body
  const panels = [...main.querySelectorAll('section')]
  const countRows = (panel) => {
    const rows = panel.querySelector('tbody, [role=rowgroup]:not(:first-child), ul, ol, dl')
    return rows?.querySelectorAll(':scope > tr, :scope > [role=row], :scope > li, :scope > div').length
  }
  const counts = panels.flatMap((panel) => {
    const heading = panel.querySelector(':scope > header h2')
    const mark = heading?.querySelector(':scope > .figures')?.textContent.trim() ?? ''
    if (!/^\\d[\\d,]*$/.test(mark)) return []
    const rows = countRows(panel)
    const continues = [...panel.querySelectorAll('button, a')].some(({ textContent }) =>
      /^(Show|Load|Next|All) ?/.test(textContent.trim()))
    const count = Number(mark.replaceAll(',', ''))
    if (rows === undefined || rows === count || (continues && rows < count)) return []
    return [heading.textContent + ': ' + rows + ' rows']
  })
  return {
    empty: [...main.querySelectorAll('[data-empty]')]
      .filter((one) => one.checkVisibility())
      .map((one) => (one.querySelector('h2, h3, p, div') ?? one).textContent.slice(0, 80)),
    counts,
  }
})()`
