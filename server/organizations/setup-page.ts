import { createHash } from 'node:crypto'
import { Refusal } from '../errors.ts'
import type { Services } from '../http/endpoint.ts'
import { firstOwnerForm } from './organization.ts'
import { isOpenSetupToken, setUp } from './service.ts'

// The first page of an empty store, reached by the one-time link of the log. It needs no script.

const FORM_BYTES_MAX = 16 * 1024

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin-bottom: .25rem }
label { display: block; margin-top: 1rem; font-weight: 600 }
input { box-sizing: border-box; width: 100%; padding: .5rem .75rem; font: inherit; margin-top: .25rem;
  border: 1px solid #8886; border-radius: .375rem; background: transparent; color: inherit }
button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; border: 0;
  border-radius: .375rem; background: #0b5c8c; color: #fff; cursor: pointer }
pre { padding: 1rem; border: 1px solid #8886; border-radius: .375rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .875rem }
[role=alert] { color: #b3261e }
@media (prefers-color-scheme: dark) { [role=alert] { color: #f2b8b5 } }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** Shows the set-up form for an open link. Errors: not_found when the link is used or unknown. */
export async function showSetup(services: Services, request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  await requireOpen(services, token)
  return page('Set up Portbook', form(token, {}, undefined))
}

/**
 * Sets the store up from the form and shows the first key, once. Errors: not_found when the link is
 * used or unknown, body_too_large.
 */
export async function submitSetup(services: Services, request: Request): Promise<Response> {
  if (Number(request.headers.get('content-length') ?? Infinity) > FORM_BYTES_MAX) {
    throw new Refusal('body_too_large', 'The form may have 16 KiB at most.')
  }
  const sent = Object.fromEntries(new URLSearchParams(await request.text()))
  const token = sent['token'] ?? ''
  await requireOpen(services, token)
  const read = firstOwnerForm.safeParse(sent)
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    return page('Set up Portbook', form(token, sent, `Please mend: ${problems.join('; ')}.`), 422)
  }
  const done = await setUp(services.db, services.clock, read.data, () => undefined)
  if (done?.key === undefined) throw closedLink()
  return page('Portbook is ready', ready(services.baseUrl, done.key))
}

async function requireOpen(services: Services, token: string): Promise<void> {
  if (!(await isOpenSetupToken(services.db, token))) throw closedLink()
}

function closedLink(): Refusal {
  return new Refusal(
    'not_found',
    'This set-up link is used or unknown. The log has the current one.',
  )
}

function form(token: string, sent: Record<string, string>, problem: string | undefined): string {
  return `<p>Name your organization and its first owner. This link works once.</p>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/ui/setup">
<input type="hidden" name="token" value="${escaped(token)}">
<label>Organization <input name="organization" required maxlength="200" autofocus value="${escaped(sent['organization'] ?? '')}"></label>
<label>Your e-mail address <input name="email" type="email" required autocomplete="username" value="${escaped(sent['email'] ?? '')}"></label>
<label>Password, at least 12 characters <input name="password" type="password" required minlength="12" maxlength="200" autocomplete="new-password"></label>
<button>Set up</button>
</form>`
}

function ready(baseUrl: string, key: string): string {
  return `<p>This is your organization's first API key. It is shown only now: put it away safely.</p>
<pre>${escaped(key)}</pre>
<p>Try it:</p>
<pre>curl -H 'x-api-key: ${escaped(key)}' ${escaped(baseUrl)}/api/organization/settings</pre>`
}

function page(title: string, content: string, status = 200): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
${content}
</main></body></html>
`
  return new Response(html, { status, headers: HEADERS })
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
