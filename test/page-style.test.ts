/** The rules about how the pages show what they load, and how they change it. */

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
// The hook of actions and their dialog are the mechanism.
const mechanism = [
  'web/shell/action.ts',
  'web/shell/action-dialog.tsx',
  'web/parts/dialog.tsx',
  'web/parts/floating-dialog.tsx',
]
// Sends a request that the person wrote, which has no notice and changes nothing that the pages know of.
const written = 'web/pages/reference/try-panel.tsx'
const ownAction = /\b(?:useMutation|invalidateQueries|ConfirmDialog|ConfirmWindow|AlertDialog)\b/g
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
  {
    name: 'only actions change data, ask before it and load again what it made out of date',
    findViolations: (codebase) =>
      product(codebase, 'web')
        .filter(({ path }) => ![...mechanism, written].includes(path))
        .flatMap(({ path, text }) =>
          find(text, ownAction, 'use useAction, useRefresh, ActionDialog or ActionButton').map(
            (violation) => `${path}:${violation}`,
          ),
        ),
    example: {
      files: {
        'web/pages/a/page.tsx': `const save = api.useMutation('put', '/ui/profile')`,
        'web/documents/a.ts': `void queries.invalidateQueries({ queryKey: ['get', '/ui/home'] })`,
        'web/shell/a.tsx': `<ConfirmDialog open title="Delete?" onConfirm={remove} />`,
        'web/pages/b/page.tsx': `const save = useAction({ request, refresh: ['/ui/home'] })`,
        'web/pages/b/dialog.tsx': `import { AlertDialog } from 'radix-ui'`,
        'web/shell/action.ts': `const mutation = useMutation({ mutationFn })`,
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
