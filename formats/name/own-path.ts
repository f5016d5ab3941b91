const HOME = '/'
const FORMS = ['/sign-in', '/set-up', '/invitation']

/**
 * Returns the address to open after signing in. Anything that is not plainly a path of this site (another
 * site, `//other`, `/\\other`, a control character, a submitted form) is replaced by the home page, so that
 * no link leads through the form to another site.
 */
export function ownPath(wanted: string, origin: string): string {
  // A browser drops tabs and line ends and takes `\` for `/`: what is left could be another site.
  if (!wanted.startsWith('/') || /^\/[/\\]|[\p{Cc}\\]/u.test(wanted)) return HOME
  if (!URL.canParse(wanted, origin)) return HOME
  const url = new URL(wanted, origin)
  // Dots are gone from the path now, and may have left two slashes in front: `/.//other`.
  if (url.origin !== origin || url.pathname.startsWith('//')) return HOME
  if (FORMS.some((form) => url.pathname === form || url.pathname.startsWith(`${form}/`))) {
    return HOME
  }
  return `${url.pathname}${url.search}${url.hash}`
}
