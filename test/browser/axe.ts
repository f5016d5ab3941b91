/** What axe-core finds wrong with a page: WCAG 2.2 A and AA, and the field's best practices. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Lists what a page violates, a line each: the rule, what it says, and where. */
export async function violationsOf(
  page: Page,
  which: 'all' | 'colours' | 'all but colours' = 'all',
): Promise<string[]> {
  // Evaluated by the driver, and so not subject to the page's policy; once for each document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(SCRIPT)
  const results = await page.evaluate(
    async (options) =>
      // The script has put it there.
      await (
        globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
      ).axe.run(options),
    optionsOf(which),
  )
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 300)}`),
  )
}

function optionsOf(which: 'all' | 'colours' | 'all but colours'): object {
  // All rules are tried on all elements; told in detail is only what violates them.
  const told = { resultTypes: ['violations'], selectors: false }
  if (which === 'colours') return { ...told, runOnly: { type: 'rule', values: COLOUR_RULES } }
  const rules = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: which === 'all' }]))
  return { ...told, runOnly: { type: 'tag', values: RULES }, rules }
}
