import { createHash } from 'node:crypto'
import { PROVIDER_PEOPLE, type ProviderPerson } from './provider-people.ts'

/** The pages of the provider of the demo: the choice of a person, and an error. */

/** A page with the headers that allow only its own style. */
export interface ProviderPage {
  html: string
  headers: Record<string, string>
}

/** The field of a form that has the subject of the chosen person; empty = cancel. */
export const PERSON_FIELD = 'person'

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1a1d21,#e8eaed);--faint:light-dark(#5c6570,#a2abb5);--line:light-dark(#d5dae0,#3a4149);--page:light-dark(#f5f6f8,#14171a);--panel:light-dark(#fff,#1c2024);--accent:light-dark(#1d5fd1,#8ab4f8)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:min(30rem,100% - 2rem);padding:1.5rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
h1{margin:0 0 .25rem;font-size:1.25rem}
p{margin:0 0 1rem;color:var(--faint)}
button{display:block;width:100%;margin-top:.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:6px;background:none;color:inherit;font:inherit;text-align:left;cursor:pointer}
button:hover{border-color:var(--accent)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
small{display:block;color:var(--faint)}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Creates the page on which a visitor chooses a person. Its form may lead on to an origin. */
export function newPeoplePage(action: string, origin: string): ProviderPage {
  const content = `
<h1>Sign in to Velmora</h1>
<p>This provider belongs to the demo. It has no passwords: choose a person.</p>
<form method="post" action="${escapeHtml(action)}">
${PROVIDER_PEOPLE.map(newChoice).join('\n')}
<button name="${PERSON_FIELD}" value="">Cancel</button>
</form>`
  return newPage('Sign in to Velmora', content, `'self' ${origin}`)
}

/** Creates the page of an error. */
export function newErrorPage(sentence: string): ProviderPage {
  const content = `
<h1>This sign-in cannot go on</h1>
<p>${escapeHtml(sentence)}</p>`
  return newPage('Error', content, "'none'")
}

function newChoice({ subject, name, outcome }: ProviderPerson): string {
  return `<button name="${PERSON_FIELD}" value="${subject}">${escapeHtml(name)}<small>${escapeHtml(outcome)}</small></button>`
}

function newPage(title: string, content: string, formAction: string): ProviderPage {
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`
  return {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>${content}
</main>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
