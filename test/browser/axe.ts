/** Violations that axe-core finds on a page: WCAG 2.2 A and AA, and best practices. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Lists the violations of a page, one line each: the rule, its description and the element. */
export async function findViolations(
  page: Page,
  scope: 'all' | 'colours' | 'all but colours' = 'all',
): Promise<string[]> {
  // The driver evaluates it, so the page's policy does not apply; once per document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(SCRIPT)
  // The header covers parts of a page that is scrolled.
  await page.evaluate('window.scrollTo(0, 0)')
  const results = await page.evaluate(
    async (options) =>
      // Defined by the script above.
      await (
        globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
      ).axe.run(options),
    toOptions(scope),
  )
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 300)}`),
  )
}

function toOptions(scope: 'all' | 'colours' | 'all but colours'): object {
  // Runs all rules on all elements, and returns details only for violations.
  const output = { resultTypes: ['violations'], selectors: false }
  if (scope === 'colours') return { ...output, runOnly: { type: 'rule', values: COLOUR_RULES } }
  const rules = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: scope === 'all' }]))
  return { ...output, runOnly: { type: 'tag', values: RULES }, rules }
}
