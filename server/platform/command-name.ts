/**
 * Returns how the user starts Portbook with these words: `npx portbook migrate` for `migrate`. The launcher passes the
 * way in which it was started in a variable: `npx portbook`, `portbook` or `npm run --silent portbook --`. Without a
 * launcher, as in a container, it is `portbook`.
 */
export function formatCommand(words = '', environment: NodeJS.ProcessEnv = process.env): string {
  return `${environment['PORTBOOK_COMMAND_NAME'] || 'portbook'} ${words}`.trimEnd()
}
