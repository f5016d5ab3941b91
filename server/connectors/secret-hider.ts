const SECRET_CHARACTERS_MIN = 4
const HIDDEN = '•••'

/** Returns a function that hides secrets in a text, including their URL and JSON encodings. */
export function createSecretHider(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split('\n')])
    .filter((secret) => secret.trim().length >= SECRET_CHARACTERS_MIN)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    // The longest first, so that no part of a secret remains.
    .toSorted((a, b) => b.length - a.length)
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}
