/** A server that is ready. */
export interface ReadyServer {
  url: string
  /** The one-time link to create the first organization; undefined = an organization exists. */
  setupLink: string | undefined
}

/**
 * Formats the output of a start: the address on a separate line and, on a terminal, instructions with the setup link.
 * Without a terminal the link is in the log.
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
