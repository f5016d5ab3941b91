/** A browser without a screen: it keeps cookies, and follows the pages of a provider over HTTP. */

const PAGES_MAX = 10

/** A person's browser at one or several providers. Two people need two of them. */
export interface ProviderBrowser {
  /**
   * Opens the authorization address, signs in as `login`, consents, and returns the address to which the provider
   * redirects at the end, with its query. A browser that is already signed in is not asked again.
   */
  signIn(authorizationUrl: string, login: string): Promise<URL>
  /**
   * Opens the address that ends the session at the provider, confirms, and returns the address to which the provider
   * redirects at the end; undefined = it shows a page of its own.
   */
  signOut(endSessionUrl: string): Promise<URL | undefined>
}

/** Creates a browser without cookies. */
export function newProviderBrowser(): ProviderBrowser {
  const cookies = new Map<string, Map<string, string>>()
  const open = async (url: URL, form?: URLSearchParams): Promise<Page> => {
    const jar = cookies.get(url.origin) ?? new Map<string, string>()
    cookies.set(url.origin, jar)
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) storeCookie(jar, cookie)
    const location = response.headers.get('location')
    const next = location === null ? undefined : new URL(location, url)
    return { url, status: response.status, next, html: await response.text() }
  }
  /** Follows redirects within the origin, and answers each form, until the origin is left. */
  const follow = async (start: string, login: string): Promise<URL | undefined> => {
    const { origin } = new URL(start)
    let page = await open(new URL(start))
    for (let count = 0; count < PAGES_MAX; count += 1) {
      if (page.next !== undefined) {
        if (page.next.origin !== origin) return page.next
        page = await open(page.next)
        continue
      }
      if (page.status >= 400)
        throw new Error(`${page.url.href} answered ${page.status}: ${page.html}`)
      const form = readForm(page, login)
      if (form === undefined) return undefined
      page = await open(form.action, form.values)
    }
    throw new Error(`The provider showed more than ${PAGES_MAX} pages`)
  }
  return {
    async signIn(authorizationUrl, login) {
      const end = await follow(authorizationUrl, login)
      if (end === undefined) throw new Error('The provider did not redirect')
      return end
    },
    signOut: (endSessionUrl) => follow(endSessionUrl, ''),
  }
}

interface Page {
  url: URL
  status: number
  next: URL | undefined
  html: string
}

/** Returns the first form of a page with its hidden values, filled in; undefined = the page has none. */
function readForm(
  { url, html }: Page,
  login: string,
): { action: URL; values: URLSearchParams } | undefined {
  const form = /<form[^>]*\baction="([^"]*)"/.exec(html)
  if (form?.[1] === undefined) return undefined
  const values = new URLSearchParams()
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const name = readAttribute(input, 'name')
    if (name !== undefined) values.set(name, readAttribute(input, 'value') ?? '')
  }
  if (values.get('prompt') === 'login' || values.has('username')) {
    values.set('login', login)
    values.set('username', login)
    values.set('password', login)
  }
  if (/name="logout"/.test(html)) values.set('logout', 'yes')
  return { action: new URL(decodeHtml(form[1]), url), values }
}

function readAttribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : decodeHtml(value)
}

function decodeHtml(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#x3D;', '=').replaceAll('&amp;', '&')
}

function storeCookie(jar: Map<string, string>, cookie: string): void {
  const [pair = ''] = cookie.split(';', 1)
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const isDeleted = /;\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(cookie) || value === ''
  if (isDeleted) jar.delete(name)
  else jar.set(name, value)
}
