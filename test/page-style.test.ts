/** The rules about how the pages show what they load. */

import { checkRules, product, type Rule } from './code-rules.ts'

const loaded = 'web/parts/loaded.tsx'
// Loads more rows while one scrolls, without a button.
const scrolled = 'web/pages/run/changes-view.tsx'
// Braces nest at most three deep in the attributes of a panel.
const braces = /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/.source
const attributes = String.raw`(?:\s+\w+(?:=(?:"[^"]*"|${braces}))?)*\s*`
const panelOfLoaded = new RegExp(
  String.raw`<Panel${attributes}>\s*<Loaded\b(?:(?!</?Panel\b)[^])*?</Loaded>\s*</Panel>`,
  'g',
)
const emptyInside = /=>\s*[\w.]+\.length === 0 \?\s*\(?\s*<(?:Empty|No[A-Z]|p\b)/g
const skeletonElement = /skeleton=\{\s*<Skeleton\b/g
const nextPage = /\bfetchNextPage\b/g

const rules: readonly Rule[] = [
  {
    name: 'only Loaded and QueryPanel show what a page loads',
    findViolations: (codebase) =>
      product(codebase, 'web').flatMap(({ path, text }) =>
        [
          ...find(text, panelOfLoaded, 'use QueryPanel'),
          ...find(text, emptyInside, 'use the empty state of Loaded'),
          ...find(text, skeletonElement, 'name the lines: skeleton={{ lines: 8 }}'),
          ...([loaded, scrolled].includes(path)
            ? []
            : find(text, nextPage, 'Loaded shows the button for the next page')),
        ].map((violation) => `${path}:${violation}`),
      ),
    example: {
      files: {
        'web/pages/a/page.tsx': `
          <Panel title="A" actions={<Link href={a}>All</Link>}>
            <Loaded query={query}>{(rows) => <Table rows={rows} />}</Loaded>
          </Panel>`,
        'web/pages/b/page.tsx': `
          <QueryPanel title="B" query={query} skeleton={<Skeleton lines={2} />}>
            {(rows) => rows.length === 0 ? <Empty title="None">Add one.</Empty> : <Rows rows={rows} />}
          </QueryPanel>`,
        'web/pages/c/page.tsx': `<Button onClick={() => void list.fetchNextPage()}>More</Button>`,
        'web/pages/d/page.tsx': `
          <Panel title="D">
            <Loaded query={query}>{(data) => <View data={data} />}</Loaded>
            <Dialog />
          </Panel>`,
        [loaded]: `fetchNextPage?.()`,
      },
      violations: 4,
    },
  },
]

checkRules(rules)

function find(text: string, pattern: RegExp, advice: string): string[] {
  return Array.from(
    text.matchAll(pattern),
    ({ index }) => `${text.slice(0, index).split('\n').length} ${advice}`,
  )
}
