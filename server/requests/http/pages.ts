import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { readSessionToken } from '../access/session.ts'
import { findPageRedirect } from './page-redirect.ts'
import { formatCommand } from '../../platform/command-name.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The built web pages, held in memory: one document for all addresses, and the files that it names. */
export interface Pages {
  /** Returns the response to a GET of a page or of one of its files; undefined for any other path. */
  answer(path: string, headers: Headers): Response | undefined
}

/** A file as it was built, with what its compressed forms are. */
interface BuiltFile {
  content: Buffer<ArrayBuffer>
  compressed: ReadonlyMap<string, Buffer<ArrayBuffer>>
  mediaType: string
  etag: string
}

const MEDIA_TYPES = newTable<string>({
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.html': 'text/html; charset=utf-8',
})

// The best encoding first, with the file endings of the build.
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

// A file of the build with the first path segments of all pages.
const SEGMENTS_FILE = 'segments.json'
const SEGMENTS = z.array(z.string())

// A worker script has its own policy, not that of the page, and may load its modules.
const FILE_POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
const NONCE_BYTES = 18
const FOREVER = 'public, max-age=31536000, immutable'

const UNBUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Portbook</title>
<p>The web pages are not built here. <code>npm start</code> builds them; the API works without.</p></html>`

/** Loads the built pages from a directory. If they are missing, every page reports it. */
export function loadPages(directory: string): Pages {
  const files = filesIn(directory)
  const segments = readSegments(directory)
  const built = files.get('/index.html')?.content.toString('utf8') ?? UNBUILT
  const document = built.replace('__COMMAND__', escapeAttribute(formatCommand()))
  return {
    answer(path, headers) {
      const file = files.get(path)
      if (file !== undefined && path !== '/index.html') return fileAnswer(path, file, headers)
      const target = findPageRedirect(path, segments.has(path.split('/')[1] ?? ''))
      if (target !== undefined) return redirectAnswer(target)
      if (isPage(path, segments)) return documentAnswer(document, 200, headers)
      // A browser that follows a wrong link gets an error page. Programs may accept HTML without expecting
      // it; only browsers send the purpose of a request.
      const isBrowsing = headers.get('sec-fetch-dest') === 'document'
      return isBrowsing ? documentAnswer(document, 404, headers) : undefined
    },
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

// The path is used as it was sent: with empty or dot segments it matches no page.
function isPage(path: string, segments: ReadonlySet<string>): boolean {
  const [, first = '', ...rest] = path.split('/')
  if (!segments.has(first) || (first === '' && rest.length > 0)) return false
  return rest.every((part) => part !== '' && !/^(\.|%2e){1,2}$/i.test(part))
}

/** Reads the first segments of the pages' paths; without a build, only the home page exists. */
function readSegments(directory: string): ReadonlySet<string> {
  const file = join(directory, SEGMENTS_FILE)
  return new Set(existsSync(file) ? SEGMENTS.parse(JSON.parse(readFileSync(file, 'utf8'))) : [''])
}

function filesIn(directory: string): Map<string, BuiltFile> {
  const contents = new Map<string, Buffer<ArrayBuffer>>()
  for (const name of namesIn(directory)) {
    contents.set(`/${name.replaceAll('\\', '/')}`, readFileSync(join(directory, name)))
  }
  const files = new Map<string, BuiltFile>()
  for (const [path, content] of contents) {
    const mediaType = MEDIA_TYPES[extname(path)]
    if (mediaType === undefined) continue
    const compressed = new Map<string, Buffer<ArrayBuffer>>()
    for (const { name, ending } of ENCODINGS) {
      const found = contents.get(`${path}${ending}`)
      if (found !== undefined) compressed.set(name, found)
    }
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    files.set(path, { content, compressed, mediaType, etag })
  }
  return files
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(directory.length)
          .replace(/^[/\\]/, ''),
      )
  } catch {
    return []
  }
}

function fileAnswer(path: string, file: BuiltFile, asked: Headers): Response {
  const { content, compressed, mediaType, etag } = file
  const headers: Record<string, string> = {
    'content-type': mediaType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': FILE_POLICY,
    // The names of built files change with their content.
    'cache-control': path.startsWith('/static/') ? FOREVER : 'no-cache',
    vary: 'Accept-Encoding',
    etag,
  }
  if (asked.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  const accepted = asked.get('accept-encoding') ?? ''
  const encoding = ENCODINGS.find(({ name }) => compressed.has(name) && accepted.includes(name))
  const body = encoding === undefined ? content : (compressed.get(encoding.name) ?? content)
  if (encoding !== undefined) headers['content-encoding'] = encoding.name
  return new Response(body, { headers })
}

// The name of an organization in the path may change, so clients must not keep the redirect.
function redirectAnswer(target: string): Response {
  const headers = { location: target, 'cache-control': 'no-store', vary: 'Accept' }
  return new Response(null, { status: 302, headers })
}

// Only our own files may be scripts and styles. A library that inserts a style can use the nonce of this
// response. The response marks a missing session, so that the page need not ask.
function documentAnswer(document: string, status: number, asked: Headers): Response {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const session = readSessionToken(asked) === undefined ? 'none' : 'some'
  return new Response(document.replace('__NONCE__', nonce).replace('__SESSION__', session), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      'cache-control': 'no-store',
      vary: 'Accept, Cookie',
    },
  })
}
