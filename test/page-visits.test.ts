/**
 * Opening a page, by a link, a visit or a preview, never changes what a later action does. Every file that stores something
 * in the browser, and every effect, query and loader that reaches a writer, is listed with the reason for which it may.
 */

import { checkRules, type Codebase, type Rule } from './code-rules.ts'
import { listOpeningWrites, listStorageWriters } from './page-visits.ts'

const STORAGE: Readonly<Record<string, string>> = {
  'web/api/organization.ts': 'the organization of the tab, and the one that the person chose',
  'web/api/provider-sign-in.ts': 'the page on which the person started a sign-in with a provider',
  'web/shell/access-basket.ts': 'what the person added to the basket',
  'web/shell/draft.ts': 'what the person typed',
  'web/shell/first-steps.ts': 'whether the list of first steps is shown; no action reads it',
  'web/shell/folds.ts': 'which parts of a form or list the person opened or closed',
  'web/shell/recent-pages.ts': 'the visited pages, which the command palette proposes',
  'web/shell/reload-once.ts': 'that the page was reloaded for a new version, at most once',
  'web/shell/theme.ts': 'the theme that the person chose',
}

const OPENING: Readonly<Record<string, string>> = {
  'web/documents/delete-dialog.tsx: DELETE': 'a dry run: the plan of a deletion',
  'web/documents/use-plan.ts: sendText': 'a dry run: the plan of a change',
  'web/pages/home/first-steps.tsx: keepStepsState': 'the list was shown, so that its end is, too',
  'web/pages/sign-in/callback-page.tsx: run':
    'finishes the sign-in that this browser started; each answer of a provider counts once',
  'web/shell/provider-buttons.tsx: run':
    'starts a sign-in at the only provider of an organization that requires it',
  'web/routes.tsx: keepOrganization': 'the organization that the server used, for this tab only',
  'web/shell/access-changes.ts: keepOrganization':
    'the person was removed from the organization; for this tab only',
  'web/shell/connection-notice.tsx: takeReloadNotice': 'a notice is shown once',
  'web/shell/link-page.tsx: run': 'what a link of an e-mail is about; a button uses the link',
  'web/shell/next-step.tsx: keepStepsState': 'the end of the first steps is shown once',
  'web/shell/recent-pages.ts: setItem': 'the visited pages, which the command palette proposes',
  'web/shell/shell.tsx: useRecentPages': 'the visited pages, which the command palette proposes',
}

// What is found must be listed, and what is listed must be found.
function compare(found: readonly string[], listed: Readonly<Record<string, string>>): string[] {
  return found.filter((one) => !Object.hasOwn(listed, one)).map((one) => `${one} needs a reason`)
}

function findUnused(
  codebase: Codebase,
  found: readonly string[],
  listed: Readonly<Record<string, string>>,
): string[] {
  // An example has none of the listed files.
  if (!codebase.some(({ path }) => path === 'web/main.tsx')) return []
  return Object.keys(listed)
    .filter((one) => !found.includes(one))
    .map((one) => `${one} writes nothing any more`)
}

function newRule(
  name: string,
  find: (codebase: Codebase) => string[],
  listed: Readonly<Record<string, string>>,
  example: Rule['example'],
): Rule {
  return {
    name,
    findViolations(codebase) {
      const found = find(codebase)
      return [...compare(found, listed), ...findUnused(codebase, found, listed)]
    },
    example,
  }
}

checkRules([
  newRule(
    'the storage of the browser › only listed files write to it',
    listStorageWriters,
    STORAGE,
    {
      files: { 'web/pages/a/page.tsx': "sessionStorage.setItem('a', 'b')" },
      violations: 1,
    },
  ),
  newRule('opening a page › changes nothing that a later action uses', listOpeningWrites, OPENING, {
    files: {
      'web/shell/access-basket.ts': `
        function write(items) { sessionStorage.setItem('basket', items) }
        export function fill(item: { id: string }): void { write(item) }
        export function read(): string { return 'nothing' }
      `,
      // Through another file, and through a function of the same one.
      'web/pages/a/page.tsx': `
        export function A() {
          const add = () => fill('a')
          useEffect(() => { add() }, [])
        }
      `,
      'web/pages/b/page.tsx': `
        export function B() {
          const mark = useAction({ request: () => client.POST('/ui/seen') })
          useEffect(() => mark.run(), [mark])
        }
      `,
      'web/pages/c/page.tsx': `
        export function C() {
          useQuery({ queryKey: ['c'], queryFn: async () => await client.PUT('/ui/c') })
          useEffect(() => read(), [])
          return <Button onClick={() => fill('c')}>Add</Button>
        }
      `,
    },
    violations: 3,
  }),
])
