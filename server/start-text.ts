/** A server that is ready. */
export interface ReadyServer {
  url: string
  /** The one-time link that creates the first organization; undefined = there is one. */
  setupLink: string | undefined
}

/**
 * Returns what a start prints on standard output: the address on its own line, and on a terminal the
 * set-up link in plain words. Elsewhere the link is in the log, which is what log collectors keep.
 */
export function formatStart({ url, setupLink }: ReadyServer, isTerminal: boolean): string {
  const address = `portbook listening on ${url}`
  if (!isTerminal || setupLink === undefined) return address
  return [
    address,
    '',
    '  Open this link in your browser to create the first organization:',
    '',
    `  ${setupLink}`,
    '',
    '  It works once. Press Ctrl+C to stop Portbook.',
    '',
  ].join('\n')
}
